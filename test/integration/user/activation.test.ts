import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { askToken, publicToken, registerUser, registration, startApi, type TestApi } from '../../support/api.js';
import { openTestContext, type TestContext } from '../../support/context.js';
import { eventually } from '../../support/eventually.js';
import { startWorkers } from '../../support/workers.js';

describe('GET /api/public/user/activate', () => {
  let ctx: TestContext;
  let api: TestApi;
  let workers: { close: () => Promise<void> };

  before(async () => {
    ctx = await openTestContext();
    api = await startApi(ctx);
    workers = await startWorkers(ctx, { queues: ['mail'] });
  });
  after(async () => {
    await api?.close();
    await workers?.close();
    await ctx?.close();
  });

  async function mailTo(address: string): Promise<string> {
    const folder = join(ctx.config.dataDir, 'mail');
    const mails = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')));
    const mail = mails.find((text) => text.includes(`To: ${address}\n`));
    if (!mail) throw new Error(`no mail to ${address} yet`);
    return mail;
  }

  it('200: activates the account once; before that, it cannot log in', async () => {
    const activationUrl = 'https://app.example.org/activate/${token}?again=${token}';
    const pending = registration({ language: 'it', email: 'pending@example.org', activationUrl });
    const token = await publicToken(api);
    expect((await api.call('POST', '/api/public/user/register', { token, body: pending })).status).to.equal(201);
    const logIn = () =>
      askToken(api, { grant_type: 'password', username: String(pending['userCode']), password: 'correct horse' });
    expect((await logIn()).body).to.deep.equal({ error: 'invalid_grant', error_description: 'Bad credentials' });
    expect(
      (await api.call('GET', `/api/public/user/${String(pending['userCode'])}/overview`, { token })).status,
    ).to.equal(404);

    const mail = await eventually(() => mailTo('pending@example.org'));
    expect(mail).to.include('Subject: Attiva il tuo account');
    const [, first, second] = /https:\/\/app\.example\.org\/activate\/([\w-]+)\?again=([\w-]+)/.exec(mail) ?? [];
    expect(first).to.equal(second);
    const stored = await ctx.db.rows<{ dump: string }>(
      'SELECT row_to_json(t)::text AS dump FROM mail_tokens t UNION ALL SELECT row_to_json(o)::text FROM outbox o',
    );
    expect(stored.map(({ dump }) => dump).join()).not.to.include(first);

    const activate = () => api.call('GET', `/api/public/user/activate?token=${first}`, { token });
    const response = await activate();
    expect([response.status, response.body.userCode]).to.deep.equal([200, pending['userCode']]);
    expect((await logIn()).status).to.equal(200);
    const again = await activate();
    expect([again.status, again.body.errors[0].code]).to.deep.equal([400, 'activationToken']);
  });

  it('400: rejects expired and unknown tokens', async () => {
    const pending = registration({ email: 'late@example.org', activationUrl: 'http://localhost:8080/?t=${token}' });
    const token = await publicToken(api);
    await api.call('POST', '/api/public/user/register', { token, body: pending });
    const mail = await eventually(() => mailTo('late@example.org'));
    const [, mailed] = /\?t=([\w-]+)/.exec(mail) ?? [];
    for (const wrong of ['garbage', `${mailed}x`, '%00', '']) {
      expect((await api.call('GET', `/api/public/user/activate?token=${wrong}`, { token })).status, wrong).to.equal(
        400,
      );
    }
    ctx.clock.advance(24 * 3_600_000 + 1);
    expect(
      (await api.call('GET', `/api/public/user/activate?token=${mailed}`, { token: await publicToken(api) })).status,
    ).to.equal(400);
  });

  it('sends no mail to a user who needs no activation', async () => {
    await registerUser(api, { email: 'active@example.org' });
    await registerUser(api, { email: 'blank@example.org', activationUrl: '' });
    const token = await publicToken(api);
    await api.call('POST', '/api/public/user/register', {
      token,
      body: registration({ email: 'last@example.org', activationUrl: 'https://example.org/${token}' }),
    });
    await eventually(() => mailTo('last@example.org'));
    for (const address of ['active@example.org', 'blank@example.org']) {
      const mail = await mailTo(address).catch(() => undefined);
      expect(mail, address).to.equal(undefined);
    }
  });
});
