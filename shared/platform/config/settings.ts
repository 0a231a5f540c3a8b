import Joi from 'joi';
import { queueNames } from '../queue/job.js';

const text = Joi.string().trim();
const whole = Joi.number().integer();
const word = text.pattern(/^[A-Za-z0-9][A-Za-z0-9-]*$/);
const webAddress = text.uri({ scheme: ['http', 'https'] });
const gigabyte = 1024 ** 3;

/** The grants that a key has signed are known by its id. */
function hasDoubledIds(pairs: string): boolean {
  const ids = pairs.split(',').map((pair) => pair.split(':', 1)[0]);
  return new Set(ids).size < ids.length;
}

/** Every variable the environment may set, its form and its default; `Config` says what each means. */
export const settings = Joi.object({
  SERVICE_NAME: word.default('Service'),
  URN_NAMESPACE: text.pattern(/^[A-Za-z0-9][A-Za-z0-9:._-]*$/).default('video'),
  INTEGRATION_NAME: word.default('integration'),
  BASE_PATH: text
    .pattern(/^(\/[A-Za-z0-9._~-]+)*$/)
    .allow('')
    .default(''),
  PUBLIC_URL: webAddress,
  DEFAULT_TIMEZONE_OFFSET_MS: whole.default(0),
  HOST: text.default('127.0.0.1'),
  PORT: whole.port().default(3000),
  PROXY_HOPS: whole.min(0).default(0),
  JSON_LIMIT_BYTES: whole.min(1024).default(1024 ** 2),
  UPLOAD_LIMIT_BYTES: whole.min(1).default(64 * gigabyte),
  GUARDED_CALLS_PER_MINUTE: whole.min(1).default(60),
  REGISTRATIONS_PER_HOUR: whole.min(1).default(1000),
  PAYMENTS_PER_HOUR: whole.min(1).default(1000),
  DATA_DIR: text.default('.data'),
  LOG_LEVEL: text.valid('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info'),
  DATABASE_URL: text.uri({ scheme: ['postgres', 'postgresql'] }).required(),
  DATABASE_POOL_SIZE: whole.min(2).default(10),
  REDIS_URL: text.uri({ scheme: ['redis', 'rediss'] }),
  REDIS_TLS_VERIFY: Joi.boolean().default(true),
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
  CURRENCY: text
    .uppercase()
    .pattern(/^[A-Z]{3}$/)
    .default('EUR'),
  PLATFORM_SHARE_PERCENT: Joi.number().min(0).max(100).precision(2).default(30),
  MINIMUM_PRICE_CENTS: whole.min(1).default(1),
  PAYMENT_OPEN_SECONDS: whole.min(60).max(86_400).default(10_800),
  PAID_VIEW_SECONDS: whole.min(60).default(48 * 3600),
  PAYMENT_RETURN_HOSTS: text.lowercase().default(''),
  PAYPAL_URL: webAddress.default('https://api-m.paypal.com'),
  PAYPAL_CLIENT_ID: text,
  PAYPAL_CLIENT_SECRET: text,
  PAYPAL_WEBHOOK_ID: text,
  STRIPE_URL: webAddress.default('https://api.stripe.com'),
  STRIPE_SECRET_KEY: text,
  STRIPE_WEBHOOK_SECRET: text,
  OAUTH_CLIENT_ID: text.required(),
  OAUTH_CLIENT_SECRET: text.allow('').required(),
  ACCESS_TOKEN_SECONDS: whole.min(1).default(43_200),
  REFRESH_TOKEN_SECONDS: whole.min(1).default(30 * 86_400),
  REFRESH_GRACE_SECONDS: whole.min(0).default(10),
  LOGIN_FAILURES_PER_USER: whole.min(1).default(15),
  RENEWALS_PER_HOUR: whole.min(1).default(5),
  INTEGRATION_USER: text.required(),
  INTEGRATION_PASSWORD: text.required(),
  OPERATOR_USER: text.required(),
  OPERATOR_PASSWORD: text.required(),
  PLAYBACK_KEYS: text
    .pattern(/^[A-Za-z0-9]+:[^,\s]{16,}(,[A-Za-z0-9]+:[^,\s]{16,})*$/)
    .required()
    .messages({
      'string.pattern.base': 'PLAYBACK_KEYS must be id:secret[,id:secret], each secret of 16 characters or more',
      'any.invalid': 'PLAYBACK_KEYS names an id twice',
    })
    .custom((pairs: string, { error }) => (hasDoubledIds(pairs) ? error('any.invalid') : pairs)),
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
})
  .and('PAYPAL_CLIENT_ID', 'PAYPAL_CLIENT_SECRET', 'PAYPAL_WEBHOOK_ID')
  .and('STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET')
  .oxor('PAYPAL_CLIENT_ID', 'STRIPE_SECRET_KEY');
