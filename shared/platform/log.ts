import { pino, type Logger as PinoLogger } from 'pino';

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
];

/** A logger of JSON lines on standard output, without secrets. */
export function createLogger(options: { process: string; level: string }): Logger {
  return pino({
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
  });
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
