import type { Migration } from './migration.js';

/**
 * `encoder_left_at`: the encoder of a run has disconnected while its last segments are being stored; other processes read it. The
 * owner of a stream reads the reason why an encoder was rejected.
 */
export const refusedEncoders: Migration = {
  name: '1035-refused-encoders',
  up: `ALTER TABLE live_runs ADD COLUMN encoder_left_at timestamptz;
       ALTER TABLE live_streams ADD COLUMN refused_encoder jsonb;`,
};
