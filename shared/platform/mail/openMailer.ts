import type { Message, OpenMailer } from './mail.js';
import { systemClock } from '../systemClock.js';
import type { Config } from '../config.js';
import { storeMail, mailFolder } from './mailFiles.js';

/** Sends mail via SMTP if `SMTP_URL` is set, otherwise writes readable files under `DATA_DIR/mail`. */
export async function openMailer(config: Config): Promise<OpenMailer> {
  const { smtpUrl, from } = config.mail;
  return smtpUrl === null ? mailToFiles(mailFolder(config), from) : mailBySmtp(smtpUrl, from);
}

async function mailBySmtp(smtpUrl: string, from: string): Promise<OpenMailer> {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    url: smtpUrl,
    pool: true,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send(message) {
      const { to, subject, text } = sanitize(message);
      // Nodemailer parses a string as a list of addresses, and an object as one address.
      await transport.sendMail({ from, to: { name: '', address: to }, subject, text });
    },
    async check() {
      await transport.verify();
    },
    async close() {
      transport.close();
    },
  };
}

function mailToFiles(folder: string, from: string): OpenMailer {
  return {
    async send(message) {
      await storeMail(folder, { ...sanitize(message), from, sentAt: systemClock.now() });
    },
    async check() {},
    async close() {},
  };
}

/** Subjects contain user input: a single line cannot add a header or a recipient. */
function sanitize(message: Message): Message {
  if (/[\s,;<>\p{Cc}]/u.test(message.to)) throw new Error('the recipient is not a plain mail address');
  return { ...message, subject: message.subject.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim() };
}
