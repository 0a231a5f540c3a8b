import { column, defineModel, type RowOf } from '../platform/database/model.js';
export const ccTypes = ['BY', 'BY_SA', 'BY_ND', 'BY_NC', 'BY_NC_SA', 'BY_NC_ND'] as const;
export type CcType = (typeof ccTypes)[number];
export type VodLicenseType = 'FREE' | 'CREATIVE_COMMONS' | 'PAY_PER_VIEW' | 'CONTENT_BUNDLE';

/** A box item published on demand; `docs/contract.md#fields-vod-item`. */
export const VodItem = defineModel('vod_items', {
  id: column.uuid().primaryKey(),
  ownerId: column.uuid(),
  boxItemId: column.uuid(),
  licenseType: column.text<VodLicenseType>(),
  ccType: column.text<CcType>().nullable(),
  /** Only with PAY_PER_VIEW. */
  pricePerViewCents: column.bigint().nullable(),
  /** Only with CONTENT_BUNDLE: the bundle, and the position in it, from 0. */
  bundleId: column.uuid().nullable(),
  bundlePosition: column.integer().nullable(),
  public: column.boolean().withDefault(),
  publishedAt: column.timestamp(),
  expiresAt: column.timestamp().nullable(),
  updatedAt: column.timestamp(),
});
export type VodItem = RowOf<typeof VodItem>;

/**
 * An item that was withdrawn after viewers had paid for it: only they can find it. Kept until its box item is deleted, which is
 * possible after the last right to play it has ended (`docs/decisions/offers.md`).
 */
export const WithdrawnVodItem = defineModel('withdrawn_vod_items', {
  id: column.uuid().primaryKey(),
  ownerId: column.uuid(),
  boxItemId: column.uuid(),
  licenseType: column.text<VodLicenseType>(),
  ccType: column.text<CcType>().nullable(),
  pricePerViewCents: column.bigint().nullable(),
  public: column.boolean(),
  publishedAt: column.timestamp(),
  expiresAt: column.timestamp().nullable(),
  withdrawnAt: column.timestamp(),
  /** Time until which subscribers of its former bundles may play it; null: it was in no bundle. */
  subscribersUntil: column.timestamp().nullable(),
});
