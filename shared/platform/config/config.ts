import { resolve } from 'node:path';
import { commaSeparated } from './commaSeparated.js';
import { queueNames, type QueueName } from '../queue/job.js';
import { paymentsOf, type PaymentConfig } from './paymentConfig.js';
import { playbackOf, type PlaybackConfig } from './playbackConfig.js';
import { settings } from './settings.js';

/** Everything the environment may set, validated and frozen; nothing else reads `process.env` (principle 9 of docs/architecture.md). */
export interface Config {
  readonly process: 'web' | 'worker' | 'clock' | 'script';
  readonly service: {
    /** The word in `X-<name>-timezone` and `X-<name>-progressbarId`. */
    readonly name: string;
    readonly urnNamespace: string;
    readonly integrationName: string;
    /** Context path before every route: empty, or `/platform`. */
    readonly basePath: string;
    /** Scheme, host and base path in every address handed out, without a trailing slash. */
    readonly publicUrl: string;
    /** Milliseconds to add to UTC where a request names no zone. */
    readonly defaultOffsetMs: number;
  };
  readonly http: {
    readonly host: string;
    readonly port: number;
    /** Express `trust proxy`: hops in front of the process. */
    readonly proxyHops: number;
    readonly jsonLimitBytes: number;
    /** Upper bound of one upload whatever the license says. */
    readonly uploadLimitBytes: number;
    /** Calls of one address a minute, on token and operator endpoints. */
    readonly guardedCallsPerMinute: number;
    /** Registrations from one address in an hour, refused ones too. */
    readonly registrationsPerHour: number;
    /** Payments started from one address in an hour. */
    readonly paymentsPerHour: number;
  };
  readonly dataDir: string;
  readonly logLevel: string;
  readonly database: { readonly url: string; readonly poolSize: number };
  /** Null: BullMQ keeps its queues in the database. */
  readonly redisUrl: string | null;
  /** False: a `rediss` server may have a certificate that it has signed itself. */
  readonly redisTlsVerify: boolean;
  /** Names our keys in a Redis shared with others. */
  readonly queuePrefix: string;
  /** Null: search on PostgreSQL. */
  readonly meili: { readonly url: string; readonly apiKey: string; readonly indexPrefix: string } | null;
  /** Null: files under `dataDir/files`. */
  readonly s3: {
    readonly bucket: string;
    readonly region: string;
    readonly endpoint: string | null;
    readonly accessKeyId: string | null;
    readonly secretAccessKey: string | null;
    readonly forcePathStyle: boolean;
    readonly prefix: string;
  } | null;
  readonly mail: {
    readonly smtpUrl: string | null;
    readonly from: string;
    /** Hosts that activation and renewal links may lead to; empty: any. */
    readonly linkHosts: readonly string[];
  };
  readonly oauth: {
    readonly clientId: string;
    readonly clientSecret: string;
    readonly accessTokenSeconds: number;
    readonly refreshTokenSeconds: number;
    /** How long the refresh token just replaced still answers. */
    readonly refreshGraceSeconds: number;
    /** Failed logins of one user in five minutes before 429. */
    readonly loginFailuresPerUser: number;
    /** Times in an hour that a new password may be asked for one user. */
    readonly renewalsPerHour: number;
  };
  readonly payments: PaymentConfig;
  readonly integration: { readonly user: string; readonly password: string };
  readonly operator: { readonly user: string; readonly password: string };
  readonly playback: PlaybackConfig;
  /** Encrypts what must be readable again (live passwords); 32 bytes in hex. */
  readonly encryptionKey: string;
  readonly worker: {
    readonly queues: readonly QueueName[];
    /** A job whose worker is silent for this long, and half as long again, is given to another. */
    readonly lockSeconds: number;
    /** Port of the worker's own `/metrics`; null: none. */
    readonly metricsPort: number | null;
    readonly mediaConcurrency: number;
    /** Threads of one transcode; 0: as many as the encoder likes. */
    readonly mediaThreads: number;
  };
  readonly media: {
    readonly ffmpegPath: string;
    readonly ffprobePath: string;
    readonly chunkSeconds: number;
    readonly maximumDurationSeconds: number;
    readonly maximumPixels: number;
    readonly maximumStreams: number;
    /** ffmpeg without progress for this long is killed. */
    readonly stallSeconds: number;
    readonly encoderPreset: string;
  };
}

