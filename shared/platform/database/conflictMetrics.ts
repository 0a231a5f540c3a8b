import { Counter } from 'prom-client';
import type { Metrics } from '../metrics.js';
import { conflictCodes } from './databaseErrors.js';

/** Only for processes with metrics: a clock process does not load the metrics library. */
export function conflictCounter({ registry }: Metrics): Counter<'code'> {
  const conflicts = new Counter({
    name: 'database_conflicts_total',
    help: 'Transactions rolled back by PostgreSQL because of a deadlock or a serialization failure; all but the last attempt are retried',
    labelNames: ['code'],
    registers: [registry],
  });
  for (const code of conflictCodes) conflicts.inc({ code }, 0);
  return conflicts;
}
