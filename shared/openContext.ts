import { indexes } from './indexes.js';
import { messages } from './messages.js';
import { models } from './models.js';
import { systemClock, type Clock } from './platform/systemClock.js';
import type { Config } from './platform/config.js';
import { ContextParts } from './platform/contextParts.js';
import type { ProcessContext, ReplicaReads } from './platform/processContext.js';
import type { Context } from './platform/context.js';
import { conflictCounter } from './platform/database/conflictMetrics.js';
import { reportConflicts } from './platform/database/conflicts.js';
import { DatabaseClock, databaseTimeOf } from './platform/database/databaseTime.js';
import { openDatabase, statementTimeoutMsOf } from './platform/database/openDatabase.js';
import { openReplica } from './platform/database/openReplica.js';
import { registerReplicaMetrics } from './platform/database/replicaMetrics.js';
import { registerPoolMetrics } from './platform/database/poolMetrics.js';
import { createTranslate } from './platform/i18n.js';
import { openPayments } from './payment/paymentContext.js';
import { queueOptionsOf, searchOptionsOf } from './platform/librarySettings.js';
import { createLogger } from './platform/createLogger.js';
import type { Logger, OutageReceiver } from './platform/log.js';
import { openMailer } from './platform/mail/openMailer.js';
import { createMetrics } from './platform/metrics.js';
import { openInOrder, type Closable, type OnClose } from './platform/openInOrder.js';
import { openOutbox, openQueues, type OpenOutbox } from './platform/queue/index.js';
import { processNameOf } from './platform/processName.js';
import { dependencyChecks } from './platform/readiness/dependencyChecks.js';
import { createReadiness } from './platform/readiness/createReadiness.js';
import { registerReadinessMetrics } from './platform/readiness/readinessMetrics.js';
import { openTracing } from './platform/tracing/openTracing.js';
import { openSearch } from './platform/search/index.js';
import { openStorage } from './platform/storage/openStorage.js';
import { purchases } from './purchases.js';
import { createEventRecorder } from './webhook/eventRecorder.js';

/** A context that can be closed: `close` closes its parts once, last in first out. */
export interface OpenContext extends ProcessContext, Closable {
  readonly outbox: OpenOutbox;
}

interface ContextOverrides {
  readonly clock?: Clock;
  readonly log?: Logger;
  /** Replaces the parts that would be created. */
  readonly parts?: ContextParts;
}

/**
 * Opens the resources of a process, without waiting for a server: if one is down, its first use fails. If opening fails, the
 * resources opened so far are closed.
 */
export function openContext(config: Config, overrides: ContextOverrides = {}): Promise<OpenContext> {
  return openInOrder((onClose) => open(config, overrides, onClose));
}

async function open(
  config: Config,
  overrides: ContextOverrides,
  onClose: OnClose,
): Promise<Omit<OpenContext, 'close'>> {
  const clock = overrides.clock ?? systemClock;
  const outages: OutageReceiver = {};
  const log = overrides.log ?? createLogger({ process: processNameOf(config), level: config.logLevel, outages });
  const metrics = createMetrics(processNameOf(config), config.buildCommit);
  const tracing = await openTracing(config, log);
  onClose(() => tracing?.close());
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
  const replica = openReplicaReads({ config, log, metrics, db }, () => context);
  onClose(() => replica?.close());
  const queues = await openQueues({ ...queueOptionsOf(config), log });
  onClose(() => queues.close());
  const outbox = await openOutbox({ db, queues, clock, log, metrics, tracing });
  onClose(() => outbox.close());
  const { search, close: closeSearch } = await openSearch({
    ...{ ...searchOptionsOf(config), db, outbox, clock, log, metrics, indexes },
    context: () => context,
  });
  onClose(closeSearch);
  const readiness = createReadiness(log, dependencyChecks({ config, db, queues, search, storage, mailer }), outages);
  onClose(() => readiness.close());
  registerReadinessMetrics(metrics, config, readiness);
  const parts = overrides.parts ?? new ContextParts();
  onClose(() => parts.close());
  const context: Omit<OpenContext, 'close'> = {
    ...{
      config,
      log,
      clock,
      db,
      replica,
      queues,
      outbox,
      search,
      storage,
      mailer,
      metrics,
      tracing,
      readiness,
      parts,
    },
    databaseTime: overrides.clock ? databaseTimeOf(overrides.clock) : new DatabaseClock(),
    payments: openPayments({ config, db, clock, metrics }, purchases),
    events: createEventRecorder(() => context),
    translate: createTranslate(messages),
  };
  return context;
}

/** Only web processes read from a replica. */
function openReplicaReads(
  { config, log, metrics, db }: Pick<Context, 'config' | 'log' | 'metrics' | 'db'>,
  contextOfProcess: () => ProcessContext,
): ReplicaReads | null {
  if (config.process !== 'web' || !config.databaseReplica) return null;
  const { url, poolSize, maxLagSeconds } = config.databaseReplica;
  const replica = openReplica({
    ...{ primary: db, maxLagSeconds, log },
    replica: openDatabase({ url, poolSize, models, statementTimeoutMs: statementTimeoutMsOf(config) }),
    onChoice: registerReplicaMetrics(metrics, () => replica.lagSeconds()),
  });
  let context: ProcessContext | undefined;
  return {
    ...replica,
    get context() {
      const full = contextOfProcess();
      return (context ??= { ...full, db: replica.db, search: full.search.readingFrom(replica.db) });
    },
  };
}
