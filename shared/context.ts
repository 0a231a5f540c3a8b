import { ChannelTimelines } from './cast/channelTimeline.js';
import { channelClockOf, DatabaseClock } from './cast/channelClock.js';
import { createStillFiles } from './cast/stillFiles.queries.js';
import { ContentStateFeed } from './content/contentStateFeed.js';
import { ImageQueue } from './content/imageQueue.js';
import { createSegmentFiles } from './content/segmentFiles.js';
import { indexes } from './indexes.js';
import { messages } from './messages.js';
import { models } from './models.js';
import { createAccessCache } from './oauth/accessCache.js';
import { Concurrency } from './platform/concurrency.js';
import { systemClock, type Clock } from './platform/clock.js';
import type { Config } from './platform/config.js';
import type { Context } from './platform/context.js';
import { openDatabase, statementTimeoutMsOf } from './platform/database/database.js';
import { createTranslate } from './platform/i18n.js';
import { openPayments } from './payment/paymentContext.js';
import { createLogger, type Logger } from './platform/log.js';
import { openMailer } from './platform/mail/mail.js';
import { createMetrics } from './platform/metrics.js';
import { createOutbox, type OpenOutbox } from './platform/outbox/openOutbox.js';
import { openQueues } from './platform/queue/queue.js';
import { openSearch } from './platform/search/openSearch.js';
import { openStorage } from './platform/storage/openStorage.js';
import { createCastCaches } from './playback/castPlaylist.queries.js';
import { createLiveCaches } from './streaming/liveTimeline.js';
import { openPasswordThreads, type PasswordCost } from './platform/security/passwordThreads.js';
import { purchases } from './purchases.js';

/** A context with the end of its life: `close` ends what was opened, last in first out, once. */
export interface OpenContext extends Context {
  readonly outbox: OpenOutbox;
  close(): Promise<void>;
}

/** Opens everything a process needs, without waiting for a server: if one is down, its first use fails. */
export async function openContext(
  config: Config,
  given: { clock?: Clock; log?: Logger; passwordCost?: PasswordCost } = {},
): Promise<OpenContext> {
  const storage = await openStorage(config);
  const mailer = await openMailer(config);
  const clock = given.clock ?? systemClock;
  const log = given.log ?? createLogger({ process: config.process, level: config.logLevel });
  const metrics = createMetrics(config.process);
  const { url, poolSize } = config.database;
  const db = openDatabase({ url, poolSize, models, statementTimeoutMs: statementTimeoutMsOf(config) });
  const queues = openQueues({ config, log });
  const outbox = createOutbox({ db, queues, clock, log, metrics });
  const { search, close: closeSearch } = await openSearch({
    config,
    db,
    outbox,
    clock,
    log,
    metrics,
    indexes,
    context: () => context,
  });
  const payments = openPayments({ config, db, clock }, purchases);
  const translate = createTranslate(messages);
  const passwordThreads = openPasswordThreads(given.passwordCost);
  const liveCaches = createLiveCaches();
  let closing: Promise<void> | undefined;
  const context: OpenContext = {
    config,
    log,
    clock,
    db,
    queues,
    outbox,
    search,
    storage,
    mailer,
    payments,
    metrics,
    concurrency: new Concurrency(),
    passwordThreads,
    translate,
    accessCache: createAccessCache(clock),
    images: new ImageQueue(),
    contentStateFeed: new ContentStateFeed(),
    unwrittenBand: new Map(),
    segmentFiles: createSegmentFiles(),
    stillFiles: createStillFiles(),
    castCaches: createCastCaches(),
    liveCaches,
    channelTimelines: new ChannelTimelines(),
    channelClock: given.clock ? channelClockOf(given.clock) : new DatabaseClock(),
    close: () =>
      (closing ??= closeInTurn([
        async () => liveCaches.parts.close(),
        () => outbox.close(),
        closeSearch,
        () => mailer.close(),
        () => passwordThreads.close(),
        () => queues.close(),
        () => db.close(),
      ])),
  };
  return context;
}

async function closeInTurn(steps: readonly (() => Promise<void>)[]): Promise<void> {
  for (const step of steps) await step();
}
