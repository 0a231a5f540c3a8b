import { createHash } from 'node:crypto';
import { knownInits, type ChunkRung } from '../../shared/content/chunks.js';
import type { ChunkPayload } from '../../shared/content/content.jobs.js';
import type { Context } from '../../shared/platform/context.js';
import { codecsOf, withoutGuesses } from '../media/boxes.js';
import { MediaError } from '../media/runner.js';
import type { RungOutput } from './collectSegments.js';
import type { Destination } from './makeChunk.js';
import type { Uploads } from './uploads.js';

/** Name of an initialisation segment: made of its bytes, so storing it twice changes nothing. */
function initName(rung: string, init: Buffer): string {
  return `init/${rung}-${createHash('sha256').update(init).digest('hex').slice(0, 16)}.mp4`;
}

/**
 * One initialisation segment serves all chunks of a rung. The first chunk stores it; a later one whose own is different was
 * made by other tools and would not play after the others.
 */
export async function storeInits(
  ctx: Context,
  { contentId, generation }: ChunkPayload,
  to: Destination,
  outputs: readonly RungOutput[],
  uploads: Uploads,
): Promise<ReadonlyMap<string, Pick<ChunkRung, 'initKey' | 'initBytes' | 'codecs'>>> {
  const known = await knownInits(ctx, contentId, generation);
  const inits = new Map<string, Pick<ChunkRung, 'initKey' | 'initBytes' | 'codecs'>>();
  for (const { rung, init: written } of outputs) {
    const init = withoutGuesses(written);
    const name = initName(rung, init);
    const first = known.get(rung);
    if (first !== undefined && first !== name) throw new MediaError(`${rung}: ${name} does not continue ${first}`);
    if (first === undefined) {
      await uploads.addBuffer(init, `${to.generation}/${name}`, 'video/mp4');
      await uploads.addBuffer(init, `${to.preview}/${name}`, 'video/mp4');
    }
    inits.set(rung, { initKey: name, initBytes: init.length, codecs: codecsOf(init) });
  }
  return inits;
}
