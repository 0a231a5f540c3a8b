import type { Migration } from './migration.js';

/** A plan for services whose users do not pay. Byte limits have no value for "unlimited": each is one petabyte. */
export const unlimitedPlan: Migration = {
  name: '1042-unlimited-plan',
  up: `
    INSERT INTO license_plans (id, name, price_cents, day_duration, storage_gigabytes, band_gigabytes, streaming_amount, media_minutes,
      max_video_gigabytes, max_upload_number, support)
    SELECT max(id) + 1, 'Unlimited', 0, 0, 1000000, 1000000, 0, 0, 1000000, 0, 'COMMUNITY' FROM license_plans
    ON CONFLICT (name) DO NOTHING;
  `,
};
