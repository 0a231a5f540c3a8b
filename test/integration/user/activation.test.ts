import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { askToken, publicToken, registerUser, registration } from '../../support/api.js';
import { eventually } from '../../support/eventually.js';
import { bodyOf } from '../../support/responses.js';
import { startWorkers } from '../../support/workers.js';
import { serviceFixture } from '../../support/service.js';
import { useFixture } from '../../support/fixtures.js';

describe('GET /api/public/user/activate', () => {
  const { ctx, api } = serviceFixture({});
  useFixture(() => startWorkers(ctx, { queues: ['mail'] }));

  async function mailsTo(address: string): Promise<string[]> {
    const folder = join(ctx.config.dataDir, 'mail');
    const names = (await readdir(folder)).filter((name) => name.endsWith('.txt'));
    const mails = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
    return mails.filter((text) => text.includes(`To: ${address}\n`));
  }
  /** The mails to an address, when there are `count` of them. */
  const arrived = (address: string, count = 1): Promise<string[]> =>
    eventually(async () => {
      const mails = await mailsTo(address);
      expect(mails).to.have.length(count);
      return mails;
    });
  const register = async (body: Record<string, unknown>): Promise<void> => {
    const token = await publicToken(api);
    bodyOf(201, await api.call('POST', '/api/public/user/register', { token, body }));
  };
  const activate = async (mailed: string | undefined) =>
    api.call('GET', `/api/public/user/activate?token=${mailed}`, { token: await publicToken(api) });

  it('200: activates the account once, which cannot log in before', async () => {
    const activationUrl = 'https://app.example.org/activate/${token}?again=${token}';
    const pending = registration({ language: 'it', email: 'pending@example.org', activationUrl });
    const token = await publicToken(api);
    await register(pending);
    const logIn = () =>
      askToken(api, { grant_type: 'password', username: String(pending['userCode']), password: 'correct horse' });
    expect((await logIn()).body).to.deep.equal({ error: 'invalid_grant', error_description: 'Bad credentials' });
    const overview = `/api/public/user/${String(pending['userCode'])}/overview`;
    expect((await api.call('GET', overview, { token })).status).to.equal(404);

    const [mail = ''] = await arrived('pending@example.org');
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
    const response = await activate(first);
    expect([response.status, response.body.userCode]).to.deep.equal([200, pending['userCode']]);
    expect((await logIn()).status).to.equal(200);
    const again = await activate(first);
    expect([again.status, again.body.errors[0].code]).to.deep.equal([400, 'activationToken']);
  });

  it('returns 400 for expired and unknown tokens', async () => {
    await register(registration({ email: 'late@example.org', activationUrl: 'http://localhost:8080/?t=${token}' }));
    const [, mailed] = /\?t=([\w-]+)/.exec((await arrived('late@example.org')).join()) ?? [];
    for (const wrong of ['garbage', `${mailed}x`, '%00', ''])
      expect((await activate(wrong)).status, wrong).to.equal(400);
    ctx.clock.advance(24 * 3_600_000 + 1);
    expect((await activate(mailed)).status).to.equal(400);
  });

  it('never activates an account with a known address, whose owner is mailed', async () => {
    const owner = await registerUser(api, { userCode: 'the.owner', email: 'owner@example.org', language: 'fr' });
    for (const overrides of [{ activationUrl: 'https://app.example.org/${token}' }, {}])
      await register(registration({ email: 'Owner@Example.org', firstName: 'evil.com', ...overrides }));
    for (const mail of await arrived('owner@example.org', 2)) {
      expect(mail).to.include('Subject: Vous avez déjà un compte').and.to.include(owner.userCode);
      expect(mail).not.to.include('app.example.org').and.not.to.include('evil');
    }
    expect((await api.call('GET', '/api/user/me', { token: owner.token })).status).to.equal(200);
  });

  it('gives the address of two accounts to the one activated first', async () => {
    const activationUrl = 'http://localhost/?t=${token}';
    const [one, other] = [1, 2].map(() => registration({ email: 'both@example.org', activationUrl }));
    for (const body of [one, other]) await register(body ?? {});
    const mails = await arrived('both@example.org', 2);
    const links = [one, other].map((body) => {
      const mail = mails.find((text) => text.includes(String(body?.['userCode'])));
      return /\?t=([\w-]+)/.exec(mail ?? '')?.[1];
    });
    expect((await activate(links[1])).body.userCode).to.equal(other?.['userCode']);
    const late = await activate(links[0]);
    expect([late.status, late.body.errors[0].code]).to.deep.equal([400, 'taken']);
  });

  it('follows at most five mails to an unconfirmed address, and none to an active user', async () => {
    const activationUrl = 'http://localhost/?t=${token}';
    await registerUser(api, { email: 'active@example.org' });
    await registerUser(api, { email: 'blank@example.org', activationUrl: '' });
    for (let number = 0; number < 6; number += 1)
      await register(registration({ email: 'bombed@example.org', activationUrl }));
    await register(registration({ email: 'after.them@example.org', activationUrl }));
    await arrived('after.them@example.org');
    await arrived('bombed@example.org', 5);
    for (const address of ['active@example.org', 'blank@example.org'])
      expect(await mailsTo(address), address).to.deep.equal([]);
  });

  it('follows a mail with names that look like links as plain text', async () => {
    const named = { userCode: 'www.evil.com', firstName: 'https://evil.com/x', email: 'named@example.org' };
    await register(registration({ ...named, activationUrl: 'https://app.example.org/${token}' }));
    const [mail = ''] = await arrived('named@example.org');
    expect(mail.match(/https?:\/\/[^\s]+/g)).to.have.length(1);
    expect(mail).not.to.include('evil.com').and.not.to.include('www.');
  });
});
