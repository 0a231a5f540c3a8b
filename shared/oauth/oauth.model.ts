import { defineModel, bytes, integer, text, timestamp, uuid } from '../platform/database/model.js';

/** All tokens issued from one login; they are revoked together. */
export const TokenFamily = defineModel('token_families', {
  id: uuid().primaryKey(),
  userId: uuid(),
  createdAt: timestamp(),
  expiresAt: timestamp(),
});

/** A refresh token; only its hash is stored. */
export const RefreshToken = defineModel('refresh_tokens', {
  tokenHash: bytes().primaryKey(),
  familyId: uuid(),
  expiresAt: timestamp(),
  replacedAt: timestamp().nullable(),
});

/** An access token; only its hash is stored. */
export const AccessToken = defineModel('access_tokens', {
  tokenHash: bytes().primaryKey(),
  jti: uuid(),
  clientId: text(),
  userId: uuid().nullable(),
  familyId: uuid().nullable(),
  expiresAt: timestamp(),
});

/** A network that a user has logged in from (`networkOf`). */
export const LoginNetwork = defineModel('login_networks', {
  userId: uuid().primaryKey(),
  network: text().primaryKey(),
  lastLoginAt: timestamp(),
});

/** Attempts counted within a time window. */
export const LoginFailure = defineModel('login_failures', {
  subject: text().primaryKey(),
  failures: integer(),
  windowEndsAt: timestamp(),
});
