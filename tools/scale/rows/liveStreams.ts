import { idOf, minutesAgo, minutesAhead, oneOf, ownerOf, type GeneratedTable } from './generatedTable.js';

/** Two hours of segments of two seconds. */
const segmentsPerChannel = 3_600;
const runsPerChannel = 10;
const dayPrograms = 24;

/** Half of the events are over; the recordings of the others wait. */
const isComing = 'i % 2 = 1';
const eventStart = `CASE WHEN ${isComing} THEN ${minutesAhead('i', 30)} ELSE ${minutesAgo('i', 90)} - interval '2 hours' END`;

/** The newest session of a channel is open, all others have ended. Run and session have the same number. */
const isOpen = `i % ${runsPerChannel} = 0`;

/** Live channels and events, all on air, and cast channels: one of each for every hundred contents. */
export const liveTables: readonly GeneratedTable[] = [
  {
    table: 'live_streams',
    perContent: 0.02,
    values: {
      id: idOf('stream', 'i'),
      owner_id: ownerOf('i'),
      kind: "CASE WHEN i < size.channels THEN 'LIVE_CHANNEL' ELSE 'CAST_CHANNEL' END",
      path: "'path' || i",
      created_at: minutesAgo('i', 900),
    },
  },
  {
    table: 'live_channels',
    perContent: 0.01,
    values: {
      id: idOf('stream', 'i'),
      owner_id: ownerOf('i'),
      name: "'Channel ' || i",
      description: "'A channel'",
      public: 'true',
      created_at: minutesAgo('i', 900),
      updated_at: minutesAgo('i', 900),
    },
  },
  {
    table: 'live_sessions',
    perContent: 0.01 * runsPerChannel,
    values: {
      id: idOf('session', 'i'),
      stream_id: idOf('stream', `i / ${runsPerChannel}`),
      folder: `'live/' || ${idOf('session', 'i')}`,
      state: `CASE WHEN ${isOpen} THEN 'OPEN' ELSE 'ENDED' END`,
      opened_at: minutesAgo('i', 30),
      ended_at: `CASE WHEN ${isOpen} THEN NULL ELSE ${minutesAgo('i', 30)} END`,
      next_sequence: `${segmentsPerChannel}`,
    },
  },
  {
    table: 'live_runs',
    perContent: 0.01 * runsPerChannel,
    values: {
      id: idOf('run', 'i'),
      session_id: idOf('session', 'i'),
      stream_id: idOf('stream', `i / ${runsPerChannel}`),
      owner_id: ownerOf(`i / ${runsPerChannel}`),
      source: "(ARRAY['RTMP', 'RTMP', 'PULL', 'REPORTED'])[1 + (i / 10) % 4]",
      server_key: "'key' || i",
      state: `CASE WHEN ${isOpen} THEN 'OPEN' ELSE 'ENDED' END`,
      end_reason: `CASE WHEN ${isOpen} THEN NULL ELSE 'PUBLISHER' END`,
      renditions: "'[]'",
      lease_owner: `CASE WHEN ${isOpen} THEN 'worker' || i % 64 END`,
      lease_until: `CASE WHEN ${isOpen} THEN now() + interval '10 seconds' END`,
      offered_at: minutesAgo('i', 30),
      opened_at: minutesAgo('i', 30),
      last_media_at: `CASE WHEN ${isOpen} THEN now() ELSE ${minutesAgo('i', 30)} END`,
      ended_at: `CASE WHEN ${isOpen} THEN NULL ELSE ${minutesAgo('i', 30)} END`,
    },
  },
  {
    table: 'live_segments',
    perContent: 0.01 * segmentsPerChannel,
    values: {
      session_id: idOf('session', `(i % size.channels) * ${runsPerChannel}`),
      sequence: 'i / size.channels',
      run_id: idOf('run', `(i % size.channels) * ${runsPerChannel}`),
      discontinuity: '0',
      starts_at: `now() - (${segmentsPerChannel} - i / size.channels) * interval '2 seconds'`,
      duration_microseconds: '2000000',
      renditions: `'{"1080p": 1000000}'`,
      stored_at: `now() - (${segmentsPerChannel} - i / size.channels) * interval '2 seconds'`,
    },
  },
  {
    table: 'live_events',
    perContent: 0.1,
    values: {
      id: idOf('liveEvent', 'i'),
      channel_id: idOf('stream', 'i / 10'),
      owner_id: ownerOf('i / 10'),
      name: "'Event ' || i",
      payment_mode: "'FREE'",
      starts_at: eventStart,
      ends_at: `${eventStart} + interval '1 hour'`,
      public: 'true',
      recorded: 'true',
      created_at: minutesAgo('i', 90),
      updated_at: minutesAgo('i', 90),
    },
  },
  {
    table: 'live_recordings',
    perContent: 0.1,
    values: {
      event_id: idOf('liveEvent', 'i'),
      stream_id: idOf('stream', 'i / 10'),
      owner_id: ownerOf('i / 10'),
      title: "'Event ' || i",
      starts_at: eventStart,
      ends_at: `${eventStart} + interval '1 hour'`,
      state: `CASE WHEN ${isComing} THEN 'WAITING' WHEN i % 1000 = 0 THEN 'KEPT' ELSE 'DONE' END`,
      created_at: minutesAgo('i', 90),
      updated_at: minutesAgo('i', 90),
    },
  },
  {
    table: 'cast_channels',
    perContent: 0.01,
    values: {
      id: idOf('stream', 'size.channels + i'),
      owner_id: ownerOf('i'),
      name: "'Cast channel ' || i",
      created_at: minutesAgo('i', 900),
      updated_at: minutesAgo('i', 900),
    },
  },
  {
    table: 'cast_programs',
    perContent: 0.01 * dayPrograms * 10,
    values: {
      id: idOf('program', 'i'),
      channel_id: idOf('stream', `size.channels + i / ${dayPrograms * 10}`),
      owner_id: ownerOf(`i / ${dayPrograms * 10}`),
      starts_at: `date_trunc('hour', now()) + (i % ${dayPrograms * 10} - ${dayPrograms * 5}) * interval '1 hour'`,
      ends_at: `date_trunc('hour', now()) + (i % ${dayPrograms * 10} - ${dayPrograms * 5} + 1) * interval '1 hour'`,
      type: oneOf(50, "'LIVE'", "'PRERECORDED'"),
      box_item_id: oneOf(50, 'NULL', idOf('box', 'i % size.contents')),
      stream_id: oneOf(50, idOf('stream', 'i % size.channels'), 'NULL'),
      title: "'Program ' || i",
      created_at: minutesAgo('i', 30),
      updated_at: minutesAgo('i', 30),
    },
  },
  {
    table: 'cast_playouts',
    perContent: 0.01,
    values: {
      channel_id: idOf('stream', 'size.channels + i'),
      decided_until: 'extract(epoch from now())::bigint * 1000000',
      prepared_until: minutesAhead('i', 1),
    },
  },
  {
    table: 'cast_airings',
    perContent: 1,
    values: {
      channel_id: idOf('stream', 'size.channels + i / 100'),
      sequence: 'i % 100',
      discontinuity: 'i % 100',
      starts_at: '(extract(epoch from now())::bigint + (i % 100) * 60) * 1000000',
      ends_at: '(extract(epoch from now())::bigint + (i % 100 + 1) * 60) * 1000000',
      durations: "'[]'",
      source: oneOf(
        50,
        `jsonb_build_object('kind', 'LIVE', 'sessionId', ${idOf('session', `(i % size.channels) * ${runsPerChannel}`)})`,
        `jsonb_build_object('kind', 'CONTENT', 'contentId', ${idOf('content', 'i % size.contents')})`,
      ),
    },
  },
  {
    table: 'cast_cuts',
    perContent: 1,
    values: {
      id: idOf('cut', 'i'),
      content_id: idOf('content', 'i'),
      generation: '1',
      first_frame: '0',
      end_frame: '100',
      state: oneOf(10, "'WAITING'", "'READY'"),
      folder: "'cuts/' || i",
      needed_until: minutesAhead('i', 2),
      created_at: minutesAgo('i', 2),
    },
  },
  {
    table: 'cast_slates',
    perContent: 0.2,
    values: {
      id: idOf('slate', 'i'),
      channel_id: idOf('stream', 'size.channels + i / 20'),
      digest: "'digest' || i",
      lines: "'[]'",
      shows_from: minutesAhead('i', 1),
      state: oneOf(10, "'WAITING'", "'READY'"),
      folder: "'slates/' || i",
      needed_until: minutesAhead('i', 2),
      created_at: minutesAgo('i', 2),
    },
  },
];
