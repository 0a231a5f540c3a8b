import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { ownThumbnail } from './thumbnail.service.js';

/** What an owner says about an item, beside its name. */
export interface ItemDescription {
  readonly description?: string | undefined;
  readonly thumbnailId?: string | undefined;
  readonly tags?: readonly string[] | undefined;
}

/**
 * The columns of a description: what is left out is emptied. The thumbnail cannot be removed before the transaction ends.
 * Throws ValidationError where it is not the owner's.
 */
export async function descriptionColumns(
  ctx: Context,
  tx: Transaction,
  ownerId: string,
  { description, thumbnailId, tags = [] }: ItemDescription,
) {
  return {
    description: description || null,
    thumbnailId: await ownThumbnail(ctx, tx, ownerId, thumbnailId),
    tags: [...tags],
  };
}
