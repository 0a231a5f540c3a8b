import type { IncomingMessage } from 'node:http';
import { Transform } from 'node:stream';
import type { Context } from '../../shared/platform/context.js';
import { withErrorListener } from '../../shared/platform/errorListener.js';
import { MalformedRequestError, RequestTimeoutError } from '../../shared/platform/errors.js';
import { Tunable } from '../../shared/platform/tunable.js';

/**
 * An upload that sends fewer than `minBytes` within this time is closed: even the slowest networks send more, and a stalled
 * connection would otherwise stay open indefinitely.
 */
export const uploadSilenceSeconds = new Tunable(60);
const minBytes = 16 * 1024;
/** Number of checks within this time whether the service reads from the request. */
const slices = 10;

/**
 * The body of an upload, copied from its request: the copy can end before the request does, while the connection stays open for
 * the response. The copy fails if the request is aborted or stalled.
 */
export class CopiedBody {
  readonly #request: IncomingMessage;
  readonly #unwatch: () => void;
  #copy: Transform | undefined;
  #failure: unknown;
  #hasLeft = false;
  readonly #cut = (): void => {
    if (!this.#request.complete) this.fail(new MalformedRequestError({ key: 'upload.aborted' }));
  };

  constructor(ctx: Pick<Context, 'config'>, request: IncomingMessage) {
    this.#request = request;
    this.#unwatch = watchSilence(ctx, request, (error) => this.fail(error));
    request.once('close', this.#cut).once('error', this.#cut);
    if (request.destroyed) this.#cut();
  }

  /** The first error. Later ones follow from it. */
  get failure(): unknown {
    return this.#failure;
  }

  /** Starts to read. `onChunk` receives each chunk with the total bytes so far; if it throws, the copy fails. */
  open(onChunk: (chunk: Buffer, bytes: number) => void): Transform {
    let bytes = 0;
    const copy = withErrorListener(
      new Transform({
        transform(chunk: Buffer, _encoding, done) {
          bytes += chunk.length;
          try {
            onChunk(chunk, bytes);
          } catch (error) {
            return done(error as Error);
          }
          done(null, chunk);
        },
      }),
    );
    this.#copy = copy;
    if (this.#failure !== undefined) copy.destroy(this.#failure as Error);
    else if (this.#hasLeft) copy.end();
    else this.#request.pipe(copy);
    return copy;
  }

  fail(error: unknown): void {
    this.#failure ??= error;
    this.#copy?.destroy(error as Error);
  }

  /** Ends the copy at its present position; the received bytes stay valid. */
  leave(): void {
    this.#hasLeft = true;
    if (!this.#copy) return;
    this.#request.unpipe(this.#copy);
    this.#copy.end();
  }

  /** Stops reading from the request. */
  close(): void {
    this.#unwatch();
    this.#request.off('close', this.#cut).off('error', this.#cut);
    if (!this.#copy) return;
    this.#request.unpipe(this.#copy);
    this.#copy.destroy();
  }
}

/**
 * Calls `onSilent` if the sender stalls. Time in which the service does not read does not count, because a slow store or a wait
 * for another request is not the sender's fault. The returned function stops the checks.
 */
function watchSilence(
  { config }: Pick<Context, 'config'>,
  request: IncomingMessage,
  onSilent: (error: RequestTimeoutError) => void,
): () => void {
  const seconds = config.limit(uploadSilenceSeconds);
  let before = request.socket.bytesRead;
  let waited = 0;
  const timer = setInterval(
    () => {
      // Paused by backpressure, or not yet read.
      if (request.readableFlowing !== true) return;
      waited += 1;
      if (waited < slices) return;
      const { bytesRead } = request.socket;
      const isSilent = !request.complete && bytesRead - before < minBytes;
      [before, waited] = [bytesRead, 0];
      if (isSilent) onSilent(new RequestTimeoutError({ key: 'upload.stalled', values: { seconds } }));
    },
    (seconds * 1_000) / slices,
  );
  return () => clearInterval(timer);
}
