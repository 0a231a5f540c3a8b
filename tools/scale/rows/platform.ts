import { idOf, minutesAgo, minutesAhead, oneOf, ownerOf, type GeneratedTable } from './generatedTable.js';

/** Tables of the platform and of webhooks, each with a backlog as after an hour without a worker. */
export const platformTables: readonly GeneratedTable[] = [
  {
    table: 'outbox',
    perContent: 1,
    values: {
      queue: "'transcoding'",
      job: "'content.chunk'",
      job_key: "'job' || i",
      repeats: "'collapse'",
      payload: "'{}'",
      attempts: '3',
      backoff_ms: '1000',
      priority: 'i % 100',
      available_at: oneOf(2, minutesAgo('i', 1), minutesAhead('i', 1)),
      created_at: minutesAgo('i', 1),
    },
  },
  {
    table: 'clock_ticks',
    perContent: 0.01,
    values: { task: "'task' || i % 20", minute: `date_trunc('minute', now()) - (i / 20) * interval '1 minute'` },
  },
  {
    table: 'attempt_counts',
    perContent: 0.5,
    values: { subject: "'subject' || i", attempts: '1', window_ends_at: minutesAhead('i', 1) },
  },
  {
    table: 'caller_writes',
    perContent: 0.5,
    values: { caller: "'caller' || i", wal_position: 'i', written_at: minutesAgo('i', 1) },
  },
  {
    table: 'shared_counts',
    perContent: 0.01,
    values: { key: "'upload:' || i", process_id: idOf('process', 'i'), count: '1', lease_until: minutesAhead('i', 1) },
  },
  {
    table: 'search_marks',
    perContent: 1,
    values: {
      index_name: "'vod'",
      document_id: `${idOf('vod', 'i')}::text`,
      marked_at: minutesAgo('i', 1),
    },
  },
  {
    table: 'edge_batches',
    perContent: 0.1,
    values: { id: "'batch' || i", received_at: minutesAgo('i', 30) },
  },
  {
    table: 'webhooks',
    perContent: 0.01,
    values: {
      id: idOf('webhook', 'i'),
      owner_id: ownerOf('i'),
      url: "'https://example.org/hook'",
      events: "ARRAY['content.ready']",
      enabled: 'true',
      secret: "'secret'",
      created_at: minutesAgo('i', 900),
      updated_at: minutesAgo('i', 900),
    },
  },
  {
    table: 'webhook_events',
    perContent: 1,
    values: {
      id: idOf('webhookEvent', 'i'),
      type: "'content.ready'",
      body: "'{}'",
      occurred_at: minutesAgo('i', 30),
    },
  },
  {
    table: 'webhook_deliveries',
    perContent: 1,
    values: {
      id: idOf('delivery', 'i'),
      webhook_id: idOf('webhook', 'i % size.owners'),
      event_id: idOf('webhookEvent', 'i'),
      state: oneOf(100, "'WAITING'", "'DELIVERED'"),
      waits_since: minutesAgo('i', 30),
      due_at: minutesAgo('i', 30),
      created_at: minutesAgo('i', 30),
    },
  },
];
