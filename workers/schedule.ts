import { sweepUploads } from '../shared/upload/upload.jobs.js';
import { extendAllChannels, sweepAirings, sweepPreparations, sweepRights } from '../shared/cast/cast.jobs.js';
import { sweepContents, sweepFiles, sweepThumbnails } from '../shared/content/content.jobs.js';
import { noticeLicenses } from '../shared/license/license.jobs.js';
import { sweepRecordings } from '../shared/live/recording.jobs.js';
import { sweepTokens } from '../shared/oauth/oauth.jobs.js';
import { auditLedger, sweepPayments } from '../shared/payment/payment.jobs.js';
import type { Config } from '../shared/platform/config.js';
import type { Job } from '../shared/platform/queue/index.js';
import { sweepPlatform } from '../shared/platform/platform.jobs.js';
import { drainSearch, sweepSearchDrift } from '../shared/platform/search/index.js';
import { sweepSubscriptions } from '../shared/bundle/subscription.jobs.js';
import { sweepWebhooks } from '../shared/webhook/webhook.jobs.js';
import { sweepStreams } from '../shared/streaming/streaming.jobs.js';

/** A job that the clock enqueues. `cron` has five fields, in UTC. */
export interface ScheduledTask {
  readonly name: string;
  readonly cron: string;
  readonly job: Job;
  readonly payload: object;
  /** Whether a deployment with these settings needs the task. Default: it does. */
  readonly when?: (config: Config) => boolean;
}

/** Ensures by type that the payload matches the job. */
function task<Payload extends object>(entry: {
  readonly name: string;
  readonly cron: string;
  readonly job: Job<string, Payload>;
  readonly payload: NoInfer<Payload>;
  readonly when?: (config: Config) => boolean;
}): ScheduledTask {
  return entry as unknown as ScheduledTask;
}

/** All scheduled tasks. */
export const schedule: readonly ScheduledTask[] = [
  task({ name: 'box.sweepUploads', cron: '*/5 * * * *', job: sweepUploads, payload: {} }),
  task({ name: 'box.sweepThumbnails', cron: '51 * * * *', job: sweepThumbnails, payload: {} }),
  task({ name: 'cast.extendAll', cron: '* * * * *', job: extendAllChannels, payload: {} }),
  task({ name: 'cast.sweepPreparations', cron: '* * * * *', job: sweepPreparations, payload: {} }),
  task({ name: 'cast.sweepRights', cron: '*/5 * * * *', job: sweepRights, payload: {} }),
  task({ name: 'cast.sweepAirings', cron: '*/5 * * * *', job: sweepAirings, payload: {} }),
  task({ name: 'content.sweep', cron: '* * * * *', job: sweepContents, payload: {} }),
  task({ name: 'content.sweepFiles', cron: '23 4 * * *', job: sweepFiles, payload: {} }),
  task({ name: 'license.notice', cron: '*/10 * * * *', job: noticeLicenses, payload: {} }),
  task({ name: 'live.sweepRecordings', cron: '* * * * *', job: sweepRecordings, payload: {} }),
  task({ name: 'oauth.sweep', cron: '37 * * * *', job: sweepTokens, payload: {} }),
  task({ name: 'payment.audit', cron: '11 3 * * *', job: auditLedger, payload: {} }),
  task({ name: 'payment.sweep', cron: '* * * * *', job: sweepPayments, payload: {} }),
  task({ name: 'platform.sweep', cron: '7-59/10 * * * *', job: sweepPlatform, payload: {} }),
  task({ name: 'search.drainPostgres', cron: '* * * * *', job: drainSearch, payload: { engine: 'postgres' } }),
  task({
    name: 'search.drainMeilisearch',
    cron: '* * * * *',
    job: drainSearch,
    payload: { engine: 'meilisearch' },
    when: ({ meili }) => meili !== null,
  }),
  task({ name: 'search.sweepDrift', cron: '40 2 * * *', job: sweepSearchDrift, payload: {} }),
  task({ name: 'bundle.sweepSubscriptions', cron: '* * * * *', job: sweepSubscriptions, payload: {} }),
  task({ name: 'webhook.sweep', cron: '*/5 * * * *', job: sweepWebhooks, payload: {} }),
  task({ name: 'streaming.sweep', cron: '* * * * *', job: sweepStreams, payload: {} }),
];

/** The scheduled tasks of a deployment with these settings. */
export function scheduleOf(config: Config): readonly ScheduledTask[] {
  return schedule.filter(({ when }) => when?.(config) ?? true);
}