/** The environment is wrong; `faults` has one sentence for each variable, all at once. */
export class ConfigError extends Error {
  constructor(readonly faults: readonly string[]) {
    super(`The settings are not usable:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

/** Reads a process's settings. Blank variables count as absent. Throws ConfigError with every fault. */
export function readConfig(process: Config['process'], env: NodeJS.ProcessEnv): Config {
  const present = Object.fromEntries(
    Object.entries(env).filter(([name, value]) => value !== '' || name === 'OAUTH_CLIENT_SECRET'),
  );
  const { value, error } = settings.validate(present, { abortEarly: false, stripUnknown: true, convert: true });
  if (error) throw new ConfigError(error.details.map((detail) => detail.message.replaceAll('"', '')));
  const queues = String(value.WORKER_QUEUES)
    .split(',')
    .map((name) => name.trim());
  const unknown = queues.filter((name) => !queueNames.includes(name as QueueName));
  if (unknown.length > 0) throw new ConfigError([`WORKER_QUEUES names no queue of ours: ${unknown.join(', ')}`]);
  return deepFreeze(shape(process, value, queues as QueueName[]));
}

// oxlint-disable-next-line typescript/no-explicit-any -- the value has just been validated against the schema above
function shape(process: Config['process'], env: Record<string, any>, queues: QueueName[]): Config {
  return {
    process,
    service: {
      name: env.SERVICE_NAME,
      urnNamespace: env.URN_NAMESPACE,
      integrationName: env.INTEGRATION_NAME,
      basePath: env.BASE_PATH,
      publicUrl: String(env.PUBLIC_URL ?? `http://127.0.0.1:${env.PORT}${env.BASE_PATH}`).replace(/\/+$/, ''),
      defaultOffsetMs: env.DEFAULT_TIMEZONE_OFFSET_MS,
    },
    http: {
      host: env.HOST,
      port: env.PORT,
      proxyHops: env.PROXY_HOPS,
      jsonLimitBytes: env.JSON_LIMIT_BYTES,
      uploadLimitBytes: env.UPLOAD_LIMIT_BYTES,
      guardedCallsPerMinute: env.GUARDED_CALLS_PER_MINUTE,
      registrationsPerHour: env.REGISTRATIONS_PER_HOUR,
      paymentsPerHour: env.PAYMENTS_PER_HOUR,
    },
    dataDir: resolve(env.DATA_DIR),
    logLevel: env.LOG_LEVEL,
    database: { url: env.DATABASE_URL, poolSize: env.DATABASE_POOL_SIZE },
    redisUrl: env.REDIS_URL ?? null,
    redisTlsVerify: env.REDIS_TLS_VERIFY,
    queuePrefix: env.QUEUE_PREFIX,
    meili: env.MEILI_URL
      ? { url: env.MEILI_URL, apiKey: env.MEILI_API_KEY, indexPrefix: env.MEILI_INDEX_PREFIX }
      : null,
    s3: env.S3_BUCKET
      ? {
          bucket: env.S3_BUCKET,
          region: env.S3_REGION,
          endpoint: env.S3_ENDPOINT ?? null,
          accessKeyId: env.S3_ACCESS_KEY_ID ?? null,
          secretAccessKey: env.S3_SECRET_ACCESS_KEY ?? null,
          forcePathStyle: env.S3_FORCE_PATH_STYLE,
          prefix: env.S3_PREFIX,
        }
      : null,
    mail: mailOf(env),
    oauth: {
      clientId: env.OAUTH_CLIENT_ID,
      clientSecret: env.OAUTH_CLIENT_SECRET,
      accessTokenSeconds: env.ACCESS_TOKEN_SECONDS,
      refreshTokenSeconds: env.REFRESH_TOKEN_SECONDS,
      refreshGraceSeconds: env.REFRESH_GRACE_SECONDS,
      loginFailuresPerUser: env.LOGIN_FAILURES_PER_USER,
      renewalsPerHour: env.RENEWALS_PER_HOUR,
    },
    payments: paymentsOf(env),
    integration: { user: env.INTEGRATION_USER, password: env.INTEGRATION_PASSWORD },
    operator: { user: env.OPERATOR_USER, password: env.OPERATOR_PASSWORD },
    playback: playbackOf(env),
    encryptionKey: env.ENCRYPTION_KEY,
    worker: {
      queues,
      lockSeconds: env.WORKER_LOCK_SECONDS,
      metricsPort: env.METRICS_PORT ?? null,
      mediaConcurrency: env.MEDIA_CONCURRENCY,
      mediaThreads: env.MEDIA_THREADS,
    },
    media: {
      ffmpegPath: env.FFMPEG_PATH,
      ffprobePath: env.FFPROBE_PATH,
      chunkSeconds: env.CHUNK_SECONDS,
      maximumDurationSeconds: env.MAXIMUM_DURATION_SECONDS,
      maximumPixels: env.MAXIMUM_PIXELS,
      maximumStreams: env.MAXIMUM_STREAMS,
      stallSeconds: env.STALL_SECONDS,
      encoderPreset: env.ENCODER_PRESET,
    },
  };
}

type Environment = Parameters<typeof shape>[1];

function mailOf(env: Environment): Config['mail'] {
  return {
    smtpUrl: env.SMTP_URL ?? null,
    from: env.MAIL_FROM,
    linkHosts: commaSeparated(env.MAIL_LINK_HOSTS),
  };
}

function deepFreeze<Value extends object>(value: Value): Value {
  for (const member of Object.values(value)) if (typeof member === 'object' && member !== null) deepFreeze(member);
  return Object.freeze(value);
}
