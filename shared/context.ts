import { CastTimelines } from './cast/castTimeline.js';
import { createCalendarTurns } from './cast/programming/calendarTurns.js';
import { createStillFiles } from './cast/stillFiles.queries.js';
import { ContentStateFeed } from './content/contentStateFeed.js';
import { ImageQueue } from './content/imageQueue.js';
import { createCaptionCues, createPlayedCaptions } from './caption/caption.queries.js';
import { createSegmentFiles } from './content/segmentFiles.js';
import { events } from './events.js';
import { indexes } from './indexes.js';
import { messages } from './messages.js';
import { models } from './models.js';
import { createAccessCache } from './oauth/accessCache.js';
import { Concurrency } from './platform/concurrency.js';
import { systemClock, type Clock } from './platform/clock.js';
import type { Config } from './platform/config.js';
import type { Context } from './platform/context.js';
import { conflictCounter } from './platform/database/conflictMetrics.js';
import { reportConflicts } from './platform/database/conflicts.js';
import { DatabaseClock, databaseTimeOf } from './platform/database/databaseTime.js';
import { openDatabase, statementTimeoutMsOf } from './platform/database/database.js';
import { registerPoolMetrics } from './platform/database/poolMetrics.js';
import { createTranslate } from './platform/i18n.js';
import { openPayments } from './payment/paymentContext.js';
import { createLogger, type Logger } from './platform/log.js';
import { openMailer } from './platform/mail/mail.js';
import { createMetrics } from './platform/metrics.js';
import { openInTurn, type Closable, type OnClose } from './platform/openInTurn.js';
import { createOutbox, type OpenOutbox } from './platform/outbox/openOutbox.js';
import { openQueues } from './platform/queue/queue.js';
import { processNameOf } from './platform/processName.js';
import { dependencyChecks } from './platform/readiness/dependencyChecks.js';
import { createReadiness } from './platform/readiness/readiness.js';
import { registerReadinessMetrics } from './platform/readiness/readinessMetrics.js';
import { openSearch } from './platform/search/openSearch.js';
import { openStorage } from './platform/storage/openStorage.js';
import { createCastCaches } from './playback/castPlaylist.queries.js';
import { createAiredContents } from './playback/airedContent.queries.js';
import { createCastLanguages } from './playback/castLanguages.queries.js';
import { createCaptionParts } from './playback/captions/captionPlaylist.queries.js';
import { createTrackFiles } from './playback/tracks/trackFile.queries.js';
import { createLiveCaches } from './streaming/liveTimeline.js';
import { openPasswordThreads, type PasswordCost } from './platform/security/passwordThreads.js';
import { purchases } from './purchases.js';
import { createEventRecorder } from './webhook/eventRecorder.js';

/** A context with the end of its life: `close` ends what was opened, last in first out, once. */
export interface OpenContext extends Context, Closable {
  readonly outbox: OpenOutbox;
}

interface Given {
  readonly clock?: Clock;
  readonly log?: Logger;
  readonly passwordCost?: PasswordCost;
}

/**
 * Opens everything a process needs, without waiting for a server: if one is down, its first use fails. Where opening fails half way,
 * what was opened is closed.
 */
export function openContext(config: Config, given: Given = {}): Promise<OpenContext> {
  return openInTurn((onClose) => open(config, given, onClose));
}

async function open(config: Config, given: Given, onClose: OnClose): Promise<Omit<OpenContext, 'close'>> {
  const clock = given.clock ?? systemClock;
  const log = given.log ?? createLogger({ process: processNameOf(config), level: config.logLevel });
  const metrics = createMetrics(processNameOf(config), config.buildCommit);
  const storage = await openStorage(config, log);
  const mailer = await openMailer(config);
  onClose(() => mailer.close());
  const { url, poolSize } = config.database;
  const db = openDatabase({
    ...{ url, poolSize, models, statementTimeoutMs: statementTimeoutMsOf(config) },
    onConflict: reportConflicts(log, conflictCounter(metrics)),
  });
  onClose(() => db.close());
  registerPoolMetrics(metrics, db);
  const queues = openQueues({ config, log });
  onClose(() => queues.close());
  const passwordThreads = openPasswordThreads(given.passwordCost);
  onClose(() => passwordThreads.close());
  const outbox = createOutbox({ db, queues, clock, log, metrics });
  onClose(() => outbox.close());
  const { search, close: closeSearch } = await openSearch({
    ...{ config, db, outbox, clock, log, metrics, indexes },
    context: () => context,
  });
  onClose(closeSearch);
  const readiness = createReadiness(log, dependencyChecks({ config, db, queues, search, storage }));
  onClose(() => readiness.close());
  registerReadinessMetrics(metrics, config, readiness);
  const liveCaches = createLiveCaches();
  onClose(() => liveCaches.parts.close());
  const context: Omit<OpenContext, 'close'> = {
    ...{
      config,
      log,
      clock,
      db,
      queues,
      outbox,
      search,
      storage,
      mailer,
      metrics,
      passwordThreads,
      readiness,
      liveCaches,
    },
    databaseTime: given.clock ? databaseTimeOf(given.clock) : new DatabaseClock(),
    payments: openPayments({ config, db, clock, metrics }, purchases),
    concurrency: new Concurrency(),
    events: createEventRecorder(events, () => context),
    translate: createTranslate(messages),
    accessCache: createAccessCache(clock),
    images: new ImageQueue(),
    calendarTurns: createCalendarTurns(),
    contentStateFeed: new ContentStateFeed(),
    unwrittenBand: new Map(),
    segmentFiles: createSegmentFiles(),
    captionCues: createCaptionCues(),
    playedCaptions: createPlayedCaptions(),
    captionParts: createCaptionParts(),
    airedContents: createAiredContents(),
    castLanguages: createCastLanguages(),
    stillFiles: createStillFiles(),
    castCaches: createCastCaches(),
    trackFiles: createTrackFiles(),
    channelTimelines: new CastTimelines(),
  };
  return context;
}
