import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import type { DescribedInput } from './describedItem.js';
import { ownThumbnail } from './thumbnail.service.js';

/** The thumbnail that an item has, and the one that it shows where it has none. */
interface PresentThumbnail {
  readonly thumbnailId: string | null;
  readonly shownThumbnailId: string | null;
}

/**
 * The values of `describedColumns`: what is left out is emptied. The thumbnail cannot be removed before the transaction ends.
 * `present`: of an item that shows another thumbnail where it has none. Clients send back whole objects that they have read: that
 * other thumbnail is not a choice; and the item's present one, which may be the licensor's, is kept. Throws ValidationError where
 * the thumbnail is not the owner's.
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

/** A member that is undefined stays. */
interface ChangedDescription {
  readonly description: string | null | undefined;
  readonly thumbnailId: string | null | undefined;
  readonly tags: string[] | undefined;
}

/**
 * The same of a change: a member that it leaves out is undefined, which the `update` of a model leaves as it is; an empty one is
 * removed.
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
