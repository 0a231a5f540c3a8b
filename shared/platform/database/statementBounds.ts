import { connect } from 'node:net';
import type { StatementBounds } from './database.js';

/** The parts of a driver connection that a cancel request needs. */
export interface CancellableClient {
  readonly host: string;
  readonly port: number;
  readonly processID: number | null;
  readonly secretKey: number | null;
}

/** An unanswered cancel request is abandoned; `statement_timeout` then ends the statement. */
const cancelTimeoutMs = 5_000;
/** Code of a cancel request in the PostgreSQL protocol. */
const cancelRequestCode = 80_877_102;

/**
 * Runs a statement of `client` and cancels it on the server at a timeout or abort. Bounds cost no round trip: only a cancellation
 * opens a second connection. Rejects with the reason of the signal, or with the error of the statement.
 */
export async function runWithin<Result>(
  client: CancellableClient,
  { timeoutMs, signal }: StatementBounds,
  statement: () => Promise<Result>,
): Promise<Result> {
  signal?.throwIfAborted();
  const requests: Promise<void>[] = [];
  const cancel = (): void => void requests.push(requestCancel(client));
  const timer = timeoutMs === undefined ? undefined : setTimeout(cancel, timeoutMs);
  signal?.addEventListener('abort', cancel);
  try {
    return await statement();
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
    // A late cancel request would cancel the next statement of this connection.
    await Promise.all(requests);
  }
}

/** Resolves when the server has handled the request, or cannot be reached. */
function requestCancel({ host, port, processID, secretKey }: CancellableClient): Promise<void> {
  if (processID === null || secretKey === null) return Promise.resolve();
  const message = Buffer.alloc(16);
  message.writeInt32BE(message.length, 0);
  message.writeInt32BE(cancelRequestCode, 4);
  message.writeInt32BE(processID, 8);
  message.writeInt32BE(secretKey, 12);
  return new Promise((resolve) => {
    const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    socket.setTimeout(cancelTimeoutMs, () => socket.destroy());
    socket.on('error', () => {}).once('close', () => resolve());
    socket.end(message);
    socket.resume();
  });
}
