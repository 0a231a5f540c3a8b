import { randomBytes } from 'node:crypto';
import { readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.js';
import { createPrivateFolder } from '../storage/fileAccess.js';

/** A mail stored as a file because no SMTP server is set. */
export interface StoredMail {
  /** File name without the extension; serves as the id. */
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly sentAt: Date;
  readonly text: string;
}

/** File names begin with the time, so that they sort chronologically. */
const mailName = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z-[0-9a-f]{8}$/;
const extension = '.txt';

/** Links in mails are valid for at most a day. Operators who read the mails once a week miss none. */
const retentionMs = 7 * 24 * 60 * 60_000;
/** Matches mails, and drafts left by a crash. */
const fileName = /^\.?(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z)-[0-9a-f]{8}\.(txt|draft)$/;

/** Folder of the stored mails. */
export function mailFolder({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'mail');
}

/** Writes headers, an empty line, and the text. No header value may contain a line break. */
export async function storeMail(folder: string, mail: Omit<StoredMail, 'name'>): Promise<void> {
  const { from, to, subject, text } = mail;
  const date = mail.sentAt.toISOString();
  const name = `${timeInName(mail.sentAt)}-${randomBytes(4).toString('hex')}`;
  await createPrivateFolder(folder);
  // Renamed when complete: readers of the folder never see a partial mail.
  const draft = join(folder, `.${name}.draft`);
  await writeFile(draft, `From: ${from}\nTo: ${to}\nSubject: ${subject}\nDate: ${date}\n\n${text}`);
  await rename(draft, join(folder, name + extension));
}

/** Removes mails older than a week. Resolves with their number. */
export async function removeOldMails(folder: string, now: Date, signal: AbortSignal): Promise<number> {
  const before = timeInName(new Date(now.getTime() - retentionMs));
  const files = await readdir(folder).catch(unlessMissing([]));
  const old = files.filter((file) => (fileName.exec(file)?.[1] ?? before) < before);
  for (const file of old) {
    signal.throwIfAborted();
    await rm(join(folder, file), { force: true });
  }
  return old.length;
}

/** Names of the mails in a folder, newest first. */
export async function storedMailNames(folder: string): Promise<string[]> {
  const files = await readdir(folder).catch(unlessMissing([]));
  const names = files.filter((file) => file.endsWith(extension)).map((file) => file.slice(0, -extension.length));
  return names.filter((name) => mailName.test(name)).toSorted((one, other) => (one < other ? 1 : -1));
}

/** A mail by name; null if it does not exist. Only names that `storeMail` can create are used as a path. */
export async function readStoredMail(folder: string, name: string): Promise<StoredMail | null> {
  if (!mailName.test(name)) return null;
  const file = await readFile(join(folder, name + extension), 'utf8').catch(unlessMissing(null));
  if (file === null) return null;
  const headersEnd = file.indexOf('\n\n');
  const headers = new Map(
    file
      .slice(0, headersEnd)
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
    text: file.slice(headersEnd + 2),
  };
}

function timeInName(time: Date): string {
  return time.toISOString().replace(/[:.]/g, '-');
}

function unlessMissing<Value>(value: Value): (error: NodeJS.ErrnoException) => Value {
  return (error) => {
    if (error.code === 'ENOENT') return value;
    throw error;
  };
}
