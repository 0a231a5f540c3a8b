/** Whether an error says that a server is away. */
export type IsAway = (error: unknown) => boolean;

/** An error of a connection to the queue server. `server`: the dependency that is away where the connection is lost. */
export class QueueServerError extends Error {
  override readonly name = 'QueueServerError';

  constructor(
    readonly server: 'queue' | 'database',
    override readonly cause: unknown,
  ) {
    super('the queue server does not respond', { cause });
  }
}

/** An error of a connection to the queue server: a QueueServerError if the server is away, otherwise unchanged. */
export function faultOfQueue(server: QueueServerError['server'], isAway: IsAway, error: unknown): unknown {
  const fault = new QueueServerError(server, error);
  return isAway(fault) ? fault : error;
}
