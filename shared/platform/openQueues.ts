import type { Config } from './config.js';
import type { Logger } from './log.js';
import type { Queues } from './queue.js';

export function openQueues(_options: { config: Config; log: Logger }): Queues {
  throw new Error('to be built');
}
