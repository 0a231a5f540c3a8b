import { defineModel, boolean, day, json, text, timestamp, uuid, type InstanceOf } from '../platform/database/model.js';
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
  id: uuid().primaryKey(),
  userCode: text(),
  passwordHash: text(),
  state: text<UserState>(),
  language: text(),
  email: text(),
  firstName: text(),
  lastName: text(),
  /** yyyy-MM-dd. */
  birthDate: day(),
  thumbnailId: uuid().nullable(),
  pageTitle: text().nullable(),
  pageDescription: text().nullable(),
  facebookUrl: text().nullable(),
  twitterContact: text().nullable(),
  linkedinUrl: text().nullable(),
  paypalEmail: text().nullable(),
  companyName: text().nullable(),
  companyConfirm: boolean().withDefault(),
  vatNumber: text().nullable(),
  taxCode: text().nullable(),
  billingAddress: json<BillingAddress>().withDefault(),
  transcoderNotifyEnabled: boolean().withDefault(),
  vodPublic: boolean().withDefault(),
  /** Encrypted: the streaming server's endpoint must be able to read it (`docs/contract.md#integration`). */
  livePassword: text().nullable(),
  lastActivityAt: timestamp(),
  createdAt: timestamp(),
  updatedAt: timestamp(),
});
export type User = InstanceOf<typeof User>;
