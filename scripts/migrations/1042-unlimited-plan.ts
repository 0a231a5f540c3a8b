import type { Migration } from './migration.js';

/** A plan for services whose users do not pay. Numbers of bytes have no value without a limit, so it has a petabyte for each. */
export const unlimitedPlan: Migration = {
  name: '1042-unlimited-plan',
  up: `
    INSERT INTO license_plans (id, name, price_cents, day_duration, storage_gigabytes, band_gigabytes, streaming_amount, media_minutes,
      max_video_gigabytes, max_upload_number, support)
    SELECT max(id) + 1, 'Unlimited', 0, 0, 1000000, 1000000, 0, 0, 1000000, 0, 'COMMUNITY' FROM license_plans
    ON CONFLICT (name) DO NOTHING;
  `,
};
