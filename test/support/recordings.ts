import { randomUUID } from 'node:crypto';
import type { RecordedEvent } from '../../shared/live/recording.lifecycle.js';
import type { Context } from '../../shared/platform/context.js';
import { LiveStream } from '../../shared/streaming/streaming.model.js';
import { createUser } from './users.js';

const minute = 60_000;

/** A stream of a new user, and an event on it that is recorded and lasts `minutes`, from now on. */
export async function makeRecordedEvent(ctx: Context, minutes = 10): Promise<RecordedEvent> {
  const now = ctx.clock.now();
  const [channelId, ownerId] = [randomUUID(), await createUser(ctx)];
  const stream = { id: channelId, ownerId, kind: 'LIVE_CHANNEL', path: `path-${channelId}`, createdAt: now } as const;
  await ctx.db.model(LiveStream).create(stream);
  return {
    id: randomUUID(),
    channelId,
    ownerId,
    name: 'Evening news',
    startsAt: now,
    endsAt: new Date(now.getTime() + minutes * minute),
    recorded: true,
  };
}
