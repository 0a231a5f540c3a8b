import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Config } from '../../platform/config.js';

/*
 * Web processes sign their requests to live processes with a key of the service: no secret is stored or sent, and the
 * signature of one request is not valid for another.
 */

/** Accepted clock difference between machines. */
const validSeconds = 60;
const scheme = 'Parts';

/** The `Authorization` header of a request for this path and query. */
export function signPartsRequest(config: Config, path: string, now: Date): string {
  const expires = Math.floor(now.getTime() / 1000) + validSeconds;
  return `${scheme} ${expires}.${signatureOf(config, path, expires)}`;
}

/** Whether a web process of this service has sent the request. Compares in constant time. */
export function isSignedPartsRequest(config: Config, path: string, header: string | undefined, now: Date): boolean {
  const [, expires = '', given = ''] = /^Parts (\d{1,12})\.([\w-]{43})$/.exec(header ?? '') ?? [];
  const expected = Buffer.from(signatureOf(config, path, Number(expires)));
  const isSame = given.length === expected.length && timingSafeEqual(Buffer.from(given), expected);
  const seconds = now.getTime() / 1000;
  return isSame && Number(expires) >= seconds && Number(expires) <= seconds + 2 * validSeconds;
}

function signatureOf({ encryptionKey }: Config, path: string, expires: number): string {
  const key = createHmac('sha256', Buffer.from(encryptionKey, 'hex')).update('v1|live-parts').digest();
  return createHmac('sha256', key).update(`v1|live-parts|${expires}|${path}`).digest('base64url');
}
