import { randomUUID } from 'node:crypto';
import { CastProgram } from '../../../shared/cast/cast.model.js';
import type { Context } from '../../../shared/platform/context.js';
import type { TestUser } from '../api.js';

export interface ProgramMembers {
  readonly type?: 'PRERECORDED' | 'LIVE' | 'BREAK';
  readonly title?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly thumbnailId?: string;
  readonly failureKey?: string;
  readonly boxItemId?: string;
  /** With `LIVE`. */
  readonly streamId?: string;
}

/** Inserts a program from and until so many minutes after now, without checks. Resolves with its id. */
export async function addProgram(
  ctx: Context,
  { channelId, owner }: { readonly channelId: string; readonly owner: Pick<TestUser, 'userId'> },
  [start, end]: readonly [startMinutes: number, endMinutes: number],
  members: ProgramMembers = {},
): Promise<string> {
  const id = randomUUID();
  const now = ctx.clock.now();
  const at = (minutes: number): Date => new Date(Math.floor((now.getTime() + minutes * 60_000) / 1000) * 1000);
  const { type = 'PRERECORDED', tags = [], boxItemId = randomUUID(), streamId = randomUUID(), ...rest } = members;
  await ctx.db.transaction(async (transaction) => {
    await ctx.db.model(CastProgram).create(
      {
        ...{ id, channelId, ownerId: owner.userId, type, startsAt: at(start), endsAt: at(end), title: 'Program' },
        ...{ tags: [...tags], createdAt: now, updatedAt: now, ...rest },
        boxItemId: type === 'PRERECORDED' ? boxItemId : null,
        streamId: type === 'LIVE' ? streamId : null,
      },
      { transaction },
    );
    await ctx.search.markDirty(transaction, 'castProgram', id);
  });
  return id;
}
