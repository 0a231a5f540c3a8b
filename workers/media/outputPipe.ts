import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withErrorListener } from '../../shared/platform/errorListener.js';

const bufferBytes = 64 * 1024;

/** Called with each block of data, which is valid until the function returns or its promise resolves; reading pauses until then. */
export type TakeData = (data: Buffer) => Promise<void> | undefined;

/** A pipe for the output of a child process. */
export interface OutputPipe {
  /** For `stdio` of the child. Destroy it after starting the child: the pipe ends when its last writer is closed. */
  readonly writer: Socket;
  /** Resolves when the pipe has ended; rejects with an error of `take`, after which reading stops. */
  readonly ended: Promise<void>;
}

/**
 * Opens a pipe that is read into one buffer. The standard output of a child process is read into a new buffer for each 64 kB, whose
 * garbage collection dominated the processor time when reading gigabytes.
 */
export async function openOutputPipe(take: TakeData): Promise<OutputPipe> {
  // Only this user can access the folder, so that no other user can connect.
  const folder = await mkdtemp(join(tmpdir(), 'pipe-'));
  const server = withErrorListener(createServer({ pauseOnConnect: true }));
  try {
    const path = join(folder, 'output');
    server.listen(path);
    await once(server, 'listening');
    const connected = once(server, 'connection') as Promise<[Socket]>;
    const ended = readAll(path, take);
    const [writer] = await Promise.race([connected, ended.then(() => connected)]);
    return { writer, ended };
  } finally {
    server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function readAll(path: string, take: TakeData): Promise<void> {
  const buffer = Buffer.alloc(bufferBytes);
  const ended = new Promise<void>((resolve, reject) => {
    const fail = (error: unknown): void => {
      reject(error);
      reader.destroy();
    };
    const takePart = (bytes: number): boolean => {
      try {
        const taken = take(buffer.subarray(0, bytes));
        taken?.then(() => reader.resume(), fail);
        return !taken;
      } catch (error) {
        fail(error);
        return false;
      }
    };
    const reader = connect({ path, onread: { buffer, callback: takePart } });
    reader.once('end', resolve);
    reader.once('error', fail);
  });
  // The promise is awaited after the child has ended.
  ended.catch(() => {});
  return ended;
}
