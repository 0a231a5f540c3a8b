import Joi from 'joi';
import type { PlatformConfig } from './config.js';
import { withoutTrailing } from './formats/trailing.js';
import { queueNames, type QueueName } from './queueNames.js';
import type { ServerConfig } from './servers.settings.js';
import { commaSeparated, settingGroup, variable, type Settings } from './settingVariables.js';

const { text, secret, integer, word, webAddress, networks } = variable;

const variables = Joi.object({
  ...settingGroup('Addresses', {
    PUBLIC_URL: webAddress
      .tag('must')
      .description(
        'scheme, host and base path of every address that the service returns. Default: `http://127.0.0.1:<PORT><BASE_PATH>`',
      ),
    HOST: text
      .default('127.0.0.1')
      .tag('choose')
      .description('interface that the web process listens on; the `Procfile` sets `0.0.0.0`'),
    PORT: integer.port().default(3000).tag('choose').description('port that the web process listens on'),
    SOCKET_PATH: text
      .pattern(/^\//)
      .description(
        'unix socket that the web process listens on in addition to `PORT`, for a proxy on the same machine',
      ),
    BASE_PATH: text
      .pattern(/^(\/[A-Za-z0-9._~-]+)*$/)
      .allow('')
      .default('')
      .description('path before every route: `/platform`'),
    PROXY_HOPS: integer
      .min(0)
      .default(0)
      .tag('must')
      .description('number of proxies in front of the process whose `X-Forwarded-*` headers are trusted'),
    OUTGOING_ALLOWED_NETWORKS: networks
      .default('')
      .description(
        'networks that requests to user-supplied addresses (imports, webhooks) may reach in addition to public ones: `10.0.0.0/8, 192.0.2.1`',
      ),
  }),
  ...settingGroup('Credentials', {
    OPERATOR_USER: text.required().tag('must').description('operators’ user name, for `/admin` and `/metrics`'),
    OPERATOR_PASSWORD: secret.required().tag('must').description('operators’ password'),
    ENCRYPTION_KEY: text
      .hex()
      .length(64)
      .required()
      .tag('must')
      .description('encrypts stored data that the service must read again, such as live passwords'),
    INTEGRATION_USER: text.description(
      'user name of a streaming server or an edge for `/rest/...`; without it these operations respond 401. `npm start` generates it',
    ),
    INTEGRATION_PASSWORD: secret.description('its password'),
  }),
  ...settingGroup('Names', {
    SERVICE_NAME: word.default('Service').description('the word in `X-<name>-timezone` and `X-<name>-progressbarId`'),
    URN_NAMESPACE: text
      .pattern(/^[A-Za-z0-9][A-Za-z0-9:._-]*$/)
      .default('video')
      .description('namespace of `urn:<namespace>:content:<uuid>`'),
    INTEGRATION_NAME: word.default('integration').description('the path segment in `/rest/<integration>/...`'),
    DEFAULT_TIMEZONE_OFFSET_MS: integer
      .default(0)
      .description('offset from UTC in mails and for requests that name no time zone'),
  }),
  ...settingGroup('Uploads', {
    UPLOAD_LIMIT_BYTES: integer
      .min(1)
      .default(64 * 1024 ** 3)
      .description('size limit of one upload, whatever the plan allows'),
  }),
  ...settingGroup('Workers', {
    WORKER_QUEUES: text
      .default(queueNames.join(','))
      .messages({ 'any.invalid': 'WORKER_QUEUES contains unknown queues: {#unknown}' })
      .custom((names: string, { error }) => {
        const unknown = entriesOf(names).filter((name) => !queueNames.includes(name as QueueName));
        return unknown.length > 0 ? error('any.invalid', { unknown: unknown.join(', ') }) : names;
      })
      .description('queues that a worker process serves, separated by commas. Default: all'),
    WORKER_LOCK_SECONDS: integer
      .min(2)
      .default(20)
      .description('a worker that does not renew the lock of its job for this long loses the job'),
    MEDIA_CONCURRENCY: integer.min(1).default(1).description('chunks that one process transcodes at the same time'),
    MEDIA_THREADS: integer.min(0).default(0).description('threads of one transcode; `0`: the encoder decides'),
  }),
  ...settingGroup('Shutdown', {
    DRAIN_SECONDS: integer
      .min(0)
      .default(5)
      .description(
        'after SIGTERM a web process serves requests for this long, while `/readyz` responds 503; then it closes its port. `npm start` sets 0',
      ),
    SHUTDOWN_SECONDS: integer
      .min(1)
      .default(20)
      .description(
        'after that, requests in progress, uploads included, may take this long. Workers and live processes stop within 10 s, or within this time if it is shorter. `npm start` sets 5',
      ),
  }),
  ...settingGroup('Logs, metrics, traces', {
    LOG_LEVEL: text
      .valid('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent')
      .default('info')
      .description('lowest log level'),
    BUILD_COMMIT: text.max(64).allow('').default('').description('deployed commit, in the metric `build_info`'),
    METRICS_PORT: integer
      .port()
      .description(
        'port for the metrics of a worker or live process, for operators. With `npm start` the live process has the next port',
      ),
    OTEL_EXPORTER_OTLP_ENDPOINT: webAddress.description('OpenTelemetry collector that receives traces, OTLP over HTTP'),
    OTEL_SERVICE_NAME: text.default('video-platform').description('name of the service in traces'),
  }),
}).and('INTEGRATION_USER', 'INTEGRATION_PASSWORD');

/** The settings of the process itself. */
export const platformSettings: Settings<Omit<PlatformConfig, 'process' | 'limit' | keyof ServerConfig>> = {
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
    logLevel: env['LOG_LEVEL'],
    buildCommit: env['BUILD_COMMIT'],
    tracing: env['OTEL_EXPORTER_OTLP_ENDPOINT']
      ? {
          endpoint: withoutTrailing(env['OTEL_EXPORTER_OTLP_ENDPOINT'], '/'),
          serviceName: env['OTEL_SERVICE_NAME'],
        }
      : null,
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

/** Includes blank entries, so that they are reported as invalid. */
function entriesOf(list: string): string[] {
  return list.split(',').map((entry) => entry.trim());
}

/** The queue that deployments have named for longer, and the additional queue that its processes also serve. */
const alsoServed: Partial<Record<QueueName, readonly QueueName[]>> = {
  transcoding: ['quick-transcoding', 'transcription'],
  ingestion: ['arrivals', 'imports'],
  mail: ['webhooks'],
};

function servedQueues(named: readonly QueueName[]): QueueName[] {
  const added = named.flatMap((name) => alsoServed[name] ?? []);
  return queueNames.filter((name) => named.includes(name) || added.includes(name));
}
