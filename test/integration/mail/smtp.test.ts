import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { sweepAccounts } from '../../../shared/user/accountSweep.service.js';
import { findUserByCode } from '../../../shared/user/user.queries.js';
import { askToken, publicToken, registration, startApi, type TestApi, registerUser } from '../../support/api.js';
import { openTestContext, type TestContext } from '../../support/context.js';
import { eventually, rejection } from '../../support/eventually.js';
import { freePort } from '../../support/deployment.js';
import { startSmtpProcess, type ReceivedMail, type SmtpProcess } from '../../support/smtpProcess.js';
import { startWorkers } from '../../support/workers.js';
import { openMailer } from '../../../shared/platform/mail/openMailer.js';
import { notifyUser } from '../../../shared/user/user.jobs.js';
import { serviceFixture, useFixture } from '../../support/fixtures.js';

/** The decoded text of a mail. */
function textOf({ data }: ReceivedMail): string {
  const [head = '', ...rest] = data.split('\r\n\r\n');
  const text = rest.join('\r\n\r\n');
  if (/^Content-Transfer-Encoding: base64/im.test(head)) return Buffer.from(text, 'base64').toString();
  if (!/^Content-Transfer-Encoding: quoted-printable/im.test(head)) return text;
  const bytes = text
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}

describe('a mail sent through an SMTP server', () => {
  let ctx: TestContext;
  let api: TestApi;
  let port: number;
  let workers: { close: () => Promise<void> };
  let smtp: SmtpProcess | undefined;

  beforeEach(async () => {
    port = await freePort();
    ctx = await openTestContext({
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      MAIL_FROM: 'Videos <videos@example.org>',
    });
    api = await startApi(ctx);
    workers = await startWorkers(ctx, { queues: ['mail'] });
  });
  afterEach(async () => {
    await api.close();
    await workers.close();
    await smtp?.end();
    await ctx.close();
  });

  const register = async (language: string) => {
    const body = registration({ language, firstName: 'Zoë', activationUrl: 'https://example.org/a?token=${token}' });
    const token = await publicToken(api);
    expect((await api.call('POST', '/api/public/user/register', { token, body })).status).to.equal(201);
    return { userCode: String(body['userCode']), email: String(body['email']) };
  };
  const mailQueue = () => ctx.queues.all().find(({ name }) => name === 'mail');

  it('waits for a server that is down, then arrives in the user’s language with a working activation link', async () => {
    const { userCode, email } = await register('de-CH');
    await eventually(async () => expect(await mailQueue()?.getDelayedCount()).to.equal(1));
    const [waiting] = (await mailQueue()?.getDelayed()) ?? [];
    expect(waiting?.attemptsMade, 'no attempt is counted while the server is down').to.equal(0);
    smtp = await startSmtpProcess(port);
    const mail = await eventually(() => smtp?.received[0] ?? expect.fail('no mail yet'), { timeoutMs: 20_000 });
    expect([mail.from, mail.to]).to.deep.equal(['videos@example.org', [email]]);
    expect(mail.data)
      .to.match(/^From: Videos <videos@example\.org>\r$/m)
      .and.match(/^Subject: Aktivieren Sie Ihr Konto\r$/m);
    const text = textOf(mail);
    expect(text).to.include('Guten Tag Zoë,').and.include(userCode);
    const [, link] = /https:\/\/example\.org\/a\?token=([\w-]+)/.exec(text) ?? [];
    const token = await publicToken(api);
    expect((await api.call('GET', `/api/public/user/activate?token=${link}`, { token })).status).to.equal(200);
    const login = await askToken(api, { grant_type: 'password', username: userCode, password: 'correct horse' });
    expect(login.status).to.equal(200);
    expect(smtp.received).to.have.length(1);
  });

  /** Retries waiting mails while the server is down, more often than an address may receive mails per hour. */
  const failOften = (mails: number) =>
    eventually(
      async () => {
        const waiting = (await mailQueue()?.getDelayed()) ?? [];
        // A job that starts meanwhile cannot be promoted.
        for (const job of waiting) if (job.attemptsStarted <= 7) await job.promote().catch(() => {});
        expect(waiting.map(({ attemptsStarted }) => attemptsStarted > 7)).to.deep.equal(Array(mails).fill(true));
      },
      { timeoutMs: 20_000 },
    );
  const promoteAll = async () => {
    for (const job of (await mailQueue()?.getDelayed()) ?? []) await job.promote();
  };

  const hasAccount = async (userCode: string) => (await findUserByCode(ctx, userCode)) !== null;

  it('is sent after any number of attempts, and its account is kept for 48 hours afterwards', async () => {
    const { userCode } = await register('en');
    await failOften(1);
    ctx.clock.advance(72 * 3_600_000);
    await sweepAccounts(ctx, AbortSignal.timeout(60_000));
    expect(await hasAccount(userCode), 'before the mail').to.equal(true);
    smtp = await startSmtpProcess(port);
    await promoteAll();
    const mail = await eventually(() => smtp?.received[0] ?? expect.fail('no mail yet'));
    await eventually(async () => expect((await findUserByCode(ctx, userCode))?.activationMailedAt).not.to.equal(null));
    ctx.clock.advance(47 * 3_600_000);
    await sweepAccounts(ctx, AbortSignal.timeout(60_000));
    expect(await hasAccount(userCode), '47 hours after the mail').to.equal(true);
    ctx.clock.advance(2 * 3_600_000);
    await sweepAccounts(ctx, AbortSignal.timeout(60_000));
    expect(await hasAccount(userCode), '49 hours after the mail').to.equal(false);
    expect(textOf(mail)).to.include(userCode);
  });

  it('is lost with its queue, and the sweep removes its account after a week', async () => {
    const { userCode } = await register('en');
    await eventually(async () => expect(await mailQueue()?.getDelayedCount()).to.equal(1));
    await mailQueue()?.obliterate({ force: true });
    for (const [days, isThere] of [
      [6, true],
      [2, false],
    ] as const) {
      ctx.clock.advance(days * 24 * 3_600_000);
      await sweepAccounts(ctx, AbortSignal.timeout(60_000));
      expect(await hasAccount(userCode)).to.equal(isThere);
    }
  });

  it('is retried after a temporary server error, and is sent once', async () => {
    smtp = await startSmtpProcess(port, 2);
    const { email } = await register('es');
    for (const attempt of [1, 2]) {
      await eventually(async () => {
        const [job] = (await mailQueue()?.getDelayed()) ?? [];
        expect(job?.attemptsMade).to.equal(attempt);
        await job?.promote();
      });
    }
    const mail = await eventually(() => smtp?.received[0] ?? expect.fail('no mail yet'));
    expect(mail.to).to.deep.equal([email]);
    expect(textOf(mail)).to.include('Hola, Zoë:');
    expect([smtp.rejections(), smtp.received.length]).to.deep.equal([2, 1]);
  });

  it('leaves no valid token of a password reset if it was not sent', async () => {
    smtp = await startSmtpProcess(port, 1);
    const body = registration();
    const token = await publicToken(api);
    await api.call('POST', '/api/public/user/register', { token, body });
    const request = { userCode: body['userCode'], confirmationUrl: 'https://example.org/r?t=${token}' };
    await api.call('POST', '/api/public/user/password/renew', { token, body: request });
    const tokens = () => ctx.db.rows("SELECT 1 FROM mail_tokens WHERE purpose = 'RENEWAL'");
    await eventually(async () => {
      const [job] = (await mailQueue()?.getDelayed()) ?? [];
      expect(job?.attemptsMade).to.equal(1);
      expect(await tokens()).to.have.length(0);
      await job?.promote();
    });
    await eventually(() => expect(smtp?.received).to.have.length(1));
    expect(await tokens()).to.have.length(1);
  });
});

