import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import type { DescribedInput, DescribedItem } from './describedItem.js';
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
): Promise<Partial<DescribedItem & { readonly tags: string[] }>> {
  const sent = { ...input, thumbnailId: input.thumbnailId || undefined };
  const values = await describedValues(ctx, tx, ownerId, sent, present);
  return {
    ...(input.description === undefined ? {} : { description: values.description }),
    ...(input.thumbnailId === undefined ? {} : { thumbnailId: values.thumbnailId }),
    ...(input.tags === undefined ? {} : { tags: values.tags }),
  };
}
