import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { storedMailNames, mailFolder, readStoredMail } from '../../../shared/platform/mail/mailFiles.js';
import {
  publicToken,
  registerUser,
  type TestUser,
  askToken,
  registration,
  bodyOf,
  rejectedFields,
} from '../../support/api.js';
import { eventually } from '../../support/eventually.js';
import { startWorkers } from '../../support/workers.js';
import { loginFailuresPerUser } from '../../../shared/oauth/loginAttempts.js';
import { serviceFixture, useFixture } from '../../support/fixtures.js';
import { EmailChange } from '../../../shared/user/emailChange.model.js';
import { storedRows } from '../../support/rows.js';

describe('a change of the e-mail address', () => {
  const { ctx, api } = serviceFixture({ BASE_PATH: '/platform' }, { limits: [[loginFailuresPerUser, 3]] });
  useFixture(() => startWorkers(ctx, { queues: ['mail'] }));
  let user: TestUser;
  let oldEmail: string;
  let newEmail: string;
  beforeEach(async () => {
    user = await registerUser(api, { language: 'es', firstName: 'evil.com' });
    oldEmail = `${user.userCode}@example.org`;
    newEmail = `new.${user.userCode}@example.org`;
  });

  const profile = (email: string) => ({ firstName: 'Ada', lastName: 'Byron', birthDate: '10/12/1985', email });
  const update = (email: string, members: object = {}) =>
    api.call('POST', '/api/user/me', { token: user.token, body: { profile: profile(email), ...members } });
  const presentEmail = async () =>
    bodyOf(200, await api.call('GET', '/api/user/me', { token: user.token })).profile.email as string;

  const mailTo = (address: string, subject: string): Promise<string> =>
    eventually(async () => {
      const folder = mailFolder(ctx.config);
      const mails = await Promise.all((await storedMailNames(folder)).map((name) => readStoredMail(folder, name)));
      const found = mails.filter((mail) => mail?.to === address && mail.subject === subject);
      expect(found, `${subject} to ${address}`).to.have.length(1);
      return found[0]?.text ?? '';
    });
  const linkTo = async (address: string): Promise<string> => {
    const text = await mailTo(address, 'Confirma tu nueva dirección de correo electrónico');
    expect(text).not.to.include('evil.com');
    const link = /(\S+)\/account\/email\?token=([\w-]+)\n/.exec(text);
    expect(link?.[1]).to.equal(ctx.config.service.publicUrl);
    return link?.[2] ?? '';
  };
  const open = (token: string, language = 'en') =>
    api.call('GET', `/account/email?token=${token}`, { headers: { 'accept-language': language } });
  const confirm = (token: string) =>
    api.call('POST', '/account/email', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ token }).toString(),
    });

  it('takes effect after the confirmation link in the new mailbox was opened, and the old address is informed', async () => {
    const { body } = await update(newEmail);
    expect([body.profile.email, body.profile.lastName]).to.deep.equal([oldEmail, 'Byron']);
    expect(await mailTo(oldEmail, 'Se ha pedido una nueva dirección de correo electrónico')).to.include(newEmail);
    const token = await linkTo(newEmail);
    const stored = await ctx.db.rows<{ dump: string }>('SELECT row_to_json(c)::text AS dump FROM email_changes c');
    expect(stored.map(({ dump }) => dump).join()).not.to.include(token);

    for (const _scanner of [1, 2]) {
      const page = await open(token, 'it');
      expect([page.status, page.headers.get('content-type')]).to.deep.equal([200, 'text/html; charset=utf-8']);
      expect(page.text).to.include('<html lang="it">').and.to.include(newEmail).and.to.include(user.userCode);
      expect(page.headers.get('referrer-policy')).to.equal('no-referrer');
    }
    expect(await presentEmail()).to.equal(oldEmail);
    expect((await confirm(token)).status).to.equal(200);
    expect(await presentEmail()).to.equal(newEmail);
    expect(await mailTo(oldEmail, 'Tu dirección de correo electrónico ha cambiado')).to.include(newEmail);
    expect((await confirm(token)).status).to.equal(400);
    expect((await open(token)).status).to.equal(400);
  });

  it('takes effect at once with the current password, and the old address gets this mail but no renewal links', async () => {
    expect(bodyOf(200, await update(newEmail, { currentPassword: user.password })).profile.email).to.equal(newEmail);
    await mailTo(oldEmail, 'Tu dirección de correo electrónico ha cambiado');
    const token = await publicToken(api);
    for (const email of [oldEmail, newEmail]) {
      const body = { email, confirmationUrl: 'https://example.org/${token}' };
      bodyOf(200, await api.call('POST', '/api/public/user/password/renew', { token, body }));
    }
    await mailTo(newEmail, 'Renueva tu contraseña');
  });

  it('returns 400 for a wrong password without a change, and limits guesses', async () => {
    for (const _again of [1, 2, 3])
      expect(rejectedFields(await update(newEmail, { currentPassword: 'wrong horse' }))).to.deep.equal([
        'currentPassword currentPassword',
      ]);
    expect((await update(newEmail, { currentPassword: user.password })).status).to.equal(429);
    expect(await presentEmail()).to.equal(oldEmail);
  });

  it('needs no proof for the same address in any case', async () => {
    expect(bodyOf(200, await update(oldEmail.toUpperCase())).profile.email).to.equal(oldEmail);
    expect(bodyOf(200, await update(oldEmail, { currentPassword: 'not looked at' })).profile.email).to.equal(oldEmail);
    expect(await storedRows(ctx, EmailChange, { userId: user.userId })).to.deep.equal([]);
  });

  it('hides that another user has the address, mails that user, and mails no link', async () => {
    const owner = await registerUser(api, { language: 'es' });
    const address = `${owner.userCode}@example.org`;
    expect(bodyOf(200, await update(address.toUpperCase())).profile.email).to.equal(oldEmail);
    expect(await mailTo(address, 'Ya tienes una cuenta')).not.to.include('token=');
    const atOnce = await update(address, { currentPassword: user.password });
    expect(rejectedFields(atOnce)).to.deep.equal(['profile.email taken']);
  });

  it('returns 400 for a link after its expiry, a new password, another change, or another user’s use of the address', async () => {
    const linkOfNewUser = async (): Promise<string> => {
      user = await registerUser(api, { language: 'es' });
      newEmail = `new.${user.userCode}@example.org`;
      await update(newEmail);
      return linkTo(newEmail);
    };
    const late = await linkOfNewUser();
    ctx.clock.advance(24 * 3_600_000 + 1);
    expect((await confirm(late)).status).to.equal(400);

    const revoked = await linkOfNewUser();
    const newPassword = { newPassword: 'another horse', passwordConfirm: 'another horse' };
    const body = { currentPassword: user.password, ...newPassword };
    await api.call('POST', '/api/user/me/password/update', { token: user.token, body });
    expect((await confirm(revoked)).status).to.equal(400);

    const first = await linkOfNewUser();
    await update(`third.${user.userCode}@example.org`, { currentPassword: user.password });
    expect((await confirm(first)).status).to.equal(400);

    const taken = await linkOfNewUser();
    await registerUser(api, { email: newEmail });
    const answer = await confirm(taken);
    expect([answer.status, /Another account/.test(answer.text)]).to.deep.equal([400, true]);
    expect(await presentEmail()).to.equal(`${user.userCode}@example.org`);
    for (const wrong of ['', 'garbage', '%00']) expect((await confirm(wrong)).status, wrong).to.equal(400);
  });

  it('is confirmed once by ten concurrent requests', async () => {
    await update(newEmail);
    const token = await linkTo(newEmail);
    const answers = await Promise.all(Array.from({ length: 10 }, () => confirm(token)));
    expect(answers.map(({ status }) => status)).to.have.members([200, ...Array(9).fill(400)]);
  });

  it('returns 429 above the changes per hour', async () => {
    const statuses: number[] = [];
    for (let number = 0; number < 6; number += 1) statuses.push((await update(`${number}.${newEmail}`)).status);
    expect(statuses).to.deep.equal([200, 200, 200, 200, 200, 429]);
  });
});

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
});
