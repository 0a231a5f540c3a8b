import type { Response } from 'express';

/** Aborted when the connection closes before the response has been sent. */
export function disconnectSignal(response: Response): AbortSignal {
  const disconnected = new AbortController();
  if (response.destroyed && !response.writableFinished) disconnected.abort();
  response.once('close', () => {
    if (!response.writableFinished) disconnected.abort();
  });
  return disconnected.signal;
}

/** Whether an error means that the caller has disconnected, or that a stream was destroyed before its end. */
export function isAborted(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}
