import { resolve } from 'node:path';
import Joi from 'joi';
import type { PlatformConfig } from './config.js';
import type { NodeAddress, RedisConfig } from './queue/index.js';
import { commaSeparated, settingGroup, variable, type Environment, type Settings } from './settingVariables.js';

const { text, integer, word, webAddress } = variable;
const postgres = text.uri({ scheme: ['postgres', 'postgresql'] });

/** `host:port`, separated by commas. */
const nodeAddresses = text.pattern(/^[A-Za-z0-9._-]+:\d{1,5}(,\s*[A-Za-z0-9._-]+:\d{1,5})*$/);

/** Settings of stored data, and of the servers that a process uses. */
export type ServerConfig = Pick<
  PlatformConfig,
  | 'dataDir'
  | 'storageMinFreeBytes'
  | 'database'
  | 'databaseReplica'
  | 'queueDatabase'
  | 'redis'
  | 'queuePrefix'
  | 'meili'
  | 's3'
  | 'mail'
>;

const variables = Joi.object({
  ...settingGroup('Database', {
    DATABASE_URL: postgres
      .required()
      .tag('must')
      .description('PostgreSQL 13 or later; without it, `npm start` runs its own'),
    DATABASE_POOL_SIZE: integer.min(2).default(10).description('connections of one process'),
    DATABASE_REPLICA_URL: postgres.description('streaming replica that answers public reads and searches'),
    DATABASE_REPLICA_POOL_SIZE: integer.min(1).default(10).description('connections of one web process to the replica'),
    DATABASE_REPLICA_MAXIMUM_LAG_SECONDS: integer
      .min(1)
      .max(600)
      .default(30)
      .description('a replica with a greater lag is not used'),
    STATEMENT_TIMEOUT_SECONDS: integer
      .min(0)
      .default(10)
      .description('longer statements of a web process are cancelled; `0`: no limit'),
    WORKER_STATEMENT_TIMEOUT_SECONDS: integer
      .min(0)
      .default(600)
      .description('longer statements of workers and the clock are cancelled; `0`: no limit'),
  }),
  ...settingGroup('Queue', {
    QUEUE_DATABASE_URL: postgres.description(
      'the same database without a pooler, for the queues on PostgreSQL and for `npm run migrate`. Default: `DATABASE_URL`',
    ),
    QUEUE_DATABASE_POOL_SIZE: integer
      .min(1)
      .default(3)
      .description(
        'connections of one process for the queues on PostgreSQL; a process that serves queues has twice as many',
      ),
    REDIS_URL: text
      .uri({ scheme: ['redis', 'rediss'] })
      .tag('choose')
      .description('BullMQ on Redis (`noeviction`, AOF) instead of on PostgreSQL'),
    REDIS_TLS_VERIFY: Joi.boolean()
      .default(true)
      .description('`false`: accept a self-signed certificate of a `rediss:` server (Heroku uses one)'),
    REDIS_CLUSTER_NODES: nodeAddresses.description(
      'some nodes of a Redis Cluster, `10.0.0.1:6379,10.0.0.2:6379`; user, password and encryption are those of `REDIS_URL`',
    ),
    REDIS_SENTINELS: nodeAddresses.description(
      'addresses of Sentinels; user, password, database and encryption of the server are those of `REDIS_URL`',
    ),
    REDIS_SENTINEL_MASTER: text.default('mymaster').description('name of the master that the Sentinels monitor'),
    QUEUE_PREFIX: word.default('video').description('prefix of keys on a shared Redis server'),
  }),
  ...settingGroup('Search', {
    MEILI_URL: webAddress.tag('choose').description('search on Meilisearch instead of on PostgreSQL'),
    MEILI_API_KEY: text.allow('').default('').tag('choose').description('API key of Meilisearch'),
    MEILI_INDEX_PREFIX: text
      .pattern(/^[A-Za-z0-9_-]*$/)
      .allow('')
      .default('')
      .description('prefix of indexes on a shared Meilisearch server'),
  }),
  ...settingGroup('Files', {
    DATA_DIR: text.default('.data').tag('choose').description('folder for the files of this machine'),
    STORAGE_MIN_FREE_BYTES: integer
      .min(0)
      .default(1024 ** 3)
      .description(
        'if a disk that the process writes to has less free space, the log, `/readyz` and the metric `ready` report it; `0`: no check',
      ),
    S3_BUCKET: text.tag('choose').description('files in S3 instead; required if processes share no disk'),
    S3_REGION: text.default('us-east-1').tag('choose').description('region of the bucket'),
    S3_ENDPOINT: webAddress.tag('choose').description('address of another S3 service. Default: AWS'),
    S3_ACCESS_KEY_ID: text.tag('choose').description('access key. Default: from the AWS environment'),
    S3_SECRET_ACCESS_KEY: text.tag('choose').description('secret access key. Default: from the AWS environment'),
    S3_FORCE_PATH_STYLE: Joi.boolean()
      .default(false)
      .description('the bucket is in the path instead of in the host name'),
    S3_PREFIX: text
      .pattern(/^([A-Za-z0-9._-]+\/)*$/)
      .allow('')
      .default('')
      .description('folder in the bucket, ending in `/`'),
  }),
  ...settingGroup('Mail', {
    SMTP_URL: text
      .uri({ scheme: ['smtp', 'smtps'] })
      .tag('must')
      .description(
        'mail server. Without it, mails are stored as files in `DATA_DIR/mail`, which operators read at `/admin/mails`',
      ),
    MAIL_FROM: text.default('Video platform <no-reply@localhost>').tag('must').description('sender of mails'),
    MAIL_LINK_HOSTS: text
      .lowercase()
      .default('')
      .description(
        'further hosts that links in mails may lead to, in addition to that of `PUBLIC_URL` and the origins of clients, separated by commas',
      ),
  }),
})
  .with('REDIS_CLUSTER_NODES', 'REDIS_URL')
  .with('REDIS_SENTINELS', 'REDIS_URL')
  .oxor('REDIS_CLUSTER_NODES', 'REDIS_SENTINELS');

