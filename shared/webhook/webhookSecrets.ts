import type { Config } from '../platform/config.js';
import { decryptText } from '../platform/security/encryption.js';
import type { Webhook } from './webhook.model.js';

/** The secrets that currently sign, newest first. */
export function secretsOf(
  { encryptionKey }: Config,
  { id, secret, previousSecret, previousSecretUntil }: Webhook,
  now: Date,
): readonly string[] {
  const isKept = previousSecret !== null && previousSecretUntil !== null && previousSecretUntil > now;
  return [secret, ...(isKept ? [previousSecret] : [])].map((encrypted) => decryptText(encryptionKey, id, encrypted));
}
