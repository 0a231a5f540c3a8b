import type { Config } from './config.js';
import type { QueueName } from './queueNames.js';

const mediaQueues: readonly QueueName[] = ['quick-transcoding', 'transcoding', 'transcription'];

/** The name of a process in logs and metrics: as in the `Procfile`, where a worker that only encodes is `media`. */
export function processNameOf({ process, worker }: Pick<Config, 'process' | 'worker'>): string {
  const isMedia = process === 'worker' && worker.queues.every((queue) => mediaQueues.includes(queue));
  return isMedia ? 'media' : process;
}