/** The settings of stored data, and of the servers that the process uses. */
export const serverSettings: Settings<ServerConfig> = { variables, configOf: serversOf };

function redisOf(env: Environment): RedisConfig {
  return {
    url: env['REDIS_URL'],
    tlsVerify: env['REDIS_TLS_VERIFY'],
    cluster: env['REDIS_CLUSTER_NODES'] ? nodesOf(env['REDIS_CLUSTER_NODES']) : null,
    sentinels: env['REDIS_SENTINELS']
      ? { nodes: nodesOf(env['REDIS_SENTINELS']), master: env['REDIS_SENTINEL_MASTER'] }
      : null,
  };
}

function nodesOf(addresses: string): NodeAddress[] {
  return commaSeparated(addresses).map((address) => {
    const [host = '', port] = address.split(':');
    return { host, port: Number(port) };
  });
}

function serversOf(env: Environment): ServerConfig {
  return {
    dataDir: resolve(env['DATA_DIR']),
    storageMinFreeBytes: env['STORAGE_MIN_FREE_BYTES'],
    database: {
      url: env['DATABASE_URL'],
      poolSize: env['DATABASE_POOL_SIZE'],
      statementTimeoutSeconds: env['STATEMENT_TIMEOUT_SECONDS'],
      workerStatementTimeoutSeconds: env['WORKER_STATEMENT_TIMEOUT_SECONDS'],
    },
    databaseReplica: env['DATABASE_REPLICA_URL']
      ? {
          url: env['DATABASE_REPLICA_URL'],
          poolSize: env['DATABASE_REPLICA_POOL_SIZE'],
          maxLagSeconds: env['DATABASE_REPLICA_MAXIMUM_LAG_SECONDS'],
        }
      : null,
    queueDatabase: {
      url: env['QUEUE_DATABASE_URL'] ?? env['DATABASE_URL'],
      poolSize: env['QUEUE_DATABASE_POOL_SIZE'],
    },
    redis: env['REDIS_URL'] ? redisOf(env) : null,
    queuePrefix: env['QUEUE_PREFIX'],
    meili: env['MEILI_URL']
      ? { url: env['MEILI_URL'], apiKey: env['MEILI_API_KEY'], indexPrefix: env['MEILI_INDEX_PREFIX'] }
      : null,
    s3: env['S3_BUCKET']
      ? {
          bucket: env['S3_BUCKET'],
          region: env['S3_REGION'],
          endpoint: env['S3_ENDPOINT'] ?? null,
          accessKeyId: env['S3_ACCESS_KEY_ID'] ?? null,
          secretAccessKey: env['S3_SECRET_ACCESS_KEY'] ?? null,
          forcePathStyle: env['S3_FORCE_PATH_STYLE'],
          prefix: env['S3_PREFIX'],
        }
      : null,
    mail: {
      smtpUrl: env['SMTP_URL'] ?? null,
      from: env['MAIL_FROM'],
      linkHosts: commaSeparated(env['MAIL_LINK_HOSTS']),
    },
  };
}
