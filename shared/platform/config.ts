import { resolve } from 'node:path';
import Joi from 'joi';
import { queueNames, type QueueName } from './job.js';

/** Everything the environment may set, validated and frozen; nothing else reads `process.env` (house law 9). */
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
  };
  readonly dataDir: string;
  readonly logLevel: string;
  readonly database: { readonly url: string; readonly poolSize: number };
  /** Null: BullMQ keeps its queues in the database. */
  readonly redisUrl: string | null;
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
  };
  readonly integration: { readonly user: string; readonly password: string };
  readonly operator: { readonly user: string; readonly password: string };
  readonly playback: {
    /** Signing keys by id; the first signs, all verify (rotation). */
    readonly keys: readonly { readonly id: string; readonly secret: string }[];
    /** Who sends the bytes: this process, nginx by X-Accel-Redirect, or the object store or CDN by redirect. */
    readonly delivery: 'direct' | 'accel' | 'redirect';
    readonly accelPrefix: string;
    /** Base address of a CDN in front of the store, for `redirect`; null: presigned addresses. */
    readonly cdnUrl: string | null;
  };
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

const text = Joi.string().trim();
const whole = Joi.number().integer();
const word = text.pattern(/^[A-Za-z0-9][A-Za-z0-9-]*$/);
const webAddress = text.uri({ scheme: ['http', 'https'] });
const gigabyte = 1024 ** 3;

const environment = Joi.object({
  SERVICE_NAME: word.default('Service'),
  URN_NAMESPACE: text.pattern(/^[A-Za-z0-9][A-Za-z0-9:._-]*$/).default('video'),
  INTEGRATION_NAME: word.default('integration'),
  BASE_PATH: text.pattern(/^(\/[A-Za-z0-9._~-]+)*$/).allow('').default(''),
  PUBLIC_URL: webAddress,
  DEFAULT_TIMEZONE_OFFSET_MS: whole.default(0),
  HOST: text.default('127.0.0.1'),
  PORT: whole.port().default(3000),
  PROXY_HOPS: whole.min(0).default(0),
  JSON_LIMIT_BYTES: whole.min(1024).default(1024 ** 2),
  UPLOAD_LIMIT_BYTES: whole.min(1).default(64 * gigabyte),
  GUARDED_CALLS_PER_MINUTE: whole.min(1).default(60),
  DATA_DIR: text.default('.data'),
  LOG_LEVEL: text.valid('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info'),
  DATABASE_URL: text.uri({ scheme: ['postgres', 'postgresql'] }).required(),
  DATABASE_POOL_SIZE: whole.min(2).default(10),
  REDIS_URL: text.uri({ scheme: ['redis', 'rediss'] }),
  QUEUE_PREFIX: word.default('video'),
  MEILI_URL: webAddress,
  MEILI_API_KEY: text.allow('').default(''),
  MEILI_INDEX_PREFIX: text.pattern(/^[A-Za-z0-9_-]*$/).allow('').default(''),
  S3_BUCKET: text,
  S3_REGION: text.default('us-east-1'),
  S3_ENDPOINT: webAddress,
  S3_ACCESS_KEY_ID: text,
  S3_SECRET_ACCESS_KEY: text,
  S3_FORCE_PATH_STYLE: Joi.boolean().default(false),
  S3_PREFIX: text.pattern(/^([A-Za-z0-9._-]+\/)*$/).allow('').default(''),
  SMTP_URL: text.uri({ scheme: ['smtp', 'smtps'] }),
  MAIL_FROM: text.default('Video platform <no-reply@localhost>'),
  MAIL_LINK_HOSTS: text.lowercase().default(''),
  OAUTH_CLIENT_ID: text.required(),
  OAUTH_CLIENT_SECRET: text.allow('').required(),
  ACCESS_TOKEN_SECONDS: whole.min(1).default(43_200),
  REFRESH_TOKEN_SECONDS: whole.min(1).default(30 * 86_400),
  REFRESH_GRACE_SECONDS: whole.min(0).default(10),
  LOGIN_FAILURES_PER_USER: whole.min(1).default(15),
  INTEGRATION_USER: text.required(),
  INTEGRATION_PASSWORD: text.required(),
  OPERATOR_USER: text.required(),
  OPERATOR_PASSWORD: text.required(),
  PLAYBACK_KEYS: text
    .pattern(/^[A-Za-z0-9]+:[^,\s]{16,}(,[A-Za-z0-9]+:[^,\s]{16,})*$/)
    .required()
    .messages({ 'string.pattern.base': 'PLAYBACK_KEYS must be id:secret[,id:secret], each secret of 16 characters or more' }),
  PLAYBACK_DELIVERY: text.valid('direct', 'accel', 'redirect').default('direct'),
  ACCEL_PREFIX: text.default('/protected/'),
  CDN_URL: webAddress,
  ENCRYPTION_KEY: text.hex().length(64).required(),
  WORKER_QUEUES: text.default(queueNames.join(',')),
  WORKER_LOCK_SECONDS: whole.min(2).default(20),
  METRICS_PORT: whole.port(),
  MEDIA_CONCURRENCY: whole.min(1).default(1),
  MEDIA_THREADS: whole.min(0).default(0),
  FFMPEG_PATH: text.default('ffmpeg'),
  FFPROBE_PATH: text.default('ffprobe'),
  CHUNK_SECONDS: whole.min(4).multiple(4).default(24),
  MAXIMUM_DURATION_SECONDS: whole.min(1).default(12 * 3600),
  MAXIMUM_PIXELS: whole.min(1).default(8192 * 4320),
  MAXIMUM_STREAMS: whole.min(1).default(64),
  STALL_SECONDS: whole.min(5).default(90),
  ENCODER_PRESET: text
    .valid('ultrafast', 'superfast', 'veryfast', 'faster', 'fast', 'medium', 'slow', 'slower')
    .default('veryfast'),
});

