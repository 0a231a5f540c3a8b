import { ownThumbnail } from '../../content/thumbnail.service.js';
import type { Context } from '../../platform/context.js';
import type { Transaction } from '../../platform/database/database.js';
import { CastProgram } from '../cast.model.js';
import { lockCastChannel } from '../channel.service.js';
import { extendChannel } from '../playout.jobs.js';
import { ownProgram, type OwnProgram } from './program.queries.js';

/** What a program says about itself. An update empties the members that are left out. */
export interface ProgramDescription {
  readonly title: string;
  readonly description?: string | undefined;
  readonly thumbnailId?: string | undefined;
  readonly tags?: readonly string[] | undefined;
}

/**
 * Replaces the description of a program, also of one that is on air or over; times change through the daily programming only
 * (`docs/contract.md#cast`). Throws NotFoundError; ValidationError where the thumbnail is not the owner's.
 */
export async function updateProgram(
  ctx: Context,
  program: { readonly programId: string; readonly ownerId: string },
  input: ProgramDescription,
): Promise<OwnProgram> {
  const { ownerId } = program;
  const { id, channelId } = await ownProgram(ctx, program);
  return ctx.db.transaction(async (tx) => {
    await lockCastChannel(ctx, tx, { channelId, ownerId });
    // Again, because an edit of its day may have removed it.
    const present = await ownProgram(ctx, { programId: id, ownerId }, tx);
    const values = {
      title: input.title,
      description: input.description || null,
      thumbnailId: await chosenThumbnail(ctx, tx, present, input.thumbnailId),
      tags: [...(input.tags ?? [])],
      updatedAt: ctx.clock.now(),
    };
    await ctx.db.model(CastProgram).update(values, { where: { id }, transaction: tx });
    await ctx.search.markDirty(tx, 'castProgram', id);
    // The slate names the next program.
    await ctx.outbox.add(tx, extendChannel, { channelId });
    return ownProgram(ctx, { programId: id, ownerId }, tx);
  });
}

/**
 * Clients send back whole objects that they have read: the thumbnail of the content or stream, which is shown where none is
 * chosen, is not a choice. Throws ValidationError.
 */
async function chosenThumbnail(
  ctx: Context,
  tx: Transaction,
  { ownerId, thumbnailId, content, stream }: OwnProgram,
  sent: string | undefined,
): Promise<string | null> {
  if (sent !== undefined && sent === thumbnailId) return sent;
  const shown = content?.thumbnailId ?? stream?.thumbnailId;
  return ownThumbnail(ctx, tx, ownerId, sent === shown ? undefined : sent);
}
