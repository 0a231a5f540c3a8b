import { Gauge, type Registry } from 'prom-client';
import type { Clock } from '../systemClock.js';
import type { SqlDatabase } from '../database/sql.js';
import type { EngineName } from './search.js';

/** More marks are reported as this many: every process counts them at every scrape. */
const maxCountedMarks = 10_000;

interface Backlog {
  readonly engine: EngineName;
  readonly count: number;
  /** Null: none waits. */
  readonly oldest: Date | null;
}

/** Metrics of dirty marks, read from the table at each scrape. */
export function registerSearchMetrics(
  registry: Registry,
  db: SqlDatabase,
  clock: Clock,
  engines: readonly EngineName[],
): void {
  const gauge = (name: string, help: string, valueOf: (backlog: Backlog) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['engine'],
      registers: [registry],
      async collect() {
        const backlogs = await readBacklogs(db, engines);
        for (const engine of engines) {
          const row = backlogs.find((candidate) => candidate.engine === engine);
          this.set({ engine }, row ? valueOf(row) : 0);
        }
      },
    });
  gauge(
    'search_marks_documents',
    `Documents that wait to be written to an engine, ${maxCountedMarks} at most`,
    ({ count }) => count,
  );
  gauge('search_marks_age_seconds', 'Age of the oldest document that waits to be written to an engine', ({ oldest }) =>
    oldest ? Math.max(0, clock.now().getTime() - oldest.getTime()) / 1000 : 0,
  );
}

/** A database that is down must not make the scrape of the other figures fail. */
async function readBacklogs(db: SqlDatabase, engines: readonly EngineName[]): Promise<readonly Backlog[]> {
  const query = `
    SELECT engine,
           (SELECT count(*)::int FROM (SELECT FROM search_marks mark WHERE mark.engine = one.engine LIMIT ${maxCountedMarks}) AS counted) AS count,
           (SELECT min(marked_at) FROM search_marks mark WHERE mark.engine = one.engine) AS oldest
      FROM unnest($engines::text[]) AS one (engine)`;
  return db.rows<Backlog>(query, { engines }).catch(() => []);
}
