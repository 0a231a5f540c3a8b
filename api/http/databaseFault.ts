import type { ProcessContext } from '../../shared/platform/processContext.js';
import {
  conflictOf,
  isDatabaseAway,
  isSchemaOutdated,
  isStatementCancelled,
} from '../../shared/platform/database/databaseErrors.js';

/**
 * Why the database has refused what may be tried again later (503), for the log; null for any other error. Where the migrations
 * have run, a missing table or column is a defect of ours.
 */
export function databaseFaultOf({ readiness }: Pick<ProcessContext, 'readiness'>, error: unknown): string | null {
  if (isDatabaseAway(error)) return 'database unavailable';
  if (conflictOf(error)) return 'deadlock';
  if (isStatementCancelled(error)) return 'statement timeout';
  return isSchemaOutdated(error) && readiness.known().database !== null ? 'database not migrated' : null;
}
