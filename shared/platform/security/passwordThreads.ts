import type { ScryptOptions } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';
import { contextPart } from '../contextParts.js';
import { withErrorListener } from '../errorListener.js';
import { TooManyRequestsError } from '../errors.js';

/** A request to derive a key with scrypt. */
export interface Derivation {
  readonly password: string;
  readonly salt: Uint8Array;
  readonly keyBytes: number;
  readonly options: ScryptOptions;
}

/** Cost parameters of a scrypt hash. */
export type PasswordCost = Readonly<Record<'N' | 'r' | 'p', number>>;

/** 0.1 seconds of one core. */
export const usualPasswordCost: PasswordCost = { N: 2 ** 14, r: 8, p: 5 };

/**
 * Threads that hash passwords. A hash takes 0.1 seconds of one core by design. In the libuv thread pool, files, DNS and images
 * would wait for it, so hashing has two threads of its own (figures: docs/decisions/platform.md#limits).
 */
interface PasswordThreads {
  /** Cost of new hashes. */
  readonly cost: PasswordCost;
  /** Throws TooManyRequestsError if too many requests are waiting. */
  derive(derivation: Derivation): Promise<Buffer>;
  close(): Promise<void>;
}

const threadCount = 2;
/** At 0.1 seconds per hash in two threads, the last request waits for less than a second. */
const maxWaiting = 16;
const retryAfterSeconds = 2;

/**
 * Threads start when they are first needed, and do not keep the process running. Only tests set another cost, because many of
 * them hash a password.
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
        throw new TooManyRequestsError(retryAfterSeconds, undefined, { detail: 'too many waiting password hashes' });
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

/** Rejects if the thread fails or ends; the thread is then not used again. */
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
    const ended = (): void => failed(new Error('the password hashing thread has ended'));
    thread.ref();
    thread.on('message', done).on('error', failed).on('exit', ended);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    thread.postMessage(derivation);
  });
}
