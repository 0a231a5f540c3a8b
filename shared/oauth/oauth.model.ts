import { column, defineModel } from '../platform/database/model.js';

/** All tokens issued from one login; they are revoked together. */
export const TokenFamily = defineModel('token_families', {
  id: column.uuid().primaryKey(),
  userId: column.uuid(),
  /** The client that logged the user in; only it may refresh. */
  clientId: column.text(),
  createdAt: column.timestamp(),
  expiresAt: column.timestamp(),
});

/** A refresh token; only its hash is stored. */
export const RefreshToken = defineModel('refresh_tokens', {
  tokenHash: column.bytes().primaryKey(),
  familyId: column.uuid(),
  /** Hash of the refresh token that was exchanged for this one; null for the first of a family. */
  parentHash: column.bytes().nullable(),
  expiresAt: column.timestamp(),
  /** Time of the first exchange. */
  replacedAt: column.timestamp().nullable(),
  /** Set when another token with the same parent was used first. */
  endedAt: column.timestamp().nullable(),
});

/** An access token; only its hash is stored. */
export const AccessToken = defineModel('access_tokens', {
  tokenHash: column.bytes().primaryKey(),
  jti: column.uuid(),
  clientId: column.text(),
  userId: column.uuid().nullable(),
  familyId: column.uuid().nullable(),
  /** Hash of the refresh token issued with it; both end together. */
  refreshHash: column.bytes().nullable(),
  expiresAt: column.timestamp(),
});

/** A network that a user has logged in from (`networkOf`). */
export const LoginNetwork = defineModel('login_networks', {
  userId: column.uuid().primaryKey(),
  network: column.text().primaryKey(),
  lastLoginAt: column.timestamp(),
});
