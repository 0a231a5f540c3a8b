import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { openMailer } from '../../../shared/platform/mail/openMailer.js';
import { notifyUser } from '../../../shared/user/user.jobs.js';
import { registerUser } from '../../support/api.js';
import { eventually } from '../../support/eventually.js';
import { freePort } from '../../support/processes.js';
import { rejection } from '../../support/rejection.js';
import { startSmtpProcess } from '../../support/smtpProcess.js';
import { startWorkers } from '../../support/workers.js';
import { serviceFixture } from '../../support/service.js';
import { useFixture } from '../../support/fixtures.js';

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
