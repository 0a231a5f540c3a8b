import type { Logger } from 'pino';
import type { IsAway, QueueServerError } from './queueServerError.js';

export interface NodeAddress {
  readonly host: string;
  readonly port: number;
}

/** A Redis server, or several. */
export interface RedisConfig {
  /** The server; of several, user, password, database and encryption alone are taken from it. */
  readonly url: string;
  /** False: the certificate of a `rediss` server may be self-signed. */
  readonly tlsVerify: boolean;
  /** Some nodes of a cluster; null: there is none. */
  readonly cluster: readonly NodeAddress[] | null;
  /** Sentinels, and the name of what they watch; null: there are none. */
  readonly sentinels: { readonly nodes: readonly NodeAddress[]; readonly master: string } | null;
}

/** Queues on Redis. */
export interface RedisQueues {
  readonly server: RedisConfig;
  /** Prefix of keys, for a server that others use too. */
  readonly prefix: string;
}

/** Queues on PostgreSQL, in the schema `bullmq`. */
export interface PostgresQueues {
  readonly url: string;
  /** Connections. A process that serves queues opens at most twice as many. */
  readonly poolSize: number;
  /** The server cancels statements that take longer. 0: no limit. */
  readonly statementTimeoutMs: number;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName: string;
  /** The dependency that is away in an outage: `database` if the queues share its server. */
  readonly server: QueueServerError['server'];
}

export interface QueuesOptions {
  /** Names of all queues. */
  readonly names: readonly string[];
  readonly backend: { readonly redis: RedisQueues } | { readonly postgres: PostgresQueues };
  /** A job whose worker has not renewed its lock for this long returns to its queue. */
  readonly lockSeconds: number;
  readonly log: Logger;
  readonly isAway: IsAway;
}
