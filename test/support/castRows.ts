import { randomUUID } from 'node:crypto';
import { CastProgram } from '../../shared/cast/cast.model.js';
import type { Context } from '../../shared/platform/context.js';

/** Inserts a program from `start` to `end` seconds after now: a break, or one that shows a stream. Resolves with its id. */
export async function castProgram(
  ctx: Context,
  channelId: string,
  [start, end]: readonly [number, number],
  streamId: string | null = null,
): Promise<string> {
  const now = ctx.clock.now();
  const moment = (seconds: number) => new Date(now.getTime() + seconds * 1000);
  const [channel] = await ctx.db.rows<{ ownerId: string }>('SELECT owner_id FROM cast_channels WHERE id = $channelId', {
    channelId,
  });
  const id = randomUUID();
  await ctx.db.model(CastProgram).create({
    ...{ id, channelId, ownerId: channel?.ownerId ?? '', title: 'Evening', streamId },
    type: streamId === null ? 'BREAK' : 'LIVE',
    ...{ startsAt: moment(start), endsAt: moment(end), createdAt: now, updatedAt: now },
  });
  return id;
}
