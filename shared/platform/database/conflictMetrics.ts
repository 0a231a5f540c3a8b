import { Counter } from 'prom-client';
import type { Metrics } from '../metrics.js';
import { conflictCodes } from './databaseErrors.js';

/** Of processes that have metrics: a clock does not load the library. */
export function conflictCounter({ registry }: Metrics): Counter<'code'> {
  const conflicts = new Counter({
    name: 'database_conflicts_total',
    help: 'Transactions that PostgreSQL has rolled back because of others; all but the last attempt are tried again',
    labelNames: ['code'],
    registers: [registry],
  });
  for (const code of conflictCodes) conflicts.inc({ code }, 0);
  return conflicts;
}
