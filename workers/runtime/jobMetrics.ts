import { Counter, Histogram } from 'prom-client';
import type { Metrics } from '../../shared/platform/metrics.js';

/** `returned`: put back without spending an attempt. `lost`: another worker has it. */
export type JobResult = 'completed' | 'retried' | 'failed' | 'returned' | 'lost';

export interface JobMetrics {
  ended(queue: string, job: string, result: JobResult, seconds: number): void;
}

/** Attempts by queue, job and result, and how long they took. */
export function createJobMetrics({ registry }: Metrics): JobMetrics {
  const attempts =
    existing<Counter<'queue' | 'job' | 'result'>>(registry, 'jobs_total') ??
    new Counter({
      name: 'jobs_total',
      help: 'Attempts at jobs',
      labelNames: ['queue', 'job', 'result'],
      registers: [registry],
    });
  const duration =
    existing<Histogram<'queue' | 'job'>>(registry, 'job_duration_seconds') ??
    new Histogram({
      name: 'job_duration_seconds',
      help: 'Time of one attempt',
      labelNames: ['queue', 'job'],
      buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 30, 60, 300, 900, 3_600],
      registers: [registry],
    });
  return {
    ended(queue, job, result, seconds) {
      attempts.inc({ queue, job, result });
      duration.observe({ queue, job }, seconds);
    },
  };
}

/** A process that stops and starts its workers, as tests do, goes on counting where it was. */
function existing<Metric>(registry: Metrics['registry'], name: string): Metric | undefined {
  return registry.getSingleMetric(name) as Metric | undefined;
}
