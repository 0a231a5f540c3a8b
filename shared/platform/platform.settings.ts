import { resolve } from 'node:path';
import Joi from 'joi';
import type { NodeAddress, PlatformConfig, RedisConfig } from './config.js';
import { withoutTrailing } from './formats/trailing.js';
import { queueNames, type QueueName } from './queue/job.js';
import { commaSeparated, variable, type Environment, type Settings } from './settingVariables.js';

const { text, secret, integer, word, webAddress, networks } = variable;
const gigabyte = 1024 ** 3;

/** `host:port`, separated by commas. */
const nodeAddresses = text.pattern(/^[A-Za-z0-9._-]+:\d{1,5}(,\s*[A-Za-z0-9._-]+:\d{1,5})*$/);

const variables = Joi.object({
  SERVICE_NAME: word.default('Service'),
  URN_NAMESPACE: text.pattern(/^[A-Za-z0-9][A-Za-z0-9:._-]*$/).default('video'),
  INTEGRATION_NAME: word.default('integration'),
  BASE_PATH: text
    .pattern(/^(\/[A-Za-z0-9._~-]+)*$/)
    .allow('')
    .default(''),
  PUBLIC_URL: webAddress,
  DEFAULT_TIMEZONE_OFFSET_MS: integer.default(0),
  HOST: text.default('127.0.0.1'),
  PORT: integer.port().default(3000),
  SOCKET_PATH: text.pattern(/^\//),
  PROXY_HOPS: integer.min(0).default(0),
  UPLOAD_LIMIT_BYTES: integer.min(1).default(64 * gigabyte),
  DRAIN_SECONDS: integer.min(0).default(5),
  SHUTDOWN_SECONDS: integer.min(1).default(20),
  DATA_DIR: text.default('.data'),
  STORAGE_MIN_FREE_BYTES: integer.min(0).default(gigabyte),
  LOG_LEVEL: text.valid('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info'),
  BUILD_COMMIT: text.max(64).allow('').default(''),
  OTEL_EXPORTER_OTLP_ENDPOINT: webAddress,
  OTEL_SERVICE_NAME: text.default('video-platform'),
  DATABASE_URL: text.uri({ scheme: ['postgres', 'postgresql'] }).required(),
  DATABASE_POOL_SIZE: integer.min(2).default(10),
  DATABASE_REPLICA_URL: text.uri({ scheme: ['postgres', 'postgresql'] }),
  DATABASE_REPLICA_POOL_SIZE: integer.min(1).default(10),
  DATABASE_REPLICA_MAXIMUM_LAG_SECONDS: integer.min(1).max(600).default(30),
  QUEUE_DATABASE_URL: text.uri({ scheme: ['postgres', 'postgresql'] }),
  QUEUE_DATABASE_POOL_SIZE: integer.min(1).default(3),
  STATEMENT_TIMEOUT_SECONDS: integer.min(0).default(10),
  WORKER_STATEMENT_TIMEOUT_SECONDS: integer.min(0).default(600),
  REDIS_URL: text.uri({ scheme: ['redis', 'rediss'] }),
  REDIS_TLS_VERIFY: Joi.boolean().default(true),
  REDIS_CLUSTER_NODES: nodeAddresses,
  REDIS_SENTINELS: nodeAddresses,
  REDIS_SENTINEL_MASTER: text.default('mymaster'),
  QUEUE_PREFIX: word.default('video'),
  MEILI_URL: webAddress,
  MEILI_API_KEY: text.allow('').default(''),
  MEILI_INDEX_PREFIX: text
    .pattern(/^[A-Za-z0-9_-]*$/)
    .allow('')
    .default(''),
  S3_BUCKET: text,
  S3_REGION: text.default('us-east-1'),
  S3_ENDPOINT: webAddress,
  S3_ACCESS_KEY_ID: text,
  S3_SECRET_ACCESS_KEY: text,
  S3_FORCE_PATH_STYLE: Joi.boolean().default(false),
  S3_PREFIX: text
    .pattern(/^([A-Za-z0-9._-]+\/)*$/)
    .allow('')
    .default(''),
  SMTP_URL: text.uri({ scheme: ['smtp', 'smtps'] }),
  MAIL_FROM: text.default('Video platform <no-reply@localhost>'),
  MAIL_LINK_HOSTS: text.lowercase().default(''),
  OUTGOING_ALLOWED_NETWORKS: networks.default(''),
  INTEGRATION_USER: text,
  INTEGRATION_PASSWORD: secret,
  OPERATOR_USER: text.required(),
  OPERATOR_PASSWORD: secret.required(),
  ENCRYPTION_KEY: text.hex().length(64).required(),
  WORKER_QUEUES: text
    .default(queueNames.join(','))
    .messages({ 'any.invalid': 'WORKER_QUEUES names no queue of ours: {#unknown}' })
    .custom((names: string, { error }) => {
      const unknown = entriesOf(names).filter((name) => !queueNames.includes(name as QueueName));
      return unknown.length > 0 ? error('any.invalid', { unknown: unknown.join(', ') }) : names;
    }),
  WORKER_LOCK_SECONDS: integer.min(2).default(20),
  METRICS_PORT: integer.port(),
  MEDIA_CONCURRENCY: integer.min(1).default(1),
  MEDIA_THREADS: integer.min(0).default(0),
})
  .and('INTEGRATION_USER', 'INTEGRATION_PASSWORD')
  .with('REDIS_CLUSTER_NODES', 'REDIS_URL')
  .with('REDIS_SENTINELS', 'REDIS_URL')
  .oxor('REDIS_CLUSTER_NODES', 'REDIS_SENTINELS');

/** The settings of the process itself and of the servers it uses. */
export const platformSettings: Settings<Omit<PlatformConfig, 'process' | 'limit'>> = {
  variables,
  configOf: (env) => ({
    service: {
      name: env['SERVICE_NAME'],
      urnNamespace: env['URN_NAMESPACE'],
      integrationName: env['INTEGRATION_NAME'],
      basePath: env['BASE_PATH'],
      publicUrl: withoutTrailing(env['PUBLIC_URL'] ?? `http://127.0.0.1:${env['PORT']}${env['BASE_PATH']}`, '/'),
      defaultOffsetMs: env['DEFAULT_TIMEZONE_OFFSET_MS'],
    },
    http: {
      host: env['HOST'],
      port: env['PORT'],
      socketPath: env['SOCKET_PATH'] ?? null,
      proxyHops: env['PROXY_HOPS'],
      uploadLimitBytes: env['UPLOAD_LIMIT_BYTES'],
    },
    stop: { drainSeconds: env['DRAIN_SECONDS'], shutdownSeconds: env['SHUTDOWN_SECONDS'] },
    dataDir: resolve(env['DATA_DIR']),
    storageMinFreeBytes: env['STORAGE_MIN_FREE_BYTES'],
    logLevel: env['LOG_LEVEL'],
    buildCommit: env['BUILD_COMMIT'],
    ...serversOf(env),
    integration: env['INTEGRATION_USER']
      ? { user: env['INTEGRATION_USER'], password: env['INTEGRATION_PASSWORD'] }
      : null,
    operator: { user: env['OPERATOR_USER'], password: env['OPERATOR_PASSWORD'] },
    encryptionKey: env['ENCRYPTION_KEY'],
    outgoing: { allowedNetworks: commaSeparated(env['OUTGOING_ALLOWED_NETWORKS']) },
    worker: {
      queues: servedQueues(entriesOf(env['WORKER_QUEUES']) as QueueName[]),
      lockSeconds: env['WORKER_LOCK_SECONDS'],
      metricsPort: env['METRICS_PORT'] ?? null,
      mediaConcurrency: env['MEDIA_CONCURRENCY'],
      mediaThreads: env['MEDIA_THREADS'],
    },
  }),
};

type Servers =
  | 'tracing'
  | 'database'
  | 'databaseReplica'
  | 'queueDatabase'
  | 'redis'
  | 'queuePrefix'
  | 'meili'
  | 's3'
  | 'mail';

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

function serversOf(env: Environment): Pick<PlatformConfig, Servers> {
  return {
    database: {
      url: env['DATABASE_URL'],
      poolSize: env['DATABASE_POOL_SIZE'],
      statementTimeoutSeconds: env['STATEMENT_TIMEOUT_SECONDS'],
      workerStatementTimeoutSeconds: env['WORKER_STATEMENT_TIMEOUT_SECONDS'],
    },
    tracing: env['OTEL_EXPORTER_OTLP_ENDPOINT']
      ? {
          endpoint: withoutTrailing(env['OTEL_EXPORTER_OTLP_ENDPOINT'], '/'),
          serviceName: env['OTEL_SERVICE_NAME'],
        }
      : null,
    databaseReplica: env['DATABASE_REPLICA_URL']
      ? {
          url: env['DATABASE_REPLICA_URL'],
          poolSize: env['DATABASE_REPLICA_POOL_SIZE'],
          maximumLagSeconds: env['DATABASE_REPLICA_MAXIMUM_LAG_SECONDS'],
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

/** Blank entries included, so that they are found to be wrong. */
function entriesOf(list: string): string[] {
  return list.split(',').map((entry) => entry.trim());
}

/** By the queue that deployments have named for longer: the queue that its processes also serve. */
const alsoServed: Partial<Record<QueueName, readonly QueueName[]>> = {
  transcoding: ['quick-transcoding', 'transcription'],
  ingestion: ['arrivals', 'imports'],
  mail: ['webhooks'],
};

function servedQueues(named: readonly QueueName[]): QueueName[] {
  const added = named.flatMap((name) => alsoServed[name] ?? []);
  return queueNames.filter((name) => named.includes(name) || added.includes(name));
}
