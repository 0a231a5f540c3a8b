import { createHash } from 'node:crypto';
import type { ChunkRendition } from '../../shared/content/chunkResult.js';
import { knownInits } from '../../shared/content/rendition.service.js';
import type { ChunkPayload } from '../../shared/content/content.jobs.js';
import type { Context } from '../../shared/platform/context.js';
import { codecsOf, stripBitrateHints } from '../media/boxes.js';
import { MediaError } from '../media/runner.js';
import type { RenditionOutput } from './collectSegments.js';
import type { Destination } from './destination.js';
import type { Uploads } from './uploads.js';

/** Name of an initialisation segment: made of its bytes, so storing it twice changes nothing. */
function initName(rendition: string, init: Buffer): string {
  return `init/${rendition}-${createHash('sha256').update(init).digest('hex').slice(0, 16)}.mp4`;
}

/**
 * One initialisation segment serves all chunks of a rung. The first chunk stores it; a later one whose own is different was
 * made by other tools and would not play after the others.
 */
export async function storeInits(
  ctx: Context,
  payload: ChunkPayload,
  to: Destination,
  outputs: readonly RenditionOutput[],
  uploads: Uploads,
): Promise<ReadonlyMap<string, Pick<ChunkRendition, 'initKey' | 'initBytes' | 'codecs'>>> {
  const known = await knownInits(ctx, payload);
  const inits = new Map<string, Pick<ChunkRendition, 'initKey' | 'initBytes' | 'codecs'>>();
  for (const { rendition, init: written } of outputs) {
    const init = stripBitrateHints(written);
    const name = initName(rendition, init);
    const first = known.get(rendition);
    if (first !== undefined && first !== name) throw new MediaError(`${rendition}: ${name} does not continue ${first}`);
    if (first === undefined) {
      await uploads.addBuffer(init, `${to.generation}/${name}`, 'video/mp4');
      await uploads.addBuffer(init, `${to.preview}/${name}`, 'video/mp4');
    }
    inits.set(rendition, { initKey: name, initBytes: init.length, codecs: codecsOf(init) });
  }
  return inits;
}
