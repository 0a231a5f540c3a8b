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
