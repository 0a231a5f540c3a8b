import { ContentFailedError, errorOf } from './clientErrors.js';
import { pause } from './pause.js';

/** Processing state of a box item. */
export interface ProcessingState {
  readonly status: 'PENDING' | 'READY' | 'FAILED';
  /** Percent. */
  readonly progress: number;
  /** With READY: progress of the renditions that are being encoded, in percent. */
  readonly preparing?: number;
  /** The reason of a failure. */
  readonly message?: string;
}

export interface FollowOptions {
  /** `READY`: the item plays. `COMPLETE`: all its renditions are complete. Default: `READY`. */
  readonly until?: 'READY' | 'COMPLETE' | undefined;
  readonly onProgress?: ((state: ProcessingState) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

const reconnectMs = 1_000;

/**
 * Follows a box item until it plays. Reads server-sent events, and reconnects if they end early. Throws ContentFailedError,
 * ApiError (404: unknown item), and the reason of the signal.
 */
export async function follow(
  send: (request: Request) => Promise<Response>,
  address: string,
  { until = 'READY', onProgress, signal = new AbortController().signal }: FollowOptions = {},
): Promise<void> {
  for (;;) {
    try {
      const response = await send(new Request(address, { signal }));
      if (!response.ok || !response.body) throw await errorOf(response);
      for await (const state of statesOf(response.body)) {
        onProgress?.(state);
        if (state.status === 'FAILED')
          throw new ContentFailedError(state.message ?? 'The content could not be processed.');
        if (state.status === 'READY' && (until === 'READY' || state.preparing === undefined)) return;
      }
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ContentFailedError || isFinal(error)) throw error;
    }
    await pause(reconnectMs, signal);
  }
}

/** Whether a retry is useless. An unreachable or overloaded server is asked again. */
function isFinal(error: unknown): boolean {
  const { status } = error as { status?: unknown };
  return typeof status === 'number' && status < 500 && status !== 429;
}

/** The data of server-sent events. The end of the loop cancels the response. */
async function* statesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<ProcessingState> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines)
        if (line.startsWith('data:')) yield JSON.parse(line.slice('data:'.length)) as ProcessingState;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
