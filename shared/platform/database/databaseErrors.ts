/** Classifies failed statements, for modules that do not know the driver. */

interface DriverError {
  readonly name?: string;
  readonly message?: string;
  readonly code?: string;
  readonly constraint?: string;
  readonly detail?: string;
  readonly where?: string;
  readonly parent?: DriverError;
  readonly cause?: unknown;
}

/** Class 08 (connection), 53 (resources), 57P (operator intervention); the driver's own messages for a lost connection. */
const unreachableStates = /^(08|53|57P)/;
const unreachableCodes = /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;
const lineCut =
  /Connection terminated|connection timeout|Client has encountered a connection error|timeout exceeded when trying to connect/i;

/** Whether a statement failed because the server is unreachable: the caller may try again (503). */
export function isDatabaseUnreachable(error: unknown): boolean {
  const { name = '', parent, message = '' } = asDriverError(error);
  if (/^Sequelize(Connection|Host|InvalidConnection|AccessDenied)/.test(name)) return true;
  if (!name.startsWith('Sequelize')) return false;
  const { code = '' } = parent ?? {};
  return unreachableStates.test(code) || unreachableCodes.test(code) || lineCut.test(message);
}

/**
 * Whether the server cancelled a statement: it took longer than `statement_timeout` or its bounds permit. The caller may
 * try again (503).
 */
export function isStatementCancelled(error: unknown): boolean {
  return asDriverError(error).parent?.code === '57014';
}

/** PostgreSQL's reason for rolling a transaction back: processes and relations, no values. */
export interface Conflict {
  readonly code: string;
  readonly detail: string | undefined;
  readonly where: string | undefined;
}

/** Deadlock, and serialization failure. */
export const conflictCodes: readonly string[] = ['40P01', '40001'];

/** Null for any other error. */
export function conflictOf(error: unknown): Conflict | null {
  const { code = '', detail, where } = asDriverError(error).parent ?? {};
  return conflictCodes.includes(code) ? { code, detail, where } : null;
}

/** Whether a statement names a table that does not exist: no migration has run there. */
export function isTableMissing(error: unknown): boolean {
  return asDriverError(error).parent?.code === '42P01';
}

/**
 * Whether a statement names a table, column or function that does not exist: in correct code this means that the schema is
 * outdated.
 */
export function isSchemaOutdated(error: unknown): boolean {
  return ['42P01', '42703', '42883', '42704', '42P10'].includes(asDriverError(error).parent?.code ?? '');
}

/** Whether a statement writes, and the server is read-only because it is a replica. */
export function isWriteRejected(error: unknown): boolean {
  return asDriverError(error).parent?.code === '25006';
}

/** Name of the unique index that rejected a row, or undefined for any other error. */
export function violatedUniqueIndex(error: unknown): string | undefined {
  const { parent } = asDriverError(error);
  return parent?.code === '23505' ? parent.constraint : undefined;
}

function asDriverError(error: unknown): DriverError {
  return typeof error === 'object' && error !== null ? error : {};
}

/** Name of the foreign key that rejected a change: the row is still referred to, or the referenced row is deleted. */
export function violatedForeignKey(error: unknown): string | undefined {
  const { parent } = asDriverError(error);
  return parent?.code === '23503' ? parent.constraint : undefined;
}
