import { createHash } from 'node:crypto';
import { BoxItem } from '../../shared/box/box.model.js';
import { Content } from '../../shared/content/content.model.js';
import type { Context } from '../../shared/platform/context.js';

/** The SHA-256 of the source of a box item. */
export async function storedHash(ctx: Context, boxId: string): Promise<string> {
  const item = await ctx.db.model(BoxItem).findByPk(boxId, { rejectOnEmpty: true });
  const content = await ctx.db.model(Content).findByPk(item.contentId, { rejectOnEmpty: true });
  const hash = createHash('sha256');
  for await (const chunk of await ctx.storage.read(content.sourceKey)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
