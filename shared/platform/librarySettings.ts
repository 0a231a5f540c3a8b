import type { Config } from './config.js';
import { statementTimeoutMsOf } from './database/openDatabase.js';
import { FairQueue } from './fairQueue.js';
import type { QueuesOptions } from './queue/index.js';
import { queueNames } from './queueNames.js';
import { unreachableDependency } from './readiness/unreachableDependency.js';
import type { SearchOptions } from './search/index.js';

/** The queues of a process: on Redis if `REDIS_URL` is set, otherwise on PostgreSQL. */
export function queueOptionsOf(config: Config): Omit<QueuesOptions, 'log'> {
  const { redis, queueDatabase, queuePrefix } = config;
  return {
    names: queueNames,
    backend: redis
      ? { redis: { server: redis, prefix: queuePrefix } }
      : {
          postgres: {
            ...queueDatabase,
            statementTimeoutMs: statementTimeoutMsOf(config),
            applicationName: `${config.process}-queues`,
            // With a separate URL, the queue server may be unreachable while the database is not.
            server: queueDatabase.url === config.database.url ? 'database' : 'queue',
          },
        },
    lockSeconds: config.worker.lockSeconds,
    isUnreachable: (error) => unreachableDependency(error) !== null,
  };
}

/** Maximum searches waiting in one process, those of one caller, and the maximum waiting time. */
const waitingSearches = { waiting: 400, waitingOfCaller: 100, maxWaitMs: 5_000 };

/** The search of a process. Searches use at most half of the database connections, and one caller at most half of those. */
export function searchOptionsOf(
  config: Config,
): Pick<SearchOptions<unknown>, 'slots' | 'meilisearch' | 'isLoggedOutage'> {
  const running = Math.max(1, Math.floor(config.database.poolSize / 2));
  return {
    slots: new FairQueue({ running, runningOfCaller: Math.ceil(running / 2), ...waitingSearches }),
    meilisearch: config.meili,
    // `Readiness` logs the outage.
    isLoggedOutage: (error) => unreachableDependency(error) === 'search',
  };
}
