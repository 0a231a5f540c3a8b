import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import type { DescribedInput } from './describedItem.js';
import { ownThumbnail } from './thumbnail.service.js';

/** The thumbnail of an item, and the one that it shows if it has none. */
interface PresentThumbnail {
  readonly thumbnailId: string | null;
  readonly shownThumbnailId: string | null;
}

/**
 * The values of `describedColumns`; omitted members become empty. Locks the thumbnail against removal until the transaction ends.
 * `present`: the current thumbnails of an item that shows another thumbnail if it has none. Clients send back complete objects that
 * they have read, so the id of that other thumbnail is not stored, and the item's own thumbnail, which may belong to the licensor,
 * is kept. Throws ValidationError if the thumbnail does not belong to the owner.
 */
export async function describedValues(
  ctx: Context,
  tx: Transaction,
  ownerId: string,
  { description, thumbnailId: sent, tags = [] }: DescribedInput,
  present?: PresentThumbnail,
) {
  const isKept = sent !== undefined && sent === present?.thumbnailId;
  const chosen = sent === present?.shownThumbnailId ? undefined : sent;
  return {
    description: description || null,
    thumbnailId: isKept ? sent : await ownThumbnail(ctx, tx, ownerId, chosen),
    tags: [...tags],
  };
}

/** Undefined members keep their values. */
interface ChangedDescription {
  readonly description: string | null | undefined;
  readonly thumbnailId: string | null | undefined;
  readonly tags: string[] | undefined;
}

/**
 * Like `describedValues`, for a change: an omitted member is undefined, so that the `update` of a model keeps its value; an empty
 * member is removed.
 */
export async function describedChange(
  ctx: Context,
  tx: Transaction,
  ownerId: string,
  input: DescribedInput,
  present?: PresentThumbnail,
): Promise<ChangedDescription> {
  const sent = { ...input, thumbnailId: input.thumbnailId || undefined };
  const values = await describedValues(ctx, tx, ownerId, sent, present);
  return {
    description: input.description === undefined ? undefined : values.description,
    thumbnailId: input.thumbnailId === undefined ? undefined : values.thumbnailId,
    tags: input.tags && values.tags,
  };
}
