import type { Context } from '../../platform/context.js';
import { withTimeLimit } from '../../platform/withTimeout.js';
import { readPartsState, type PartAddress, type PartsState } from './partsState.js';
import { signPartsRequest } from './signedRequest.js';

/** A run with the address of its live process. Only live processes write it. */
export interface PartsRun {
  readonly runId: string;
  readonly partsUrl: string;
}

/** A live process responds within this time, also without a change. */
export const stateWaitMs = 2_000;
/** A process that responds later is treated as unreachable. */
const marginMs = 1_500;
const maxStateBytes = 256 * 1024;
const maxMediaBytes = 32 * 1024 ** 2;

/**
 * The parts state of a run, when it is newer than version `after`, or after two seconds. Null if the run has ended. Rejects if
 * the live process cannot be reached.
 */
export async function fetchPartsState(
  ctx: Context,
  run: PartsRun,
  after: number,
  signal: AbortSignal,
): Promise<PartsState | null> {
  const body = await fetchSigned(ctx, run, `?after=${after}`, { signal, maxBytes: maxStateBytes });
  return body && readPartsState(run.runId, JSON.parse(body.toString('utf8')));
}

/** The bytes of a part; null if the live process no longer has it. Rejects if the process cannot be reached. */
export function fetchPart(ctx: Context, run: PartsRun, address: PartAddress): Promise<Buffer | null> {
  const { number, part, rendition } = address;
  return fetchSigned(ctx, run, `/${number}/${part}/${rendition}`, { maxBytes: maxMediaBytes });
}

/** An initialisation segment of a run, which may not be stored yet. Null if the live process does not have it. */
export function fetchInitialisation(ctx: Context, run: PartsRun, map: string): Promise<Buffer | null> {
  return fetchSigned(ctx, run, `/init/${map}`, { maxBytes: maxMediaBytes });
}

async function fetchSigned(
  ctx: Context,
  { runId, partsUrl }: PartsRun,
  path: string,
  { signal, maxBytes }: { readonly signal?: AbortSignal; readonly maxBytes: number },
): Promise<Buffer | null> {
  const address = `/runs/${runId}${path}`;
  return withTimeLimit(signal, stateWaitMs + marginMs, async (limited) => {
    const response = await fetch(partsUrl + address, {
      headers: { Authorization: signPartsRequest(ctx.config, address, ctx.clock.now()) },
      redirect: 'error',
      signal: limited,
    });
    if (response.ok) return readBody(response, maxBytes);
    await response.body?.cancel();
    if (response.status === 404 || response.status === 410) return null;
    throw new Error(`live process responded ${response.status}`);
  });
}

async function readBody(response: Response, maxBytes: number): Promise<Buffer> {
  const blocks: Uint8Array[] = [];
  let bytes = 0;
  for await (const block of response.body ?? []) {
    bytes += block.length;
    if (bytes > maxBytes) throw new Error(`live process sent more than ${maxBytes} bytes`);
    blocks.push(block);
  }
  return Buffer.concat(blocks);
}
