import { pino, type DestinationStream, type LoggerOptions } from 'pino';
import type { Logger, OutageReceiver } from './log.js';
import { outageOf } from './outage.js';

/** Members that are never logged, down to two levels of nesting. */
const secrets = [
  'password',
  'passwordConfirm',
  'currentPassword',
  'newPassword',
  'token',
  'access_token',
  'refresh_token',
  'livePassword',
  // The id is a credential: it grants the paid item to its bearer.
  'trackingId',
];

/** Lines are buffered for a slow reader up to this size; further ones are dropped. */
const maxBufferedBytes = 16 * 1024 ** 2;

const warnLevel = pino.levels.values['warn'] ?? 40;

/** Lines that were logged since the last write. */
let waiting = '';

/**
 * Standard output. When the reader ends or stops (`npm start | head -1`), log lines are dropped and the process continues. pino's
 * own destination would prevent the process from exiting, because it retries the last write indefinitely. All lines of one event
 * loop iteration are written together: a system call per line takes 5 % of the time of a small request.
 */
const standardOutput: DestinationStream = {
  write(line) {
    if (waiting === '') setImmediate(writeWaiting);
    if (waiting.length < maxBufferedBytes) waiting += line;
  },
};

function writeWaiting(): void {
  const lines = waiting;
  waiting = '';
  const { stdout } = process;
  if (stdout.listenerCount('error') === 0) stdout.on('error', () => {});
  if (lines !== '' && stdout.writable && stdout.writableLength < maxBufferedBytes) stdout.write(lines);
}

// `process.exit` ends the process before the next iteration. Pipes, files and terminals are written synchronously on Linux.
process.once('exit', writeWaiting);

interface LogOptions {
  readonly process: string;
  readonly level: string;
  readonly outages?: OutageReceiver;
}

/**
 * A logger that writes JSON lines without secrets to standard output. `Readiness` logs an outage with one line for the process:
 * other errors that it causes are logged at `debug`, unless the line is `final` because the work is abandoned. Errors of other
 * unreachable servers are logged without a stack.
 */
export function createLogger(options: LogOptions): Logger {
  const settings = {
    level: options.level,
    base: { process: options.process },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: errorForLog },
    hooks: { logMethod: ofOutages(options.outages ?? {}) },
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

type LogMethod = NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>;

function ofOutages(outages: OutageReceiver): LogMethod {
  return function logLine(line, method, level) {
    const [values, ...rest] = line as unknown as [unknown, ...string[]];
    const { err, final } = (typeof values === 'object' && values !== null ? values : {}) as LineOfError;
    if (!(err instanceof Error) || final || level < warnLevel) return method.apply(this, line);
    if (outages.report?.(err)) return void (this.isLevelEnabled('debug') && this.debug(values, ...rest));
    if (outageOf(err) !== 'server unreachable') return method.apply(this, line);
    const { stack: _stack, ...described } = errorForLog(err) as { readonly stack?: string };
    method.call(this, { ...(values as object), err: described }, ...rest);
  };
}

interface LineOfError {
  readonly err?: unknown;
  readonly final?: boolean;
}

/**
 * An error for the log, without values: database errors contain the binds of the statement, among them password hashes and
 * texts of users; errors of drivers contain complete connections with their keys. Besides the message, only primitive members
 * are logged, such as `code` and `detail`.
 */
function errorForLog(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const members = Object.entries(pino.stdSerializers.err(error));
  const plain = members.filter(([name, value]) => name !== 'sql' && typeof value !== 'object');
  const { parent } = error as { parent?: { code?: unknown; constraint?: unknown; table?: unknown } };
  const database = parent && { code: parent.code, constraint: parent.constraint, table: parent.table };
  return { ...Object.fromEntries(plain), ...(database ? { database } : {}) };
}
