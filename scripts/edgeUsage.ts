import { createHash } from 'node:crypto';
import { open, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';

/*
 * Reports the bytes that an edge has sent, from its log: `docs/deploy.md#edge`. Run it every minute. The reported position is
 * stored next to the log, so that no byte is lost or counted twice if a process is killed: the range of each batch is stored first,
 * and reported again under the same id until the service has responded. It needs no package.
 */

const maxTokens = 2_000;
/** Bytes of the log per batch. A batch is far smaller than the service accepts. */
const maxBytesRead = 4 * 1024 ** 2;

interface Position {
  /** Inode of the file: a rotated log keeps it. */
  readonly inode: number;
  /** Bytes that have been reported. */
  readonly offset: number;
  /** End of the batch in progress; null: none. */
  readonly end: number | null;
}

interface Batch {
  readonly end: number;
  /** Bytes by token, and one address of each token. */
  readonly usage: readonly { readonly address: string; readonly bytes: number }[];
  readonly batchId: string;
}

export interface ReportedUsage {
  readonly batches: number;
  readonly bytes: number;
}

/** Sends one batch; resolves when it is counted, otherwise rejects. */
export type SendBatch = (batch: Pick<Batch, 'batchId' | 'usage'>) => Promise<void>;

/** Reports the log's lines since the last call. Rejects if a batch could not be sent; the next call sends it again. */
export async function reportUsage(logPath: string, send: SendBatch): Promise<ReportedUsage> {
  const statePath = `${logPath}.reported`;
  let batches = 0;
  let bytes = 0;
  for (let position = await positionIn(logPath, statePath); ;) {
    const file = await fileOf(logPath, position.inode);
    const batch = file && (await readBatch(file, position));
    if (!batch || batch.end === position.offset) {
      const current = await stat(logPath).catch(() => null);
      // An empty new log is not in use yet: nginx still writes to the previous one.
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

/** Atomic: a killed process leaves either the old state or the new one. */
async function save(statePath: string, position: Position): Promise<void> {
  await writeFile(`${statePath}.new`, JSON.stringify(position), { flush: true });
  await rename(`${statePath}.new`, statePath);
}

/** The log itself, or the previous one, which `logrotate` has renamed. Null: it was deleted. */
async function fileOf(logPath: string, inode: number): Promise<string | null> {
  for (const path of [logPath, `${logPath}.1`]) {
    const found = await stat(path).catch(() => null);
    if (found?.ino === inode) return path;
  }
  return null;
}

/** Reads complete lines from a position: up to the end of an interrupted batch, or as many as a batch may contain. */
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

/** The complete lines within a range of a file, with one character per byte. */
async function linesIn(path: string, start: number, end: number): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(end - start), position: start });
    return buffer.toString('latin1', 0, buffer.subarray(0, bytesRead).lastIndexOf(0x0a) + 1);
  } finally {
    await file.close();
  }
}

/** Token, address and bytes of a log line; null: no bytes of a stream were sent. */
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
  if (logPath === undefined) throw new Error('usage: edgeUsage.js <path of the log>');
  const { batches, bytes } = await reportUsage(logPath, post);
  console.log(`${bytes} bytes in ${batches} batches`);
}
