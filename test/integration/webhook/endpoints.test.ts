import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { registerUser, type TestUser } from '../../support/api.js';
import { fixtureEach } from '../../support/fixtures.js';
import { serviceFixture } from '../../support/service.js';
import { Webhook } from '../../../shared/webhook/webhook.model.js';
import { storedRows } from '../../support/rows.js';
import { rejectedFields } from '../../support/responses.js';

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

  it('are limited to twenty', async () => {
    const created = await Promise.all(Array.from({ length: 25 }, () => call('POST', '', body)));
    expect(created.filter(({ status }) => status === 201)).to.have.length(20);
    expect(created.filter(({ status }) => status === 409)).to.have.length(5);
  });

  it('are hidden from other users', async () => {
    const id = await create();
    const tested = await call('POST', `/${id}/test`);
    expect(tested.status).to.equal(202);
    const deliveryId = String(tested.body.deliveryId);
    const other = await registerUser(api);
    for (const [method, path, sent] of [
      ['GET', `/${id}`],
      ['POST', `/${id}`, { enabled: false }],
      ['DELETE', `/${id}`],
      ['POST', `/${id}/rotate`],
      ['POST', `/${id}/test`],
      ['GET', `/${id}/deliveries`],
      ['GET', `/${id}/deliveries/${deliveryId}`],
      ['POST', `/${id}/deliveries/${deliveryId}/resend`],
    ] as const)
      expect(await call(method, path, sent, other.token), `${method} ${path}`).to.include({ status: 404 });
    const second = await create();
    for (const path of [`/${second}/deliveries/${deliveryId}`, `/${second}/deliveries/${randomUUID()}`])
      expect(await call('GET', path), path).to.include({ status: 404 });
    expect((await call('GET', `/${id}`)).body).to.include({ enabled: true });
  });
});
