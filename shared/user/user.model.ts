import { column, defineModel, type RowOf } from '../platform/database/model.js';
export type UserState = 'PENDING' | 'ACTIVE' | 'DISABLED';

export interface BillingAddress {
  state?: string;
  /** ISO 3166 alpha-2. */
  country?: string;
  city?: string;
  street?: string;
  zipCode?: string;
}

/** An account; `docs/contract.md#fields-user`. */
export const User = defineModel('users', {
  id: column.uuid().primaryKey(),
  userCode: column.text(),
  passwordHash: column.text(),
  state: column.text<UserState>(),
  language: column.text(),
  email: column.text(),
  firstName: column.text(),
  lastName: column.text(),
  /** yyyy-MM-dd. */
  birthDate: column.day(),
  thumbnailId: column.uuid().nullable(),
  pageTitle: column.text().nullable(),
  pageDescription: column.text().nullable(),
  facebookUrl: column.text().nullable(),
  twitterContact: column.text().nullable(),
  linkedinUrl: column.text().nullable(),
  paypalEmail: column.text().nullable(),
  companyName: column.text().nullable(),
  companyConfirm: column.boolean().withDefault(),
  vatNumber: column.text().nullable(),
  taxCode: column.text().nullable(),
  billingAddress: column.json<BillingAddress>().withDefault(),
  transcoderNotifyEnabled: column.boolean().withDefault(),
  vodPublic: column.boolean().withDefault(),
  /** Encrypted: the streaming server's endpoint must be able to read it (`docs/contract.md#integration`). */
  livePassword: column.text().nullable(),
  /** Time at which the activation mail was sent or given up. Null before, and for accounts without such a mail. */
  activationMailedAt: column.timestamp().nullable(),
  lastActivityAt: column.timestamp(),
  createdAt: column.timestamp(),
  updatedAt: column.timestamp(),
});
export type User = RowOf<typeof User>;
