import type { Migration } from './migration.js';

/**
 * Another process reads that the encoder of a run has left while its last segments are stored. The owner of a stream reads why an
 * encoder was refused.
 */
export const refusedEncoders: Migration = {
  name: '1035-refused-encoders',
  up: `ALTER TABLE live_runs ADD COLUMN encoder_left_at timestamptz;
       ALTER TABLE live_streams ADD COLUMN refused_encoder jsonb;`,
};
