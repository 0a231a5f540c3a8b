import { expect } from 'chai';
import {
  storedMailNames,
  mailFolder,
  readStoredMail,
  type StoredMail,
} from '../../../shared/platform/mail/mailFiles.js';
import { askToken, publicToken, registerUser, type TestUser } from '../../support/api.js';
import { eventually } from '../../support/eventually.js';
import { startWorkers } from '../../support/workers.js';
import { renewalsPerHour } from '../../../shared/user/mailToken.service.js';
import { serviceFixture, useFixture } from '../../support/fixtures.js';
import { OutboxJob } from '../../../shared/platform/queue/index.js';
import { storedRows } from '../../support/rows.js';

const confirmationUrl = 'https://app.example.org/renew?token=${token}&again=${token}';

describe('a password reset', () => {
  const { ctx, api } = serviceFixture({}, { limits: [[renewalsPerHour, 3]] });
  useFixture(() => startWorkers(ctx, { queues: ['mail'] }));
  let token: string;
  let user: TestUser;
  beforeEach(async () => {
    token = await publicToken(api);
    user = await registerUser(api, { language: 'it', lastName: 'Secret' });
  });

  const ask = (body: object, headers: Record<string, string> = {}) =>
    api.call('POST', '/api/public/user/password/renew', { token, headers, body: { confirmationUrl, ...body } });
  const follow = (link: string | undefined) =>
    api.call('GET', `/api/public/user/password/renew?token=${link ?? ''}`, { token });
  const logIn = (password: string) => askToken(api, { grant_type: 'password', username: user.userCode, password });

  /** The mails with a subject to an address, newest first. */
  async function mailsTo(address: string, subject: string): Promise<StoredMail[]> {
    const folder = mailFolder(ctx.config);
    const mails = await Promise.all((await storedMailNames(folder)).map((name) => readStoredMail(folder, name)));
    return mails.filter((mail): mail is StoredMail => mail?.to === address && mail.subject === subject);
  }
  /** A user object with only the user code filled in. */
  const blankUser = (userCode: string) => ({
    userCode,
    profile: { language: '', email: '', firstName: '', lastName: '', birthDate: '' },
    finance: { billingAddress: {} },
    features: { transcoderNotifyEnabled: false, vodPublic: true },
  });
  const emailOf = ({ userCode }: TestUser) => `${userCode}@example.org`;
  const mailQueue = () => {
    const queue = ctx.queues.all().find(({ name }) => name === 'mail');
    if (!queue) throw new Error('no mail queue');
    return queue;
  };
  const links = async (count = 1): Promise<(string | undefined)[]> => {
    const mails = await eventually(async () => {
      const found = await mailsTo(emailOf(user), 'Rinnova la tua password');
      expect(found).to.have.length(count);
      return found;
    });
    return mails.map(({ text }) => /renew\?token=([\w-]+)&again=\1\n/.exec(text)?.[1]);
  };
  const mailedPassword = async (): Promise<string> => {
    const [mail] = await eventually(async () => {
      const found = await mailsTo(emailOf(user), 'La tua nuova password');
      expect(found).to.have.length(1);
      return found;
    });
    return /\n([a-z2-9]{4}(?:-[a-z2-9]{4}){3})\n/.exec(mail?.text ?? '')?.[1] ?? '';
  };

  it('200: mails a link, then a new password, invalidates the old password and all tokens, and stores no secret', async () => {
    expect((await ask({ userCode: user.userCode.toUpperCase() })).status).to.equal(200);
    const [link] = await links();
    expect((await logIn(user.password)).status).to.equal(200);
    const { status, body } = await follow(link);
    expect([status, body]).to.deep.equal([200, blankUser(user.userCode)]);
    expect((await logIn(user.password)).status).to.equal(400);
    expect((await api.call('GET', '/api/user/me', { token: user.token })).status).to.equal(401);
    expect((await askToken(api, { grant_type: 'refresh_token', refresh_token: user.refreshToken })).status).to.equal(
      401,
    );
    const password = await mailedPassword();
    expect((await logIn(password)).status).to.equal(200);
    const stored = await ctx.db.rows<{ dump: string }>(
      'SELECT row_to_json(t)::text AS dump FROM mail_tokens t UNION ALL SELECT row_to_json(o)::text FROM outbox o UNION ALL SELECT row_to_json(u)::text FROM users u',
    );
    const jobs = JSON.stringify((await mailQueue().getCompleted()).map(({ data }) => data as unknown));
    for (const secret of [link ?? '', password, Buffer.from(link ?? '').toString('hex')])
      expect(stored.map(({ dump }) => dump).join() + jobs).not.to.include(secret);
    const again = await follow(link);
    expect([again.status, again.body.errors[0].code]).to.deep.equal([400, 'renewalToken']);
  });

  it('200: repeats the request in the response, without data of any account, known or unknown', async () => {
    const response = async (body: object) => (await ask(body, { 'accept-language': 'fr' })).text;
    const byCode = await response({ userCode: user.userCode });
    expect(JSON.parse(byCode)).to.deep.equal(blankUser(user.userCode));
    expect(await response({ userCode: 'nobody.here' })).to.equal(byCode.replace(user.userCode, 'nobody.here'));
    const byEmail = await response({ email: emailOf(user).toUpperCase() });
    expect(JSON.parse(byEmail)).to.deep.equal(blankUser(''));
    expect(await response({ email: 'nobody@example.org' })).to.equal(byEmail);
    expect((await follow((await links(2))[0])).status).to.equal(200);
  });

  it('enqueues the same job for an unknown user, with a nonexistent user id', async () => {
    await ask({ userCode: user.userCode });
    await links();
    const queue = mailQueue();
    // Mails of the previous tests may still be in the queue.
    await eventually(async () => expect(await queue.count()).to.equal(0));
    await eventually(async () => expect(await queue.getActiveCount()).to.equal(0));
    const before = await storedMailNames(mailFolder(ctx.config));
    await ask({ userCode: 'nobody.at.all' });
    await eventually(async () => {
      const done = await queue.getCompleted();
      expect(done.filter(({ name }) => name === 'user.sendRenewal').length).to.be.at.least(2);
      expect(await queue.getWaitingCount()).to.equal(0);
    });
    expect(await storedMailNames(mailFolder(ctx.config))).to.deep.equal(before);
  });

  it('mails both of two requests that wait in the queue, each with its own URL', async () => {
    const queue = mailQueue();
    await queue.pause();
    const addresses = ['https://example.org/one?t=${token}', 'https://app.example.org/two?t=${token}'];
    for (const address of addresses)
      expect((await ask({ userCode: user.userCode, confirmationUrl: address })).status).to.equal(200);
    // Both are in the queue now; with equal deduplication keys, they would have been merged.
    await eventually(async () => expect(await storedRows(ctx, OutboxJob)).to.have.length(0));
    await queue.resume();
    await eventually(async () => {
      const texts = (await mailsTo(emailOf(user), 'Rinnova la tua password')).map(({ text }) => text);
      expect(texts).to.have.length(2);
      for (const address of addresses)
        expect(texts.filter((text) => text.includes(address.replace('${token}', '')))).to.have.length(1);
    });
  });

  it('returns 400 for a link that is expired, unknown, empty, or for another purpose', async () => {
    await ask({ userCode: user.userCode });
    const [link = ''] = await links();
    for (const wrong of ['', 'garbage', `${link}x`, link.toUpperCase(), '%00'])
      expect((await follow(wrong)).status, wrong).to.equal(400);
    expect((await api.call('GET', `/api/public/user/activate?token=${link}`, { token })).status).to.equal(400);
    ctx.clock.advance(3_600_001);
    expect((await follow(link)).status).to.equal(400);
    expect((await logIn(user.password)).status).to.equal(200);
  });

  it('returns 400 for a link after a new password, a new e-mail address, another used link, or disabling', async () => {
    const linkOf = async (count = 1) => {
      await ask(count === 2 ? { email: emailOf(user) } : { userCode: user.userCode });
      return links(count);
    };
    const [changed] = await linkOf();
    await api.call('POST', '/api/user/me/password/update', {
      token: user.token,
      body: { currentPassword: user.password, newPassword: 'another horse', passwordConfirm: 'another horse' },
    });
    expect((await follow(changed)).status).to.equal(400);

    user = await registerUser(api, { language: 'it' });
    const [moved] = await linkOf();
    const { body: me } = await api.call('GET', '/api/user/me', { token: user.token });
    const profile = { ...me.profile, email: `new.${me.profile.email}` };
    const body = { profile, currentPassword: user.password };
    expect((await api.call('POST', '/api/user/me', { token: user.token, body })).status).to.equal(200);
    expect((await follow(moved)).status).to.equal(400);

    user = await registerUser(api, { language: 'it' });
    await linkOf();
    const [second, first] = await linkOf(2);
    expect((await follow(second)).status).to.equal(200);
    expect((await follow(first)).status).to.equal(400);

    user = await registerUser(api, { language: 'it' });
    const [closed] = await linkOf();
    await api.call('POST', '/api/user/me/disable', { token: user.token });
    expect((await follow(closed)).status).to.equal(400);
  });

  it('makes one password for ten concurrent requests with one link', async () => {
    await ask({ userCode: user.userCode });
    const [link] = await links();
    const responses = await Promise.all(Array.from({ length: 10 }, () => follow(link)));
    expect(responses.map(({ status }) => status)).to.have.members([200, ...Array(9).fill(400)]);
    expect((await logIn(await mailedPassword())).status).to.equal(200);
  });

  it('returns 429 above the requests per hour, for known and unknown users', async () => {
    for (const userCode of [user.userCode, 'nobody.else']) {
      for (const _again of [1, 2, 3]) expect((await ask({ userCode })).status).to.equal(200);
      const { status, headers, body } = await ask({ userCode: userCode.toUpperCase() });
      expect([userCode, status, body.exception]).to.deep.equal([userCode, 429, 'TooManyRequestsException']);
      expect(Number(headers.get('retry-after'))).to.be.within(1, 3600);
    }
  });

  it('limits the mailed links per hour across user code and e-mail', async () => {
    for (const count of [1, 2, 3]) {
      await ask({ userCode: user.userCode });
      await links(count);
    }
    expect((await ask({ email: emailOf(user) })).status).to.equal(200);
    const queue = mailQueue();
    await eventually(async () => {
      expect(await storedRows(ctx, OutboxJob)).to.have.length(0);
      expect(await queue.getJobCounts('wait', 'active', 'delayed')).to.deep.equal({ wait: 0, active: 0, delayed: 0 });
    });
    await links(3);
    ctx.clock.advance(3_600_001);
    token = await publicToken(api);
    await ask({ email: emailOf(user) });
    await links(4);
  });
});
