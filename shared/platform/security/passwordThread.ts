import { scryptSync } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import type { Derivation } from './passwordThreads.js';

/* Code of one thread of `passwordThreads.ts`: derives one key after the other. */
parentPort?.on('message', ({ password, salt, keyBytes, options }: Derivation) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(scryptSync(password, salt, keyBytes, options));
});
