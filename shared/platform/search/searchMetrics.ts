import { Gauge, type Registry } from 'prom-client';
import type { Clock } from '../systemClock.js';
import type { SqlDatabase } from '../database/sql.js';
import type { EngineName } from './search.js';

/** Counting stops at this number of marks, because every process counts them at every scrape. */
const maxCountedMarks = 10_000;

interface Backlog {
  readonly engine: EngineName;
  readonly count: number;
  /** Null: no mark is waiting. */
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
    `Documents waiting to be written to an engine, at most ${maxCountedMarks}`,
    ({ count }) => count,
  );
  gauge('search_marks_age_seconds', 'Age of the oldest document waiting to be written to an engine', ({ oldest }) =>
    oldest ? Math.max(0, clock.now().getTime() - oldest.getTime()) / 1000 : 0,
  );
}

/** A database that is down must not prevent the other metrics. */
async function readBacklogs(db: SqlDatabase, engines: readonly EngineName[]): Promise<readonly Backlog[]> {
  const query = `
    SELECT engine,
           (SELECT count(*)::int FROM (SELECT FROM search_marks mark WHERE mark.engine = one.engine LIMIT ${maxCountedMarks}) AS counted) AS count,
           (SELECT min(marked_at) FROM search_marks mark WHERE mark.engine = one.engine) AS oldest
      FROM unnest($engines::text[]) AS one (engine)`;
  return db.rows<Backlog>(query, { engines }).catch(() => []);
}
