import type { ScryptOptions } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';
import { contextPart } from '../contextParts.js';
import { withErrorListener } from '../errorListener.js';
import { TooManyRequestsError } from '../errors.js';

/** A key to be derived by scrypt. */
export interface Derivation {
  readonly password: string;
  readonly salt: Uint8Array;
  readonly keyBytes: number;
  readonly options: ScryptOptions;
}

/** The cost of a hash by scrypt. */
export type PasswordCost = Readonly<Record<'N' | 'r' | 'p', number>>;

/** A tenth of a second of a core. */
export const usualPasswordCost: PasswordCost = { N: 2 ** 14, r: 8, p: 5 };

/**
 * Threads that hash passwords. Hashing takes a tenth of a second of a core by intent. In the thread pool of libuv,
 * files, DNS and images would wait for it, so it has two threads of its own (docs/decisions/platform.md#limits has figures).
 */
interface PasswordThreads {
  /** Of new hashes. */
  readonly cost: PasswordCost;
  /** Throws TooManyRequestsError where too many others wait. */
  derive(derivation: Derivation): Promise<Buffer>;
  close(): Promise<void>;
}

const threadCount = 2;
/** About two seconds of work for both threads. */
const maxWaiting = 16;
const retryAfterSeconds = 2;

/**
 * Threads start when they are first needed, and do not keep the process running. Only tests give another cost, because
 * many of them need a password that is hashed.
 */
export function openPasswordThreads(cost = usualPasswordCost): PasswordThreads {
  const limit = pLimit(threadCount);
  const started = new Set<Worker>();
  const idle: Worker[] = [];
  const derive = async (derivation: Derivation): Promise<Buffer> => {
    const thread = idle.pop() ?? startThread(started);
    const key = await ask(thread, derivation);
    idle.push(thread);
    return key;
  };
  return {
    cost,
    async derive(derivation) {
      if (limit.pendingCount >= maxWaiting)
        throw new TooManyRequestsError(retryAfterSeconds, undefined, { detail: 'too many passwords to hash' });
      return limit(derive, derivation);
    },
    async close() {
      limit.clearQueue();
      await Promise.all([...started].map((thread) => thread.terminate()));
    },
  };
}

export const passwordThreads = contextPart(
  () => openPasswordThreads(),
  (threads) => threads.close(),
);

function startThread(started: Set<Worker>): Worker {
  const thread = withErrorListener(new Worker(new URL('./passwordThread.js', import.meta.url), { env: {} }));
  started.add(thread);
  thread.once('exit', () => started.delete(thread));
  return thread;
}

/** Rejects where the thread fails or ends; it is not used again then. */
function ask(thread: Worker, derivation: Derivation): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      thread.off('message', done).off('error', failed).off('exit', ended).unref();
    };
    const done = (key: Uint8Array): void => {
      settle();
      resolve(Buffer.from(key.buffer, key.byteOffset, key.byteLength));
    };
    const failed = (error: unknown): void => {
      settle();
      reject(error);
    };
    const ended = (): void => failed(new Error('the thread that hashes passwords has ended'));
    thread.ref();
    thread.on('message', done).on('error', failed).on('exit', ended);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    thread.postMessage(derivation);
  });
}
