import { Gauge } from 'prom-client';
import type { Metrics } from '../metrics.js';
import type { Database } from './database.js';

/** Only for processes with metrics: a clock process does not load the metrics library. */
export function registerPoolMetrics({ registry }: Metrics, db: Database): void {
  const registers = [registry];
  new Gauge({
    name: 'database_pool_connections',
    help: 'Connections to PostgreSQL by state, excluding those of the queues',
    labelNames: ['state'],
    registers,
    collect() {
      const { used, idle } = db.poolState();
      this.set({ state: 'used' }, used);
      this.set({ state: 'idle' }, idle);
    },
  });
  new Gauge({
    name: 'database_pool_connections_max',
    help: 'Maximum number of connections to PostgreSQL: DATABASE_POOL_SIZE',
    registers,
    collect() {
      this.set(db.poolState().maximum);
    },
  });
  new Gauge({
    name: 'database_pool_waiting',
    help: 'Statements and transactions waiting for a connection',
    registers,
    collect() {
      this.set(db.poolState().waiting);
    },
  });
}
