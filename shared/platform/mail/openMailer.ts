import { createTransport } from 'nodemailer';
import { systemClock } from '../clock.js';
import type { Config } from '../config.js';
import type { Mailer, Message } from './mail.js';
import { keepMail, mailFolder } from './mailFiles.js';

/** Mail by SMTP where `SMTP_URL` is set, else as readable files under `DATA_DIR/mail`. */
export function openMailer(config: Config): Mailer & { close(): Promise<void> } {
  const { smtpUrl, from } = config.mail;
  return smtpUrl === null ? mailToFiles(mailFolder(config), from) : mailBySmtp(smtpUrl, from);
}

function mailBySmtp(smtpUrl: string, from: string): Mailer & { close(): Promise<void> } {
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
      const { to, subject, text } = harmless(message);
      // An address object is taken as it is: no list, no second recipient hidden in the text.
      await transport.sendMail({ from, to: { name: '', address: to }, subject, text });
    },
    async close() {
      transport.close();
    },
  };
}

function mailToFiles(folder: string, from: string): Mailer & { close(): Promise<void> } {
  return {
    async send(message) {
      await keepMail(folder, from, harmless(message), systemClock.now());
    },
    async close() {},
  };
}

/** Header values on one line: what a user typed can add no header and no recipient. */
function harmless(message: Message): Message {
  if (/[\s,;<>\p{Cc}]/u.test(message.to)) throw new Error('the recipient is no plain mail address');
  return { ...message, subject: message.subject.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim() };
}
