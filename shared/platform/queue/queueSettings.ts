import type { Logger } from 'pino';
import type { IsUnreachable, QueueServerError } from './queueServerError.js';

export interface NodeAddress {
  readonly host: string;
  readonly port: number;
}

/** A Redis server, a cluster, or servers behind sentinels. */
export interface RedisConfig {
  /** URL of the server. For a cluster or sentinels, only user, password, database and encryption are used. */
  readonly url: string;
  /** False: a `rediss` server may have a self-signed certificate. */
  readonly tlsVerify: boolean;
  /** Some nodes of a cluster; null: no cluster. */
  readonly cluster: readonly NodeAddress[] | null;
  /** Sentinels, and the name of the master that they monitor; null: no sentinels. */
  readonly sentinels: { readonly nodes: readonly NodeAddress[]; readonly master: string } | null;
}

/** Queues on Redis. */
export interface RedisQueues {
  readonly server: RedisConfig;
  /** Prefix of keys, for a shared server. */
  readonly prefix: string;
}

/** Queues on PostgreSQL, in the schema `bullmq`. */
export interface PostgresQueues {
  readonly url: string;
  /** Pool size. A process that serves queues opens at most twice as many connections. */
  readonly poolSize: number;
  /** The server cancels longer statements. 0: no limit. */
  readonly statementTimeoutMs: number;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName: string;
  /** The dependency that counts as unreachable in an outage: `database` if the queues share its server. */
  readonly server: QueueServerError['server'];
}

export interface QueuesOptions {
  /** Names of all queues. */
  readonly names: readonly string[];
  readonly backend: { readonly redis: RedisQueues } | { readonly postgres: PostgresQueues };
  /** A job whose worker has not renewed its lock for this long returns to its queue. */
  readonly lockSeconds: number;
  readonly log: Logger;
  readonly isUnreachable: IsUnreachable;
}
