import type { ChunkRendition } from '../../shared/content/chunkResult.js';
import { knownInits } from '../../shared/content/rendition.service.js';
import type { ChunkPayload } from '../../shared/content/content.jobs.js';
import { initName } from '../../shared/content/storageKeys.js';
import type { Context } from '../../shared/platform/context.js';
import { codecsOf, stripBitrateHints } from '../../shared/media/mp4/index.js';
import { MediaError } from '../media/index.js';
import type { RenditionOutput } from './collectSegments.js';
import type { Destination } from './destination.js';
import type { Uploads } from '../runtime/uploads.js';

/**
 * All chunks of a rendition share one initialisation segment, which the first chunk stores. Throws MediaError for a chunk with a
 * different one: it was encoded with another version of ffmpeg, and could not be played after the others.
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
