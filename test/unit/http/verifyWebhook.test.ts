import { expect } from 'chai';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { verifyWebhook, WebhookSignatureError } from '../../../client/index.js';
import { newWebhookSecret, webhookSignature } from '../../../shared/webhook/signature.js';
import { rejection } from '../../support/rejection.js';

describe('the webhook verification of the client', () => {
  const secret = newWebhookSecret();
  const id = 'f3a1c9d2-7d0e-4b39-8b52-0d2f0b6a7c11';
  const body = JSON.stringify({ id, type: 'webhook.test', version: 1, data: { webhookId: id } });
  const now = 1_700_000_000_000;
  const timestamp = String(now / 1000);
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': new StandardWebhook(secret).sign(id, new Date(now), body),
  };

  it('accepts signatures of the Standard Webhooks package and of the service with either secret', async () => {
    expect(await verifyWebhook({ secret, headers, body, now })).to.deep.equal(JSON.parse(body));
    expect(await verifyWebhook({ secret, headers: new Headers(headers), body, now })).to.have.property('id', id);
    const signature = webhookSignature([newWebhookSecret(), secret], { id, timestamp: now / 1000, body });
    const rotated = { ...headers, 'webhook-signature': signature };
    expect(await verifyWebhook({ secret, headers: rotated, body, now })).to.have.property('id', id);
  });

  const wrong: readonly (readonly [string, Partial<Parameters<typeof verifyWebhook>[0]>])[] = [
    ['another body', { body: body.replace('test', 'best') }],
    ['another secret', { secret: newWebhookSecret() }],
    ['a secret that is not Base64', { secret: 'whsec_%' }],
    ['another id', { headers: { ...headers, 'webhook-id': 'other' } }],
    ['an old request', { now: now + 301_000 }],
    ['a request with a future timestamp', { now: now - 301_000 }],
    ['an invalid timestamp', { headers: { ...headers, 'webhook-timestamp': 'soon' } }],
    ['no signature', { headers: { ...headers, 'webhook-signature': '' } }],
    ['a signature of another version', { headers: { ...headers, 'webhook-signature': 'v2,AAAA' } }],
    ['a signature that is not Base64', { headers: { ...headers, 'webhook-signature': 'v1,%%' } }],
  ];
  for (const [name, given] of wrong)
    it(`rejects ${name}`, async () => {
      const error = await rejection(verifyWebhook({ secret, headers, body, now, ...given }));
      expect(error).to.be.instanceOf(WebhookSignatureError);
    });
});
