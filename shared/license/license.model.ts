import { defineModel, bigint, boolean, day, integer, text, timestamp, uuid } from '../platform/database/model.js';

/** A plan that users can subscribe to; `docs/contract.md#fields-license`. */
export const Plan = defineModel('plans', {
  id: integer().primaryKey(),
  name: text(),
  priceCents: integer(),
  dayDuration: integer(),
  storageGigabytes: integer(),
  bandGigabytes: integer(),
  /** Hours that encoders may publish in a calendar month; 0: unlimited. */
  streamingAmount: integer(),
  maxVideoGigabytes: integer(),
  maxUploadNumber: integer(),
  /** In a calendar month; 0: unlimited. `shared/content/mediaSeconds.ts` says what counts. */
  mediaMinutes: integer().withDefault(),
  support: text(),
});

/** Stored, reserved and sent bytes of a user, processed media, and the plan that limits them. */
export const Quota = defineModel('quotas', {
  userId: uuid().primaryKey(),
  planId: integer().withDefault(),
  activatedAt: timestamp().nullable(),
  expiresAt: timestamp().nullable(),
  originalBytes: bigint().withDefault(),
  renditionBytes: bigint().withDefault(),
  thumbnailBytes: bigint().withDefault(),
  uploads: integer().withDefault(),
  reservedBytes: bigint().withDefault(),
  reservedUploads: integer().withDefault(),
  bandMonth: day().nullable(),
  bandBytes: bigint().withDefault(),
  mediaMonth: day().nullable(),
  mediaSeconds: bigint().withDefault(),
  /** Time that encoders have published. */
  streamingMonth: day().nullable(),
  streamingSeconds: bigint().withDefault(),
});

/** Quota that is reserved for a running upload. */
export const UploadReservation = defineModel('upload_reservations', {
  id: uuid().primaryKey(),
  userId: uuid(),
  bytes: bigint(),
  abandoned: boolean().withDefault(),
  createdAt: timestamp(),
  expiresAt: timestamp(),
});

/** A paid period of a plan. */
export const LicensePeriod = defineModel('license_periods', {
  id: uuid().primaryKey(),
  userId: uuid(),
  planId: integer(),
  trackingId: uuid(),
  startsAt: timestamp(),
  endsAt: timestamp(),
  createdAt: timestamp(),
});

/** A notice that was mailed, recorded so that it is not mailed twice. */
export const LicenseNotice = defineModel('license_notices', {
  userId: uuid().primaryKey(),
  kind: text<'EXPIRING' | 'EXPIRED' | 'STORAGE' | 'BAND' | 'STREAMING'>().primaryKey(),
  about: text().primaryKey(),
  sentAt: timestamp(),
});
