import { pino, type DestinationStream, type Logger as PinoLogger } from 'pino';

export type Logger = PinoLogger;

/** Members that are never logged, at any depth down to two levels. */
const secrets = [
  'password',
  'passwordConfirm',
  'currentPassword',
  'newPassword',
  'token',
  'access_token',
  'refresh_token',
  'livePassword',
  // With this id alone a client can claim what was paid.
  'trackingId',
];

/** Lines are buffered for a slow reader up to this size; further ones are dropped. */
const maximumBufferedBytes = 16 * 1024 ** 2;

/** Lines of this turn of the event loop. */
let lines = '';

/**
 * Standard output. The lines of one turn of the event loop are written together, because under load the writes would take as
 * long as the rest of small requests. When the reader ends or stops (`npm start | head -1`), log lines are dropped and the
 * process continues. pino's own destination would keep the process from ending, because it retries the last write for ever.
 */
const standardOutput: DestinationStream = {
  write(line) {
    if (lines === '') setImmediate(writeLines);
    lines += line;
  },
};

function writeLines(): void {
  const { stdout } = process;
  if (stdout.listenerCount('error') === 0) stdout.on('error', () => {});
  if (lines !== '' && stdout.writable && stdout.writableLength < maximumBufferedBytes) stdout.write(lines);
  lines = '';
}

// What was logged just before the process exits; writes to pipes and files are synchronous.
process.on('exit', writeLines);

/** A logger of JSON lines on standard output, without secrets. */
export function createLogger(options: { process: string; level: string }): Logger {
  const settings = {
    level: options.level,
    base: { process: options.process },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: errorForLog },
    redact: {
      paths: [
        ...secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
        'req.headers.authorization',
        'req.headers.cookie',
        'headers.authorization',
      ],
      censor: '[secret]',
    },
  };
  return pino(settings, standardOutput);
}

/**
 * An error for the log, without values: database errors contain the binds of the statement, among them password hashes
 * and texts of users; errors of drivers contain whole connections with their keys. Of what an error holds besides its
 * message only plain members are logged, such as `code` and `detail`.
 */
function errorForLog(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const members = Object.entries(pino.stdSerializers.err(error));
  const plain = members.filter(([name, value]) => name !== 'sql' && typeof value !== 'object');
  const { parent } = error as { parent?: { code?: unknown; constraint?: unknown; table?: unknown } };
  const database = parent && { code: parent.code, constraint: parent.constraint, table: parent.table };
  return { ...Object.fromEntries(plain), ...(database ? { database } : {}) };
}
