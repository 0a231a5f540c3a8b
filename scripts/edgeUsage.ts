import { createHash } from 'node:crypto';
import { open, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';

/*
 * Reports what an edge has sent, from its log: `docs/deploy.md#edge`. To be run every minute. What was reported is kept beside the log, so
 * nothing is lost or counted twice, whatever is killed meanwhile: the part of the log that is being reported is written down first, and reported again
 * under the same id until the service has answered. It needs no package.
 */

const maxTokens = 2_000;
/** Of the log. A batch is far below the bytes that the service accepts. */
const maxBytesRead = 4 * 1024 ** 2;

interface Position {
  /** Of the file: a log that is rotated keeps it. */
  readonly inode: number;
  /** Bytes that have been reported. */
  readonly offset: number;
  /** Up to where is being reported; null: nothing. */
  readonly end: number | null;
}

interface Batch {
  readonly end: number;
  /** Bytes by token, and an address of each. */
  readonly usage: readonly { readonly address: string; readonly bytes: number }[];
  readonly batchId: string;
}

export interface ReportedUsage {
  readonly batches: number;
  readonly bytes: number;
}

/** Sends one batch; resolves when it is counted, otherwise rejects. */
export type SendBatch = (batch: Pick<Batch, 'batchId' | 'usage'>) => Promise<void>;

/** Reports what a log has more than at the last call. Rejects where a batch could not be sent; the next call sends it again. */
export async function reportUsage(logPath: string, send: SendBatch): Promise<ReportedUsage> {
  const statePath = `${logPath}.reported`;
  let batches = 0;
  let bytes = 0;
  for (let position = await positionIn(logPath, statePath); ;) {
    const file = await fileOf(logPath, position.inode);
    const batch = file && (await readBatch(file, position));
    if (!batch || batch.end === position.offset) {
      const current = await stat(logPath).catch(() => null);
      // A new log that is empty is not used yet: nginx still writes into the one before.
      if (!current || current.ino === position.inode || current.size === 0) return { batches, bytes };
      position = { inode: current.ino, offset: 0, end: null };
      await save(statePath, position);
      continue;
    }
    await save(statePath, { ...position, end: batch.end });
    if (batch.usage.length > 0) await send(batch);
    position = { ...position, offset: batch.end, end: null };
    await save(statePath, position);
    batches += 1;
    bytes += batch.usage.reduce((sum, one) => sum + one.bytes, 0);
  }
}

async function positionIn(logPath: string, statePath: string): Promise<Position> {
  const text = await readFile(statePath, 'utf8').catch(() => null);
  if (text !== null) return JSON.parse(text) as Position;
  return { inode: (await stat(logPath)).ino, offset: 0, end: null };
}

/** At once: a process that is killed leaves the old state or the new one. */
async function save(statePath: string, position: Position): Promise<void> {
  await writeFile(`${statePath}.new`, JSON.stringify(position), { flush: true });
  await rename(`${statePath}.new`, statePath);
}

/** The log itself, or the one before it, which `logrotate` has renamed. Null: it is gone. */
async function fileOf(logPath: string, inode: number): Promise<string | null> {
  for (const path of [logPath, `${logPath}.1`]) {
    const found = await stat(path).catch(() => null);
    if (found?.ino === inode) return path;
  }
  return null;
}

/** Reads whole lines from a position on: up to where an earlier call has, or as many as one batch may have. */
async function readBatch(path: string, { inode, offset, end }: Position): Promise<Batch> {
  const text = await linesIn(path, offset, end ?? offset + maxBytesRead);
  const usage = new Map<string, { address: string; bytes: number }>();
  let read = 0;
  while (read < text.length) {
    const lineEnd = text.indexOf('\n', read);
    const sent = readLine(text.slice(read, lineEnd));
    if (sent && !usage.has(sent.token) && usage.size === maxTokens) break;
    read = lineEnd + 1;
    if (!sent) continue;
    const { address, bytes } = usage.get(sent.token) ?? { address: sent.address, bytes: 0 };
    usage.set(sent.token, { address, bytes: bytes + sent.bytes });
  }
  const batchId = createHash('sha256')
    .update(`${inode} ${offset} ${text.slice(0, read)}`)
    .digest('hex');
  return { end: offset + read, usage: [...usage.values()], batchId };
}

/** The lines that have ended within a range of a file, with one character for each byte. */
async function linesIn(path: string, start: number, end: number): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(end - start), position: start });
    return buffer.toString('latin1', 0, buffer.subarray(0, bytesRead).lastIndexOf(0x0a) + 1);
  } finally {
    await file.close();
  }
}

/** What a line of the log says; null: nothing of a stream was sent. */
function readLine(line: string): { token: string; address: string; bytes: number } | null {
  try {
    const { uri, bytes, status } = JSON.parse(line) as Readonly<Record<string, unknown>>;
    if (typeof uri !== 'string' || typeof bytes !== 'number' || bytes <= 0) return null;
    if (status !== 200 && status !== 206) return null;
    const [address, token] = /\/e\/([^/?]+)\/[^?]*/.exec(uri) ?? [];
    return address && token ? { token, address, bytes } : null;
  } catch {
    return null;
  }
}

async function post({ batchId, usage }: Parameters<SendBatch>[0]): Promise<void> {
  const { USAGE_URL = '', INTEGRATION_USER = '', INTEGRATION_PASSWORD = '' } = process.env;
  const credentials = Buffer.from(`${INTEGRATION_USER}:${INTEGRATION_PASSWORD}`).toString('base64');
  const response = await fetch(USAGE_URL, {
    method: 'POST',
    headers: { authorization: `Basic ${credentials}`, 'content-type': 'application/json' },
    body: JSON.stringify({ batchId, usage }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${USAGE_URL} responded ${response.status}: ${text.slice(0, 500)}`);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [logPath] = process.argv.slice(2);
  if (logPath === undefined) throw new Error('give the path of the log');
  const { batches, bytes } = await reportUsage(logPath, post);
  console.log(`${bytes} bytes in ${batches} batches`);
}
