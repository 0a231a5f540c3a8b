import type { Config } from '../config.js';
import { sameSecret } from './passwords.js';

/** Whether an `Authorization` header contains the operators' Basic credentials. Compares in constant time. */
export function isOperator({ operator }: Config, header: string | undefined): boolean {
  const encoded = /^Basic +([A-Za-z0-9+/_-]+=*) *$/i.exec(header ?? '')?.[1];
  if (encoded === undefined) return false;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 0) return false;
  const isUserRight = sameSecret(text.slice(0, colon), operator.user);
  const isPasswordRight = sameSecret(text.slice(colon + 1), operator.password);
  return isUserRight && isPasswordRight;
}
