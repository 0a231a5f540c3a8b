import { Gauge } from 'prom-client';
import type { Metrics } from '../metrics.js';
import type { Database } from './database.js';
import { poolOf } from './sequelizeInternals.js';

/** Of processes that have metrics: a clock does not load the library. */
export function registerPoolMetrics({ registry }: Metrics, db: Database): void {
  const registers = [registry];
  new Gauge({
    name: 'database_pool_connections',
    help: 'Connections to PostgreSQL by state, without those of the queues',
    labelNames: ['state'],
    registers,
    collect() {
      const { using, available } = poolOf(db.sequelize);
      this.set({ state: 'used' }, using);
      this.set({ state: 'idle' }, available);
    },
  });
  new Gauge({
    name: 'database_pool_connections_max',
    help: 'Most connections to PostgreSQL: DATABASE_POOL_SIZE',
    registers,
    collect() {
      this.set(poolOf(db.sequelize).maxSize);
    },
  });
  new Gauge({
    name: 'database_pool_waiting',
    help: 'Statements and transactions that wait for a connection',
    registers,
    collect() {
      this.set(poolOf(db.sequelize).waiting);
    },
  });
}
