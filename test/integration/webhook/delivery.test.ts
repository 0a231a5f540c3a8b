import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { registerUser } from '../../support/api.js';
import { eventually } from '../../support/eventually.js';
import { storedRows } from '../../support/rows.js';
import { Webhook, WebhookDelivery } from '../../../shared/webhook/webhook.model.js';
import { webhookFixture } from './webhookFixture.js';

const minute = 60_000;
const hour = 60 * minute;

const utc = (seconds: number): string => new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toUTCString();

describe('a webhook delivery', function () {
  this.timeout(60_000);
  const { ctx, api, receiver, call, make, test, delivery, after, pass, once, state } = webhookFixture();

  it('is signed according to Standard Webhooks, as verified by its package and by openssl', async () => {
    const { id, secret } = await make();
    const deliveryId = await test(id);
    const delivered = await after(1, id, deliveryId);
    expect(delivered).to.include({ status: 'DELIVERED', responseStatus: 204, type: 'webhook.test' });
    const [request] = receiver.received;
    if (!request) throw new Error('nothing received');
    expect(delivered.payload).to.deep.equal(request.body);
    const ownHeaders = {
      'content-type': 'application/json',
      'user-agent': `Service (+${ctx.config.service.publicUrl})`,
    };
    expect(request.headers).to.include({ ...ownHeaders, 'webhook-id': request.body.id });
    expect(request.body).to.deep.include({ type: 'webhook.test', version: 1, data: { webhookId: id } });
    const headers = { ...request.headers };
    expect(new StandardWebhook(secret).verify(request.text, headers)).to.deep.equal(request.body);
    expect(() => new StandardWebhook(secret).verify(request.text.replace('test', 'best'), headers)).to.throw();
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${request.text}`;
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64').toString('hex');
    const openssl = promisify(execFile)('openssl', ['dgst', '-sha256', '-mac', 'HMAC', '-macopt', `hexkey:${key}`]);
    openssl.child.stdin?.end(signed);
    const digest = Buffer.from((await openssl).stdout.trim().split(' ').at(-1) ?? '', 'hex').toString('base64');
    expect(headers['webhook-signature']).to.equal(`v1,${digest}`);
  });

  it('has both signatures for a day after a rotation', async () => {
    const old = await make();
    const { secret } = await call('POST', `/${old.id}/rotate`);
    await after(1, old.id, await test(old.id));
    const verify = (index: number, key: string) =>
      new StandardWebhook(key).verify(receiver.received[index]?.text ?? '', receiver.received[index]?.headers ?? {});
    for (const key of [old.secret, String(secret)]) expect(verify(0, key)).to.be.an('object');
    expect(receiver.received[0]?.headers['webhook-signature']?.split(' ')).to.have.length(2);
    await ctx.db.model(Webhook).update({ previousSecretUntil: ctx.clock.now() }, { where: { id: old.id } });
    await after(1, old.id, await test(old.id));
    expect(verify(1, String(secret))).to.be.an('object');
    expect(() => verify(1, old.secret)).to.throw('signature');
  });

  it('is retried at growing intervals with the same id and body, and fails after three days', async () => {
    const { id } = await make();
    receiver.answer = { status: 500 };
    const deliveryId = await test(id);
    const first = await after(1, id, deliveryId);
    expect(first).to.include({ status: 'WAITING', responseStatus: 500, failure: 'status 500' });
    const pauses = [5_000, 5 * minute, 30 * minute, 2 * hour, 5 * hour];
    for (const [index, pause] of pauses.entries()) {
      await pass(pause - 1, id);
      await pass(1, id);
      expect(await after(index + 2, id, deliveryId)).to.include({ status: 'WAITING' });
    }
    for (let attempts = pauses.length + 1; attempts < 20; attempts += 1) {
      const { status } = await after(attempts, id, deliveryId);
      if (status === 'FAILED') break;
      await pass(10 * hour, id);
    }
    const failed = await delivery(id, deliveryId);
    expect(failed).to.include({ status: 'FAILED', attempts: 12 }).and.not.to.have.property('nextAttemptDate');
    expect(new Set(receiver.received.map(({ text }) => text))).to.have.property('size', 1);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).to.have.property('size', 1);
    expect(receiver.received).to.have.length(12);
  });

  for (const [title, answer, seconds] of [
    ['429 with seconds', { status: 429, headers: { 'Retry-After': '120' } }, 120],
    ['503 with a date', { status: 503, headers: { Date: utc(0), 'Retry-After': utc(900) } }, 900],
    ['429 with a day', { status: 429, headers: { 'Retry-After': '86400' } }, 3600],
  ] as const)
    it(`waits for the Retry-After of the receiver, at most an hour, also for new events: ${title}`, async () => {
      const { id } = await make();
      receiver.answer = answer;
      const first = await after(1, id, await test(id));
      expect(first).to.include({ status: 'WAITING', responseStatus: answer.status });
      const resumesAt = ctx.clock.now().getTime() + seconds * 1000;
      await eventually(async () => expect((await state(id))?.resumesAt?.getTime()).to.equal(resumesAt));
      const [row] = await storedRows(ctx, WebhookDelivery, { webhookId: id });
      expect(row?.dueAt.getTime()).to.equal(resumesAt);
      receiver.answer = { status: 204 };
      const later = await test(id);
      await pass(seconds * 1000 - 1, id);
      // A later webhook is served, so the previous job has ended.
      const other = await registerUser(api);
      const body = { url: receiver.url, events: ['content.ready'] };
      const created = await api.call('POST', '/api/webhook', { token: other.token, body });
      await api.call('POST', `/api/webhook/${created.body.webhookId}/test`, { token: other.token });
      await once(2);
      const receivers = receiver.received.map((event) => event.body.data.webhookId);
      expect(receivers).to.deep.equal([id, created.body.webhookId]);
      await pass(1, id);
      await once(4);
      expect(await after(1, id, later)).to.include({ status: 'DELIVERED' });
    });
});
