import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { registerUser, type TestUser, rejectedFields } from '../../support/api.js';
import { eventually } from '../../support/eventually.js';
import { storedRows } from '../../support/rows.js';
import { Webhook, WebhookDelivery } from '../../../shared/webhook/webhook.model.js';
import { webhookFixture } from './webhookFixture.js';
import { fixtureEach, serviceFixture } from '../../support/fixtures.js';

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

const body = { url: 'https://example.org/hooks?key=1', events: ['content.ready', 'payment.fulfilled'] };

describe('the webhooks of a user', () => {
  const { ctx, api } = serviceFixture();
  const user: TestUser = fixtureEach(() => registerUser(api));

  const call = (method: string, path = '', sent?: object, token = user.token) =>
    api.call(method, `/api/webhook${path}`, { token, ...(sent ? { body: sent } : {}) });
  const create = async (): Promise<string> => (await call('POST', '', body)).body.webhookId as string;

  it('are created with a secret that is shown once, stored encrypted, and replaceable', async () => {
    const created = await call('POST', '', body);
    expect(created.status).to.equal(201);
    expect(created.body).to.deep.include({ ...body, enabled: true });
    const { secret, ...shown } = created.body;
    expect(Buffer.from(String(secret).replace(/^whsec_/, ''), 'base64')).to.have.length(32);
    expect((await call('GET', `/${shown.webhookId}`)).body).to.deep.equal(shown);
    expect((await call('GET')).body).to.deep.include({ items: [shown], totalCount: 1 });
    const [row] = await storedRows(ctx, Webhook, { id: shown.webhookId });
    expect(JSON.stringify(row)).not.to.include(String(secret)).and.not.to.include(String(secret).slice(6));
    const rotated = await call('POST', `/${shown.webhookId}/rotate`);
    expect(rotated.body.secret).to.match(/^whsec_/);
    expect([rotated.status, rotated.body.secret === secret]).to.deep.equal([200, false]);
  });

  it('are changed, disabled and deleted', async () => {
    const id = await create();
    const off = await call('POST', `/${id}`, { enabled: false });
    expect(off.body).to.deep.include({ ...body, enabled: false, disabledBy: 'OWNER' });
    expect((await call('POST', `/${id}/test`)).status).to.equal(409);
    const on = await call('POST', `/${id}`, { enabled: true, url: 'http://example.org/', events: ['live.started'] });
    expect(on.body).to.deep.include({ url: 'http://example.org/', events: ['live.started'], enabled: true });
    expect(on.body).not.to.have.property('disabledBy');
    expect((await call('DELETE', `/${id}`)).status).to.equal(204);
    expect((await call('GET', `/${id}`)).status).to.equal(404);
  });

  it('reject forbidden addresses and events, with the reason', async () => {
    const id = await create();
    for (const [url, code] of [
      ...['ftp://example.org/', 'example.org'].map((address) => [address, 'scheme'] as const),
      ['https://me:secret@example.org/', 'credentials'],
      ...['http://127.1/', 'http://[::ffff:169.254.169.254]/', 'http://0x7f.1:6379/'].map(
        (address) => [address, 'address'] as const,
      ),
    ]) {
      expect(rejectedFields(await call('POST', '', { ...body, url }))).to.deep.equal([`url ${code}`]);
      expect((await call('POST', `/${id}`, { url })).status).to.equal(400);
    }
    for (const events of [
      [],
      ['content.unknown'],
      ['webhook.test'],
      ['content.ready', 'content.ready'],
      'content.ready',
    ])
      expect((await call('POST', '', { ...body, events })).status, JSON.stringify(events)).to.equal(400);
  });

  it('are hidden from other users', async () => {
    const id = await create();
    const deliveryId = String((await call('POST', `/${id}/test`)).body.deliveryId);
    const delivery = `/${id}/deliveries/${deliveryId}`;
    const other = await registerUser(api);
    for (const path of [`/${id}`, `/${id}/deliveries`, delivery])
      expect(await call('GET', path, undefined, other.token), path).to.include({ status: 404 });
    for (const path of [`/${id}`, `/${id}/rotate`, `/${id}/test`, `${delivery}/resend`])
      expect(await call('POST', path, { enabled: false }, other.token), path).to.include({ status: 404 });
    expect(await call('DELETE', `/${id}`, undefined, other.token)).to.include({ status: 404 });
    expect(await call('GET', `/${await create()}/deliveries/${deliveryId}`)).to.include({ status: 404 });
    expect((await call('GET', `/${id}`)).body).to.include({ enabled: true });
  });

  it('are limited to twenty', async () => {
    const created = await Promise.all(Array.from({ length: 25 }, () => call('POST', '', body)));
    expect(created.filter(({ status }) => status === 201)).to.have.length(20);
    expect(created.filter(({ status }) => status === 409)).to.have.length(5);
  });
});
