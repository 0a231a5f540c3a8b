import type { Content } from '../../shared/content/content.model.js';
import { withdrawGrowingPlaylist } from '../../shared/content/generation.lifecycle.js';
import { copyAttemptOfPath, generationFolder, isGrowingPlaylist } from '../../shared/content/storageKeys.js';
import type { Context } from '../../shared/platform/context.js';
import { LeaseLostError } from '../../shared/platform/lease/index.js';

/**
 * Removes the files that this and earlier attempts have copied, so that the generation can be encoded, and the growing playlists,
 * which a player would keep reloading. Throws LeaseLostError, after which the files belong to the next attempt.
 */
export async function discardCopiedFiles(ctx: Context, content: Content, leaseOwner: string): Promise<void> {
  const { id: contentId, generation, attempt } = content;
  const folder = generationFolder(content, generation);
  const [lists, files]: [string[], string[]] = [[], []];
  for await (const { key } of ctx.storage.list(folder)) {
    const copiedBy = copyAttemptOfPath(key.slice(folder.length + 1));
    if (isGrowingPlaylist(key)) lists.push(key);
    else if (copiedBy !== null && copiedBy <= attempt) files.push(key);
  }
  // Checked as late as possible, because all attempts share the playlists.
  if (!(await withdrawGrowingPlaylist(ctx, { contentId, generation }, leaseOwner)))
    throw new LeaseLostError('the lease was lost before the copy was discarded');
  await ctx.storage.remove([...lists, ...files]);
}
