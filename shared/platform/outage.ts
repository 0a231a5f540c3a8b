import { isDatabaseAway } from './database/databaseErrors.js';
import { isStorageFull } from './storage/storageFull.js';

/** Error codes of the system, and (the last three) of the mail client. */
const networkError =
  /^E(CONNREFUSED|CONNRESET|TIMEDOUT|NOTFOUND|AI_AGAIN|HOSTUNREACH|NETUNREACH|SOCKET|CONNECTION|DNS)$/;

/**
 * Why an attempt failed that says nothing about its work, so that it counts as none; null for any other error. What tools
 * report of a full disk, `toolVerdict.ts` has recognized.
 */
export function outageOf(error: unknown): 'a server is away' | 'no space left on a disk' | null {
  if (isStorageFull(error)) return 'no space left on a disk';
  return isServerAway(error) ? 'a server is away' : null;
}

/** Whether an attempt failed because a server that it needs (database, storage, mail) could not be reached or has failed. */
function isServerAway(error: unknown): boolean {
  if (isDatabaseAway(error)) return true;
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  if (typeof code === 'string' && networkError.test(code)) return true;
  if (isStoreAway(error as StoreError)) return true;
  return typeof cause === 'object' && cause !== null && isServerAway(cause);
}

/** What the S3 client adds to errors after its last attempt. */
interface StoreError {
  readonly name?: unknown;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

function isStoreAway({ name, $metadata }: StoreError): boolean {
  const { httpStatusCode: status = 0 } = $metadata ?? {};
  // 501: the store has no such operation, and will have none later.
  return $metadata !== undefined && (name === 'TimeoutError' || (status >= 500 && status !== 501));
}
