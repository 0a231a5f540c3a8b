import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { askToken, publicToken, registerUser, registration } from '../../support/api.js';
import { eventually } from '../../support/eventually.js';
import { startWorkers } from '../../support/workers.js';
import { serviceFixture } from '../../support/service.js';
import { useFixture } from '../../support/fixtures.js';

describe('GET /api/public/user/activate', () => {
  const { ctx, api } = serviceFixture({});
  useFixture(() => startWorkers(ctx, { queues: ['mail'] }));

  async function mailTo(address: string): Promise<string> {
    const [mail] = await mailsTo(address);
    if (!mail) throw new Error(`no mail to ${address} yet`);
    return mail;
  }

  async function mailsTo(address: string): Promise<string[]> {
    const folder = join(ctx.config.dataDir, 'mail');
    const names = (await readdir(folder)).filter((name) => name.endsWith('.txt'));
    const mails = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
    return mails.filter((text) => text.includes(`To: ${address}\n`));
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

    const head = await fetch(`${api.url}/api/public/user/activate?token=${first}`, {
      method: 'HEAD',
      headers: { Authorization: `Bearer ${token}` },
    });
    expect([head.status, head.headers.get('allow')]).to.deep.equal([405, 'GET, OPTIONS']);
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

  it('a known address: its owner gets a mail, and the new account cannot be activated', async () => {
    const token = await publicToken(api);
    const owner = await registerUser(api, { userCode: 'the.owner', email: 'owner@example.org', language: 'fr' });
    const register = (body: object) => api.call('POST', '/api/public/user/register', { token, body });
    const activationUrl = 'https://app.example.org/${token}';
    for (const overrides of [{ activationUrl }, {}]) {
      const stranger = registration({ email: 'Owner@Example.org', firstName: 'evil.com', ...overrides });
      expect((await register(stranger)).status).to.equal(201);
    }
    const mails = await eventually(async () => {
      const found = await mailsTo('owner@example.org');
      expect(found).to.have.length(2);
      return found;
    });
    for (const mail of mails) {
      expect(mail).to.include('Subject: Vous avez déjà un compte').and.to.include(owner.userCode);
      expect(mail).not.to.include('app.example.org').and.not.to.include('evil');
    }
    expect((await api.call('GET', '/api/user/me', { token: owner.token })).status).to.equal(200);
  });

  it('one address in two accounts: the first one that is activated has it', async () => {
    const token = await publicToken(api);
    const activationUrl = 'http://localhost/?t=${token}';
    const [one, other] = [1, 2].map(() => registration({ email: 'both@example.org', activationUrl }));
    for (const body of [one, other])
      expect((await api.call('POST', '/api/public/user/register', { token, body })).status).to.equal(201);
    const links = await eventually(async () => {
      const mails = await mailsTo('both@example.org');
      expect(mails).to.have.length(2);
      return [one, other].map((body) => {
        const mail = mails.find((text) => text.includes(String(body?.['userCode'])));
        return /\?t=([\w-]+)/.exec(mail ?? '')?.[1];
      });
    });
    const activate = (link: string | undefined) =>
      api.call('GET', `/api/public/user/activate?token=${link}`, { token });
    expect((await activate(links[1])).body.userCode).to.equal(other?.['userCode']);
    const late = await activate(links[0]);
    expect([late.status, late.body.errors[0].code]).to.deep.equal([400, 'taken']);
  });

  it('an address that nobody has confirmed gets a limited number of mails', async () => {
    const token = await publicToken(api);
    const activationUrl = 'http://localhost/?t=${token}';
    for (let round = 0; round < 6; round += 1) {
      const body = registration({ email: 'bombed@example.org', activationUrl });
      expect((await api.call('POST', '/api/public/user/register', { token, body })).status).to.equal(201);
    }
    const body = registration({ email: 'after.them@example.org', activationUrl });
    await api.call('POST', '/api/public/user/register', { token, body });
    await eventually(async () => expect(await mailsTo('after.them@example.org')).to.have.length(1));
    expect(await mailsTo('bombed@example.org')).to.have.length(5);
  });

  it('names that are links are mailed as plain text', async () => {
    const token = await publicToken(api);
    const body = registration({
      userCode: 'www.evil.com',
      firstName: 'https://evil.com/x',
      email: 'named@example.org',
      activationUrl: 'https://app.example.org/${token}',
    });
    expect((await api.call('POST', '/api/public/user/register', { token, body })).status).to.equal(201);
    const [mail = ''] = await eventually(async () => {
      const found = await mailsTo('named@example.org');
      expect(found).to.have.length(1);
      return found;
    });
    expect(mail.match(/https?:\/\/[^\s]+/g)).to.have.length(1);
    expect(mail).not.to.include('evil.com').and.not.to.include('www.');
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