/** The environment is wrong; `faults` has one sentence for each variable, all at once. */
export class ConfigError extends Error {
  constructor(readonly faults: readonly string[]) {
    super(`The settings are not usable:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

/** Reads a process's settings. Blank variables count as absent. Throws ConfigError with every fault. */
export function readConfig(process: Config['process'], env: NodeJS.ProcessEnv): Config {
  const present = Object.fromEntries(Object.entries(env).filter(([name, value]) => value !== '' || name === 'OAUTH_CLIENT_SECRET'));
  const { value, error } = environment.validate(present, { abortEarly: false, stripUnknown: true, convert: true });
  if (error) throw new ConfigError(error.details.map((detail) => detail.message.replaceAll('"', '')));
  const queues = String(value.WORKER_QUEUES).split(',').map((name) => name.trim());
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
    },
    dataDir: resolve(env.DATA_DIR),
    logLevel: env.LOG_LEVEL,
    database: { url: env.DATABASE_URL, poolSize: env.DATABASE_POOL_SIZE },
    redisUrl: env.REDIS_URL ?? null,
    queuePrefix: env.QUEUE_PREFIX,
    meili: env.MEILI_URL ? { url: env.MEILI_URL, apiKey: env.MEILI_API_KEY, indexPrefix: env.MEILI_INDEX_PREFIX } : null,
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
    mail: {
      smtpUrl: env.SMTP_URL ?? null,
      from: env.MAIL_FROM,
      linkHosts: String(env.MAIL_LINK_HOSTS).split(',').map((host) => host.trim()).filter((host) => host !== ''),
    },
    oauth: {
      clientId: env.OAUTH_CLIENT_ID,
      clientSecret: env.OAUTH_CLIENT_SECRET,
      accessTokenSeconds: env.ACCESS_TOKEN_SECONDS,
      refreshTokenSeconds: env.REFRESH_TOKEN_SECONDS,
      refreshGraceSeconds: env.REFRESH_GRACE_SECONDS,
      loginFailuresPerUser: env.LOGIN_FAILURES_PER_USER,
    },
    integration: { user: env.INTEGRATION_USER, password: env.INTEGRATION_PASSWORD },
    operator: { user: env.OPERATOR_USER, password: env.OPERATOR_PASSWORD },
    playback: {
      keys: String(env.PLAYBACK_KEYS).split(',').map((pair) => {
        const colon = pair.indexOf(':');
        return { id: pair.slice(0, colon), secret: pair.slice(colon + 1) };
      }),
      delivery: env.PLAYBACK_DELIVERY,
      accelPrefix: env.ACCEL_PREFIX,
      cdnUrl: env.CDN_URL ?? null,
    },
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

function deepFreeze<Value extends object>(value: Value): Value {
  for (const member of Object.values(value)) if (typeof member === 'object' && member !== null) deepFreeze(member);
  return Object.freeze(value);
}
