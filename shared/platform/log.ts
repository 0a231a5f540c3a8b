import { pino, type DestinationStream, type Logger as PinoLogger } from 'pino';

export type Logger = PinoLogger;

/** Members that never reach a log line, wherever they stand. */
const secrets = [
  'password',
  'passwordConfirm',
  'currentPassword',
  'newPassword',
  'token',
  'access_token',
  'refresh_token',
  'livePassword',
  // Alone it is the proof of a payment.
  'trackingId',
];

/** Kept for a reader that does not keep up; what comes beyond is lost. */
const mostWaitingBytes = 16 * 1024 ** 2;

/**
 * Standard output. A reader that has gone (`npm start | head -1`) or has stopped ends the log, and neither the process nor
 * its end: pino's own destination would try for ever, at the end of the process, to write what nobody reads.
 */
const standardOutput: DestinationStream = {
  write(line) {
    const { stdout } = process;
    if (stdout.listenerCount('error') === 0) stdout.on('error', () => {});
    if (stdout.writable && stdout.writableLength < mostWaitingBytes) stdout.write(line);
  },
};

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
 * An error without the values it happened with: database errors carry the statement's binds, among them hashes
 * and what users typed.
 */
function errorForLog(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const told = pino.stdSerializers.err(error) as unknown as Record<string, unknown>;
  for (const member of [
    'sql',
    'parameters',
    'parent',
    'original',
    'aggregateErrors',
    'errors',
    'fields',
    'instance',
    'config',
    'request',
  ])
    delete told[member];
  const { parent } = error as { parent?: { code?: unknown; constraint?: unknown; table?: unknown } };
  return parent
    ? { ...told, database: { code: parent.code, constraint: parent.constraint, table: parent.table } }
    : told;
}
