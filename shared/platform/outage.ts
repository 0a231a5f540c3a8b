import { isDatabaseUnreachable } from './database/databaseErrors.js';
import { isStorageFull } from './storage/storageFull.js';

/** Error codes of the system, and (the last three) of the mail client. */
const networkError =
  /^E(CONNREFUSED|CONNRESET|TIMEDOUT|NOTFOUND|AI_AGAIN|HOSTUNREACH|NETUNREACH|SOCKET|CONNECTION|DNS)$/;

/**
 * The reason if an attempt failed because of an outage, so that it does not count as an attempt; null for any other error.
 * `toolVerdict.ts` recognizes a full disk in the output of tools.
 */
export function outageOf(error: unknown): 'server unreachable' | 'no space left on a disk' | null {
  if (isStorageFull(error)) return 'no space left on a disk';
  return isServerUnreachable(error) ? 'server unreachable' : null;
}

/** Whether a server that the attempt needs (database, storage, mail) was unreachable or has failed. */
function isServerUnreachable(error: unknown): boolean {
  if (isDatabaseUnreachable(error)) return true;
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  if (typeof code === 'string' && networkError.test(code)) return true;
  if (isStoreUnreachable(error as StoreError)) return true;
  return typeof cause === 'object' && cause !== null && isServerUnreachable(cause);
}

/** Members that the S3 client adds to errors after its last attempt. */
interface StoreError {
  readonly name?: unknown;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

function isStoreUnreachable({ name, $metadata }: StoreError): boolean {
  const { httpStatusCode: status = 0 } = $metadata ?? {};
  // 501: the store does not support the operation, so retrying is useless.
  return $metadata !== undefined && (name === 'TimeoutError' || (status >= 500 && status !== 501));
}
