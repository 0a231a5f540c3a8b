import { pino, type Logger as PinoLogger } from 'pino';

export type Logger = PinoLogger;

/** Members that never reach a log line, wherever they stand. */
const secrets = ['password', 'passwordConfirm', 'currentPassword', 'newPassword', 'token', 'access_token', 'refresh_token', 'livePassword'];

/** A logger of JSON lines on standard output, without secrets. */
export function createLogger(options: { process: string; level: string }): Logger {
  return pino({
    level: options.level,
    base: { process: options.process },
    timestamp: pino.stdTimeFunctions.isoTime,
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
