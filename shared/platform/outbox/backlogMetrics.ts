import { Gauge } from 'prom-client';
import type { Clock } from '../clock.js';
import type { Database } from '../database/database.js';
import type { Metrics } from '../metrics.js';
import { within } from '../queue/within.js';
import type { Queues } from '../queue/queue.js';

/** Nobody who looks at the figures waits longer for a server that is away; its figures are then missing. */
const patienceMs = 2_000;
const shownStates = ['waiting', 'active', 'delayed', 'failed'] as const;

/** What is asked for and not yet done, asked of the tables and queues when somebody looks. */
export function registerBacklogMetrics({ registry }: Metrics, db: Database, queues: Queues, clock: Clock): void {
  const registers = [registry];
  const outbox = async (): Promise<Partial<Waiting>> =>
    (await response(db.rows<Waiting>('SELECT count(*)::int AS count, min(created_at) AS oldest FROM outbox')))[0] ?? {};
  new Gauge({
    name: 'outbox_rows',
    help: 'Jobs committed and not yet published',
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
          ...(await response(queue.getJobCounts(...shownStates, 'prioritized'))),
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

interface Waiting {
  readonly count: number;
  readonly oldest: Date | null;
}

/** Nothing where the server does not answer: figures of others must not be held up. */
async function response<Result extends object>(work: Promise<Result>): Promise<Partial<Result>> {
  return within(patienceMs, work).catch(() => ({}));
}
