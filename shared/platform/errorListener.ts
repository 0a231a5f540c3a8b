import { ChildProcess } from 'node:child_process';
import type { EventEmitter } from 'node:events';
import { Server as NetServer, type Socket } from 'node:net';

const keep = (): void => {};

/**
 * Attaches an error listener to a new emitter, and returns the emitter. An emitter without one ends the process when it fails.
 * The lint rule `streams/error-listener` requires this call unless another listener is attached at once.
 *
 * No error is lost: a stream keeps its error, and `for await`, `pipeline` and `finished` reject with it, even if they start
 * later. Other emitters need `onError`, or a caller that awaits their `exit` or `close`. The pipes of a child process and the
 * connections of a server also receive a listener.
 */
export function withErrorListener<Emitter extends EventEmitter>(
  emitter: Emitter,
  onError: (error: Error) => void = keep,
): Emitter {
  emitter.on('error', onError);
  if (emitter instanceof ChildProcess) for (const pipe of emitter.stdio ?? []) pipe?.on('error', keep);
  if (emitter instanceof NetServer) emitter.on('connection', (socket: Socket) => void socket.on('error', keep));
  return emitter;
}
