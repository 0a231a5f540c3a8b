import { Gauge } from 'prom-client';
import type { Clock } from '../clock.js';
import type { Database } from '../database/database.js';
import type { Metrics } from '../metrics.js';
import type { EngineName } from './search.js';

interface Waiting {
  readonly engine: EngineName;
  readonly count: number;
  readonly oldest: Date;
}

/** How many documents wait to be written, and for how long: read when the metrics are, never kept up beside the rows. */
export function countMarks(metrics: Metrics, db: Database, clock: Clock, engines: readonly EngineName[]): void {
  const gauge = (name: string, help: string, valueOf: (waiting: Waiting) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['engine'],
      registers: [metrics.registry],
      async collect() {
        const waiting = await readWaiting(db);
        for (const engine of engines) {
          const row = waiting.find((candidate) => candidate.engine === engine);
          this.set({ engine }, row ? valueOf(row) : 0);
        }
      },
    });
  gauge('search_dirty_documents', 'Documents that wait to be written to an engine', ({ count }) => count);
  gauge(
    'search_dirty_age_seconds',
    'Age of the oldest document that waits to be written to an engine',
    ({ oldest }) => Math.max(0, clock.now().getTime() - oldest.getTime()) / 1000,
  );
}

/** While the database is away there is nothing to say, and the scrape must not fail for it. */
async function readWaiting(db: Database): Promise<readonly Waiting[]> {
  const query = 'SELECT engine, count(*)::int AS count, min(marked_at) AS oldest FROM search_dirty GROUP BY engine';
  return db.rows<Waiting>(query).catch(() => []);
}
