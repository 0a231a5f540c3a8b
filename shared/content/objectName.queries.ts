import type { Context } from '../platform/context.js';
import { NotFoundError } from '../platform/errors.js';
import { parseContentUrn } from './contentUrn.js';

/** `[content/]<uuid>[-<random part>][/path]` */
const objectPattern = /^\/?(?:content\/)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(-[0-9a-f]{32})?(?:\/.*)?$/i;
const maxName = 1024;

/**
 * The id of the user who has uploaded the content that a streaming server knows by this name: the path of one of its files
 * (`file` of a play result), its folder, its UUID, or its content id (`docs/contract.md#choices-integration`). Throws
 * NotFoundError.
 */
export async function ownerOfObject(ctx: Context, name: string): Promise<string> {
  const [, uuid, random] = (name.length <= maxName ? objectPattern.exec(name) : null) ?? [];
  const contentId = uuid?.toLowerCase() ?? parseContentUrn(ctx.config.service.urnNamespace, name);
  if (contentId === undefined) throw new NotFoundError();
  const folder = random === undefined ? null : `${contentId}${random.toLowerCase()}`;
  const [content] = await ctx.db.rows<{ ownerId: string }>(
    `SELECT owner_id FROM contents
      WHERE id = $contentId AND state <> 'DELETED' AND ($folder::text IS NULL OR folder = $folder)`,
    { contentId, folder },
  );
  if (!content) throw new NotFoundError();
  return content.ownerId;
}
