import type { Config } from '../../shared/platform/config.js';
import type { QueueName } from '../../shared/platform/queueNames.js';
import { Tunable } from '../../shared/platform/tunable.js';

/** Many slots, because a job waits up to 15 s for an external server, and must not delay other receivers. */
export const webhookSlots = new Tunable(100);

/** Maximum of concurrent jobs of a queue in one process. Media jobs are limited by the machine; other jobs mostly wait. */
export function concurrencyOf(config: Config, queue: QueueName): number {
  switch (queue) {
    case 'quick-transcoding':
    case 'transcoding':
      return config.worker.mediaConcurrency;
    // The program uses the complete machine.
    case 'transcription':
      return 1;
    case 'ingestion':
    case 'sweeps':
      return 2;
    // A job waits for an upload, and copies the bytes received.
    case 'arrivals':
      return 4;
    // A job waits for an external server, with one piece of its file in memory. More than twice the maximum of one user.
    case 'imports':
      return 12;
    case 'webhooks':
      return config.limit(webhookSlots);
    case 'search-sync':
      return 4;
    default:
      return 8;
  }
}
