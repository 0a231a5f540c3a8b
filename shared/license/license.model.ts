import { column, defineModel } from '../platform/database/model.js';

/** A plan that users can subscribe to; `docs/contract.md#fields-license`. */
export const LicensePlan = defineModel('license_plans', {
  id: column.integer().primaryKey(),
  name: column.text(),
  priceCents: column.integer(),
  dayDuration: column.integer(),
  storageGigabytes: column.integer(),
  bandGigabytes: column.integer(),
  /** Hours that encoders may publish in a calendar month; 0: unlimited. */
  streamingAmount: column.integer(),
  maxVideoGigabytes: column.integer(),
  maxUploadNumber: column.integer(),
  /** Media minutes in a calendar month; 0: unlimited. `shared/content/mediaSeconds.ts` defines how contents count. */
  mediaMinutes: column.integer().withDefault(),
  support: column.text(),
});

/** A user's usage (stored, reserved and sent bytes, processed media, streaming time) and the plan that limits it. */
export const Quota = defineModel('quotas', {
  userId: column.uuid().primaryKey(),
  planId: column.integer().withDefault(),
  activatedAt: column.timestamp().nullable(),
  expiresAt: column.timestamp().nullable(),
  originalBytes: column.bigint().withDefault(),
  renditionBytes: column.bigint().withDefault(),
  thumbnailBytes: column.bigint().withDefault(),
  uploads: column.integer().withDefault(),
  reservedBytes: column.bigint().withDefault(),
  reservedUploads: column.integer().withDefault(),
  bandMonth: column.day().nullable(),
  bandBytes: column.bigint().withDefault(),
  mediaMonth: column.day().nullable(),
  mediaSeconds: column.bigint().withDefault(),
  /** Time published by encoders. */
  streamingMonth: column.day().nullable(),
  streamingSeconds: column.bigint().withDefault(),
  /** Time of the next check for notices; a trigger makes it due when usage or plan change. */
  examineAt: column.timestamp().withDefault(),
});

/** Quota reserved for a running upload. */
export const UploadReservation = defineModel('upload_reservations', {
  id: column.uuid().primaryKey(),
  userId: column.uuid(),
  bytes: column.bigint(),
  abandoned: column.boolean().withDefault(),
  createdAt: column.timestamp(),
  expiresAt: column.timestamp(),
});

/** A paid period of a plan. */
export const LicensePeriod = defineModel('license_periods', {
  id: column.uuid().primaryKey(),
  userId: column.uuid(),
  planId: column.integer(),
  trackingId: column.uuid(),
  startsAt: column.timestamp(),
  endsAt: column.timestamp(),
  createdAt: column.timestamp(),
});

/** A notice that was mailed, recorded so that it is not mailed twice. */
export const LicenseNotice = defineModel('license_notices', {
  userId: column.uuid().primaryKey(),
  kind: column.text<'EXPIRING' | 'EXPIRED' | 'STORAGE' | 'BAND' | 'STREAMING'>().primaryKey(),
  about: column.text().primaryKey(),
  sentAt: column.timestamp(),
});
