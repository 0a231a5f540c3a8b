import { defineModel, bytes, integer, text, timestamp, uuid } from '../platform/database/model.js';

/** All tokens issued from one login; they are revoked together. */
export const TokenFamily = defineModel('token_families', {
  id: uuid().primaryKey(),
  userId: uuid(),
  /** The client that logged the user in; only it may refresh. */
  clientId: text(),
  createdAt: timestamp(),
  expiresAt: timestamp(),
});

/** A refresh token; only its hash is stored. */
export const RefreshToken = defineModel('refresh_tokens', {
  tokenHash: bytes().primaryKey(),
  familyId: uuid(),
  /** Hash of the refresh token that it was exchanged for; null for the first of a family. */
  parentHash: bytes().nullable(),
  expiresAt: timestamp(),
  /** When it was first exchanged. */
  replacedAt: timestamp().nullable(),
  /** When another token that the same one was exchanged for was used instead. */
  endedAt: timestamp().nullable(),
});

/** An access token; only its hash is stored. */
export const AccessToken = defineModel('access_tokens', {
  tokenHash: bytes().primaryKey(),
  jti: uuid(),
  clientId: text(),
  userId: uuid().nullable(),
  familyId: uuid().nullable(),
  /** Hash of the refresh token that was issued with it; it ends with that one. */
  refreshHash: bytes().nullable(),
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
