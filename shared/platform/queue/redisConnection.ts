import { Cluster, Redis } from 'ioredis';
import { withErrorListener } from '../errorListener.js';
import type { RedisConfig } from './queueSettings.js';

export type RedisConnection = Redis | Cluster;

/**
 * Producers fail at once while the server is down, because the outbox keeps their jobs; they connect at first use. Consumers wait
 * for the server.
 */
const kinds = {
  producer: { maxRetriesPerRequest: 0, commandTimeout: 5_000 },
  consumer: { maxRetriesPerRequest: null },
} as const;

const retryStrategy = (times: number): number => Math.min(times * 100, 1_000);
/**
 * For a cluster: pause before a command to an unreachable node is repeated, and the number of repetitions of a consumer (one
 * minute in total).
 */
const nodeRetryMs = 250;
const consumerRedirections = 240;

/** Opens a connection to one server, to the nodes of a cluster, or to the master that sentinels report. */
export function openRedisConnection(config: RedisConfig, kind: keyof typeof kinds): RedisConnection {
  const { cluster, sentinels } = config;
  const own = { ...kinds[kind], ...accessOf(config), connectTimeout: 5_000 };
  const isProducer = kind === 'producer';
  const start = { lazyConnect: isProducer, enableOfflineQueue: !isProducer };
  if (cluster)
    return withErrorListener(
      new Cluster([...cluster], {
        ...start,
        redisOptions: own,
        clusterRetryStrategy: retryStrategy,
        // A restarted node keeps its slots.
        clusterNodeRetryStrategy: retryStrategy,
        retryDelayOnFailover: nodeRetryMs,
        retryDelayOnClusterDown: nodeRetryMs,
        maxRedirections: isProducer ? 4 : consumerRedirections,
      }),
    );
  const common = { ...own, ...start, retryStrategy };
  if (!sentinels) return withErrorListener(new Redis(config.url, common));
  return withErrorListener(
    new Redis({
      ...common,
      sentinels: [...sentinels.nodes],
      name: sentinels.master,
      sentinelRetryStrategy: retryStrategy,
      // The server is no longer the master: the sentinels know the new one.
      reconnectOnError: (error) => (error.message.startsWith('READONLY') ? 2 : false),
    }),
  );
}

/** User, password, database and encryption of the server's URL. */
function accessOf({ url, tlsVerify }: RedisConfig) {
  const { protocol, username, password, pathname } = new URL(url);
  const database = Number(pathname.slice(1));
  return {
    ...(username ? { username: decodeURIComponent(username) } : {}),
    ...(password ? { password: decodeURIComponent(password) } : {}),
    ...(database > 0 ? { db: database } : {}),
    // Set only where needed: any `tls` option, even an empty one, makes the connection encrypted.
    ...(protocol === 'rediss:' ? { tls: tlsVerify ? {} : { rejectUnauthorized: false } } : {}),
  };
}
