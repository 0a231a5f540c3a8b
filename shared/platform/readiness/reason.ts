import type { Reason } from './readiness.js';
import { isStorageFull } from '../storage/storageFull.js';
import { TimeoutError } from '../withTimeout.js';

export const notMigrated: Reason = 'not migrated: run `node dist/scripts/migrate.js`';
export const unreachable: Reason = 'the server cannot be reached';
export const searchSilent: Reason = 'the search engine does not respond';
export const checkFailed: Reason = 'the check has failed';
export const lowDiskSpace: Reason = 'less than STORAGE_MIN_FREE_BYTES left';

/** By system error code, SQLSTATE, or error name of an object store. */
const reasonsOfCodes: readonly (readonly [RegExp, Reason])[] = [
  [/^(28...|InvalidAccessKeyId|SignatureDoesNotMatch|AccessDenied)$/, 'the login is refused'],
  [/^(3D000|NoSuchBucket)$/, 'there is no database or bucket of this name'],
  [/^(42P01|3F000)$/, notMigrated],
  [/^(ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH)$/, unreachable],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'the host is unknown'],
  [/^(ETIMEDOUT|TimeoutError)$/, 'no response in time'],
  [/^53300$/, 'the server has too many connections'],
  [/^57P/, 'the server starts or stops'],
  [/^(EACCES|EPERM|EROFS|ENOTDIR)$/, 'the folder is not writable'],
];

/** Reasons of an unreachable server: during one outage, they may follow each other. */
const unreachableReasons = new Set<Reason>([
  unreachable,
  searchSilent,
  'the host is unknown',
  'no response in time',
  'the server has too many connections',
  'the server starts or stops',
]);

/** Whether the server itself is unreachable. */
export function isUnreachable(reason: Reason | null | undefined): boolean {
  return typeof reason === 'string' && unreachableReasons.has(reason);
}

interface Failure {
  readonly code?: unknown;
  readonly name?: unknown;
  readonly message?: unknown;
  /** Set by Sequelize: the error of the driver. */
  readonly parent?: unknown;
  readonly cause?: unknown;
}

/** The reason of a failed check, as a sentence that is safe to publish. */
export function reasonOf(error: unknown): Reason {
  if (isStorageFull(error)) return 'no space left';
  return knownReasonOf(error) ?? checkFailed;
}

function knownReasonOf(error: unknown): Reason | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  if (error instanceof TimeoutError) return 'no response in time';
  const { code, name, message, parent, cause } = error as Failure;
  // Redis errors have no codes.
  if (/^WRONGPASS|Authentication required/.test(String(message))) return 'the login is refused';
  const known = reasonsOfCodes.find(([form]) => form.test(String(code)) || form.test(String(name)));
  return known?.[1] ?? knownReasonOf(parent) ?? knownReasonOf(cause);
}
