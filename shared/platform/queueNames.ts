/** All queues. `WORKER_QUEUES` names those that a worker process serves. */
export const queueNames = [
  'ingestion',
  'arrivals',
  'imports',
  'quick-transcoding',
  'transcoding',
  'transcription',
  'transcoding-status',
  'payment-verification',
  'webhooks',
  'daily-programming',
  'search-sync',
  'mail',
  'sweeps',
] as const;
export type QueueName = (typeof queueNames)[number];
