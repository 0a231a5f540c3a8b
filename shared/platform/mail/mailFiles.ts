import { randomBytes } from 'node:crypto';
import { mkdir, readFile, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.js';
import type { Message } from './mail.js';

/** A mail that was kept as a file instead of being sent. */
export interface KeptMail {
  /** Of its file, and its id. */
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly sentAt: Date;
  readonly text: string;
}

/** A file's name begins with its moment, so that names in order are mails in order. */
const mailName = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z-[0-9a-f]{8}$/;
const extension = '.txt';

/** Where mails are kept while no SMTP server is set. */
export function mailFolder({ dataDir }: Config): string {
  return join(dataDir, 'mail');
}

/** Headers, an empty line, the text. `message` holds no line end in its headers. */
export async function keepMail(folder: string, from: string, message: Message, sentAt: Date): Promise<void> {
  const { to, subject, text } = message;
  const moment = sentAt.toISOString();
  const name = `${moment.replace(/[:.]/g, '-')}-${randomBytes(4).toString('hex')}`;
  await mkdir(folder, { recursive: true });
  // Renamed into place: whoever lists the folder never reads half a mail.
  const draft = join(folder, `.${name}.draft`);
  await writeFile(draft, `From: ${from}\nTo: ${to}\nSubject: ${subject}\nDate: ${moment}\n\n${text}`);
  await rename(draft, join(folder, name + extension));
}

/** Names of the mails in a folder, the newest first. */
export async function keptMailNames(folder: string): Promise<string[]> {
  const files = await readdir(folder).catch(unlessMissing([]));
  const names = files.filter((file) => file.endsWith(extension)).map((file) => file.slice(0, -extension.length));
  return names.filter((name) => mailName.test(name)).toSorted((one, other) => (one < other ? 1 : -1));
}

/** One mail; null where there is none of this name. Only names as we make them lead to a file. */
export async function readKeptMail(folder: string, name: string): Promise<KeptMail | null> {
  if (!mailName.test(name)) return null;
  const file = await readFile(join(folder, name + extension), 'utf8').catch(unlessMissing(null));
  if (file === null) return null;
  const border = file.indexOf('\n\n');
  const headers = new Map(
    file
      .slice(0, border)
      .split('\n')
      .map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  );
  const header = (title: string): string => headers.get(title) ?? '';
  return {
    name,
    from: header('From'),
    to: header('To'),
    subject: header('Subject'),
    sentAt: new Date(header('Date')),
    text: file.slice(border + 2),
  };
}

function unlessMissing<Value>(value: Value): (error: NodeJS.ErrnoException) => Value {
  return (error) => {
    if (error.code === 'ENOENT') return value;
    throw error;
  };
}
