import type { Config } from '../config.js';
import type { Context } from '../context.js';
import { ProcessThrottle } from '../throttle/processThrottle.js';
import { addressSubject } from '../throttle/subject.js';
import { sameSecret } from './passwords.js';

/**
 * Whether a caller is an operator: the `Authorization` header contains the correct Basic credentials. Throws TooManyRequestsError
 * for wrong credentials after too many from one address in a minute.
 */
export type OperatorGuard = (header: string | undefined, remoteAddress: string | undefined) => boolean;

/**
 * Correct credentials are accepted beyond the limit, as those of clients are (`docs/decisions/platform.md#limits`): otherwise
 * anybody who shares an address with the operators could lock them out. Failures are counted in this process, so that operators
 * can read its metrics while the database is down.
 */
export function createOperatorGuard(ctx: Pick<Context, 'config' | 'clock'>): OperatorGuard {
  const failures = new ProcessThrottle(ctx);
  return (header, remoteAddress = '') => {
    if (isOperator(ctx.config, header)) return true;
    // A browser sends its first request without credentials.
    if (header !== undefined) failures.count(addressSubject('operator', remoteAddress));
    return false;
  };
}

/** Compares in constant time. */
function isOperator({ operator }: Config, header: string | undefined): boolean {
  const encoded = /^Basic +([A-Za-z0-9+/_-]+=*) *$/i.exec(header ?? '')?.[1];
  if (encoded === undefined) return false;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 0) return false;
  const isUserCorrect = sameSecret(text.slice(0, colon), operator.user);
  const isPasswordCorrect = sameSecret(text.slice(colon + 1), operator.password);
  return isUserCorrect && isPasswordCorrect;
}
