import type { Context } from '../platform/context.js';
import { chunksOf } from './chunks.js';
import { Content } from './content.model.js';
import type { NeededFiles } from './stale.js';

/** Which files of a content are needed now; null where the content is gone, or going. */
export async function neededFiles(ctx: Context, contentId: string): Promise<NeededFiles | null> {
  const content = await ctx.db.model(Content).findByPk(contentId);
  if (!content || content.state === 'DELETED') return null;
  const generation = content.generation ?? 1;
  const ready = content.readyGeneration ?? null;
  const making = generation > Math.max(ready ?? 0, content.failedGeneration ?? 0) ? generation : null;
  return { contentId, making, ready: ready === null ? null : await readyFiles(ctx, contentId, ready) };
}

async function readyFiles(
  ctx: Context,
  contentId: string,
  generation: number,
): Promise<NonNullable<NeededFiles['ready']>> {
  const chunks = await chunksOf(ctx, contentId, generation);
  const inits = chunks.flatMap(({ result }) => Object.values(result?.renditions ?? {}).map(({ initKey }) => initKey));
  return { generation, folders: chunks.flatMap(({ folder }) => folder ?? []), inits: [...new Set(inits)] };
}
