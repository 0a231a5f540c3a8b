import { sweepContents, sweepFiles } from '../shared/content/content.jobs.js';
import type { Job } from '../shared/platform/job.js';
import { sweepTicks } from '../shared/platform/platform.jobs.js';
import { sweepSearchDrift } from '../shared/platform/search/search.jobs.js';

/** What the clock asks for, and when: five cron fields, in UTC. */
export interface ScheduledTask {
  readonly name: string;
  readonly cron: string;
  readonly job: Job;
  readonly payload: object;
}

/** Ties a time to a job and its payload; another job's payload does not compile. */
function task<Payload extends object>(entry: {
  readonly name: string;
  readonly cron: string;
  readonly job: Job<string, Payload>;
  readonly payload: NoInfer<Payload>;
}): ScheduledTask {
  return entry as unknown as ScheduledTask;
}

/** Everything that happens by the clock. */
export const schedule: readonly ScheduledTask[] = [
  task({ name: 'content.sweep', cron: '* * * * *', job: sweepContents, payload: {} }),
  task({ name: 'content.sweepFiles', cron: '23 4 * * *', job: sweepFiles, payload: {} }),
  task({ name: 'platform.sweepTicks', cron: '17 3 * * *', job: sweepTicks, payload: {} }),
  task({ name: 'search.sweepDrift', cron: '40 2 * * *', job: sweepSearchDrift, payload: {} }),
];
