import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { SMTPServer } from 'smtp-server';
import { openMailer } from '../../../shared/platform/mail/openMailer.js';
import { notifyUser } from '../../../shared/user/user.jobs.js';
import { registerUser } from '../../support/api.js';
import { eventually } from '../../support/eventually.js';
import { startWorkers } from '../../support/workers.js';
import { serviceFixture } from '../../support/service.js';
import { useFixture } from '../../support/fixtures.js';

interface Received {
  readonly from: string;
  readonly to: readonly string[];
  readonly data: string;
}

/** A real SMTP server that keeps the mails it receives. */
async function smtpServer(): Promise<{ url: string; received: Received[]; close: () => Promise<void> }> {
  const received: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      let data = '';
      stream.on('data', (chunk: Buffer) => (data += chunk.toString()));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        received.push({ from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address), data });
        done();
      });
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    received,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

describe('Mail', () => {
  const { ctx, api } = serviceFixture({});
  useFixture(() => startWorkers(ctx, { queues: ['mail'] }));

  const folder = () => join(ctx.config.dataDir, 'mail');
  const mails = async () =>
    Promise.all((await readdir(folder())).map((name) => readFile(join(folder(), name), 'utf8')));
  const notice = (userId: string, values: Record<string, string | number>) =>
    ctx.db.transaction((tx) => ctx.outbox.add(tx, notifyUser, { userId, key: 'activation', values }));

  it('sends a notice in the user’s language, with its values', async () => {
    const user = await registerUser(api, { language: 'pt-BR', email: 'pt@example.org' });
    await notice(user.userId, { hours: 24, link: 'https://example.org/x' });
    const mail = await eventually(async () => {
      const found = (await mails()).find((text) => text.includes('To: pt@example.org\n'));
      if (!found) throw new Error('not yet');
      return found;
    });
    expect(mail).to.include('Subject: Ative a sua conta');
    expect(mail).to.include(`Olá Ada,`);
    expect(mail).to.include('https://example.org/x');
    expect(mail).to.include(user.userCode);
  });

  it('sends two mails with the same text for two events', async () => {
    const user = await registerUser(api, { email: 'twice@example.org' });
    await ctx.db.transaction(async (tx) => {
      for (const event of ['first', 'second']) {
        await ctx.outbox.add(tx, notifyUser, {
          userId: user.userId,
          key: 'activation',
          values: { hours: 1, link: 'same' },
          event,
        });
      }
    });
    await eventually(async () =>
      expect((await mails()).filter((text) => text.includes('To: twice@example.org\n'))).to.have.length(2),
    );
  });

  it('sends no mail to a disabled account', async () => {
    const [closed, open] = [
      await registerUser(api, { email: 'closed@example.org' }),
      await registerUser(api, { email: 'open@example.org' }),
    ];
    await api.call('POST', '/api/user/me/disable', { token: closed.token });
    await notice(closed.userId, { hours: 1, link: 'x' });
    await notice(open.userId, { hours: 1, link: 'x' });
    await eventually(async () =>
      expect((await mails()).filter((text) => text.includes('To: open@example.org\n'))).to.have.length(1),
    );
    expect((await mails()).filter((text) => text.includes('closed@example.org'))).to.deep.equal([]);
  });

  it('sends by SMTP to one recipient, without headers that a user has typed', async () => {
    const smtp = await smtpServer();
    const mailer = await openMailer({ ...ctx.config, mail: { ...ctx.config.mail, smtpUrl: smtp.url } });
    try {
      await mailer.send({
        to: 'reader@example.org',
        subject: 'Hello\r\nBcc: victim@example.org',
        text: 'Ciao, è pronto.\n.\nEnd',
      });
      const [mail] = smtp.received;
      expect(mail?.to).to.deep.equal(['reader@example.org']);
      expect(mail?.data).not.to.match(/^Bcc:/im);
      expect(mail?.data).to.match(/^Subject: Hello Bcc: victim@example.org\r?$/m);
      for (const to of ['a@example.org, b@example.org', 'a@example.org\r\nBcc: b@example.org', 'A <a@example.org>']) {
        const rejected = await mailer.send({ to, subject: 's', text: 't' }).then(
          () => false,
          () => true,
        );
        expect(rejected, to).to.equal(true);
      }
      expect(smtp.received).to.have.length(1);
    } finally {
      await mailer.close();
      await smtp.close();
    }
  });

  it('rejects where the server is down, so that the job is retried', async () => {
    const mailer = await openMailer({ ...ctx.config, mail: { ...ctx.config.mail, smtpUrl: 'smtp://127.0.0.1:1' } });
    const failed = await mailer.send({ to: 'reader@example.org', subject: 's', text: 't' }).then(
      () => false,
      () => true,
    );
    await mailer.close();
    expect(failed).to.equal(true);
  });
});
