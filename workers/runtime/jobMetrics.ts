import { Counter, Gauge, Histogram } from 'prom-client';
import type { Metrics } from '../../shared/platform/metrics.js';

/** `returned`: put back without counting an attempt. `lost`: another worker has the job. */
const results = ['completed', 'retried', 'failed', 'returned', 'lost'] as const;

export type JobResult = (typeof results)[number];

export interface JobMetrics {
  ended(queue: string, job: string, result: JobResult, seconds: number): void;
  /** 1: a handler has ignored its abort and still runs. -1: it has ended after all. */
  abandoned(queue: string, job: string, change: 1 | -1): void;
}

/** Number and duration of attempts by queue, job and result. The counters of `served` jobs begin at 0. */
export function createJobMetrics(
  { registry }: Metrics,
  served: readonly { readonly queue: string; readonly name: string }[],
): JobMetrics {
  const attempts =
    existing<Counter<'queue' | 'job' | 'result'>>(registry, 'jobs_total') ??
    new Counter({
      name: 'jobs_total',
      help: 'Job attempts',
      labelNames: ['queue', 'job', 'result'],
      registers: [registry],
    });
  const duration =
    existing<Histogram<'queue' | 'job'>>(registry, 'job_duration_seconds') ??
    new Histogram({
      name: 'job_duration_seconds',
      help: 'Duration of one attempt in seconds',
      labelNames: ['queue', 'job'],
      buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 30, 60, 300, 900, 3_600],
      registers: [registry],
    });
  const abandoned =
    existing<Gauge<'queue' | 'job'>>(registry, 'jobs_abandoned') ??
    new Gauge({
      name: 'jobs_abandoned',
      help: 'Handlers that still run after the end of their aborted attempt',
      labelNames: ['queue', 'job'],
      registers: [registry],
    });
  for (const { queue, name: job } of served) {
    for (const result of results) attempts.inc({ queue, job, result }, 0);
    abandoned.inc({ queue, job }, 0);
  }
  return {
    ended(queue, job, result, seconds) {
      attempts.inc({ queue, job, result });
      duration.observe({ queue, job }, seconds);
    },
    abandoned: (queue, job, change) => abandoned.inc({ queue, job }, change),
  };
}

/** Returns a registered metric: a process that restarts its workers, such as a test, continues its counters. */
function existing<Metric>(registry: Metrics['registry'], name: string): Metric | undefined {
  return registry.getSingleMetric(name) as Metric | undefined;
}