describe('a mail', () => {
  const { ctx, api } = serviceFixture({});
  useFixture(() => startWorkers(ctx, { queues: ['mail'] }));

  const folder = () => join(ctx.config.dataDir, 'mail');
  /** The mails to an address, when there are `count` of them. */
  const mailsTo = (address: string, count = 1): Promise<string[]> =>
    eventually(async () => {
      const mails = await Promise.all((await readdir(folder())).map((name) => readFile(join(folder(), name), 'utf8')));
      const found = mails.filter((text) => text.includes(`To: ${address}\n`));
      expect(found).to.have.length(count);
      return found;
    });
  const notice = (userId: string, event?: string) =>
    ctx.db.transaction(async (tx) => {
      const values = { hours: 24, link: 'https://example.org/x' };
      await ctx.outbox.add(tx, notifyUser, { userId, key: 'activation', values, ...(event ? { event } : {}) });
    });

  it('is a notice in the user’s language with its values', async () => {
    const user = await registerUser(api, { language: 'pt-BR', email: 'pt@example.org' });
    await notice(user.userId);
    const [mail] = await mailsTo('pt@example.org');
    for (const text of ['Subject: Ative a sua conta', 'Olá Ada,', 'https://example.org/x', user.userCode])
      expect(mail).to.include(text);
  });

  it('is sent for each of two events with the same text, and not to a disabled account', async () => {
    const closed = await registerUser(api, { email: 'closed@example.org' });
    await api.call('POST', '/api/user/me/disable', { token: closed.token });
    await notice(closed.userId);
    const { userId } = await registerUser(api, { email: 'twice@example.org' });
    for (const event of ['first', 'second']) await notice(userId, event);
    await mailsTo('twice@example.org', 2);
    await mailsTo('closed@example.org', 0);
  });

  it('is sent by SMTP to one recipient, without user-supplied headers, and is retried if the server is down', async () => {
    const port = await freePort();
    const smtp = await startSmtpProcess(port);
    const smtpUrl = `smtp://127.0.0.1:${port}`;
    const mailer = await openMailer({ ...ctx.config, mail: { ...ctx.config.mail, smtpUrl } });
    try {
      const subject = 'Hello\r\nBcc: victim@example.org';
      await mailer.send({ to: 'reader@example.org', subject, text: 'Ciao, è pronto.\n.\nEnd' });
      await eventually(() => expect(smtp.received).to.have.length(1));
      const [mail] = smtp.received;
      expect(mail?.to).to.deep.equal(['reader@example.org']);
      expect(mail?.data).not.to.match(/^Bcc:/im);
      expect(mail?.data).to.match(/^Subject: Hello Bcc: victim@example.org\r?$/m);
      for (const to of ['a@example.org, b@example.org', 'a@example.org\r\nBcc: b@example.org', 'A <a@example.org>'])
        expect(await rejection(mailer.send({ to, subject: 's', text: 't' })), to).to.be.an('error');
      await smtp.end();
      // The job is retried.
      expect(await rejection(mailer.send({ to: 'reader@example.org', subject: 's', text: 't' }))).to.be.an('error');
      expect(smtp.received).to.have.length(1);
    } finally {
      await mailer.close();
      await smtp.end();
    }
  });
});
