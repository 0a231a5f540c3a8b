/** Whether an error means that a server is unreachable. */
export type IsUnreachable = (error: unknown) => boolean;

/** A connection to the queue server failed. `server`: the dependency that is unreachable. */
export class QueueServerError extends Error {
  override readonly name = 'QueueServerError';

  constructor(
    readonly server: 'queue' | 'database',
    override readonly cause: unknown,
  ) {
    super('the queue server does not respond', { cause });
  }
}

/** Converts an error of a queue connection: to a QueueServerError if the server is unreachable, otherwise unchanged. */
export function faultOfQueue(
  server: QueueServerError['server'],
  isUnreachable: IsUnreachable,
  error: unknown,
): unknown {
  const fault = new QueueServerError(server, error);
  return isUnreachable(fault) ? fault : error;
}
