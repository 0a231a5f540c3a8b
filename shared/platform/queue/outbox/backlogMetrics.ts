import { Gauge, type Registry } from 'prom-client';
import type { Clock } from '../../systemClock.js';
import type { SqlDatabase } from '../../database/sql.js';
import { withTimeout } from '../../withTimeout.js';
import type { Queues } from '../queue.js';

/** Timeout of a scrape for a server that does not respond; the figures of that server are then missing. */
const timeoutMs = 2_000;
/** Counting stops at this number of rows, because every process counts them at every scrape. */
const maxCounted = 10_000;
const shownStates = ['waiting', 'active', 'delayed', 'failed'] as const;

/** Metrics of committed, unfinished jobs, read from the tables and queues at each scrape. */
export function registerBacklogMetrics(registry: Registry, db: SqlDatabase, queues: Queues, clock: Clock): void {
  const registers = [registry];
  const outbox = async (): Promise<Partial<Backlog>> => {
    const rows = db.rows<Backlog>(
      `SELECT (SELECT count(*)::int FROM (SELECT FROM outbox LIMIT ${maxCounted}) AS counted) AS count,
              (SELECT created_at FROM outbox ORDER BY id LIMIT 1) AS oldest`,
    );
    return (await emptyOnFailure(rows))[0] ?? {};
  };
  new Gauge({
    name: 'outbox_rows',
    help: `Jobs committed and not yet published, at most ${maxCounted}`,
    registers,
    async collect() {
      const { count } = await outbox();
      if (count === undefined) this.remove();
      else this.set(count);
    },
  });
  new Gauge({
    name: 'outbox_oldest_age_seconds',
    help: 'Age of the oldest job not yet published',
    registers,
    async collect() {
      const { oldest } = await outbox();
      if (oldest === undefined) this.remove();
      else this.set(oldest ? Math.max(0, (clock.now().getTime() - oldest.getTime()) / 1_000) : 0);
    },
  });
  new Gauge({
    name: 'queue_jobs',
    help: 'Jobs in the queues',
    labelNames: ['queue', 'state'],
    registers,
    async collect() {
      this.reset();
      const counts = await Promise.all(
        queues.all().map(async (queue) => ({
          queue: queue.name,
          ...(await emptyOnFailure(queue.getJobCounts(...shownStates, 'prioritized'))),
        })),
      );
      for (const { queue, prioritized = 0, ...states } of counts as ({ queue: string } & Record<string, number>)[]) {
        for (const state of shownStates) {
          const count = states[state];
          if (count !== undefined) this.set({ queue, state }, state === 'waiting' ? count + prioritized : count);
        }
      }
    },
  });
}

interface Backlog {
  readonly count: number;
  readonly oldest: Date | null;
}

/** A server that is down must not prevent the other metrics. */
async function emptyOnFailure<Result extends object>(work: Promise<Result>): Promise<Partial<Result>> {
  return withTimeout(work, timeoutMs).catch(() => ({}));
}
