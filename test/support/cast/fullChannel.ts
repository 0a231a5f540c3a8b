import { randomUUID } from 'node:crypto';
import type { TestApi, TestUser } from '../api.js';
import { seedBoxItem } from '../rows.js';

const dayMs = 24 * 3_600_000;

/** Consecutive days of a channel, from tomorrow midnight (UTC) on. */
export interface FullChannel {
  readonly channelId: string;
  readonly owner: TestUser;
  /** yyyyMMdd of the first day. */
  readonly firstDay: string;
  readonly boxId: string;
}

/** Creates a channel without programs. */
export async function newChannel(api: TestApi, owner: TestUser): Promise<string> {
  const body = { name: 'Full channel', streamPath: `full-${randomUUID()}` };
  const response = await api.call('POST', '/api/cast/channel', { token: owner.token, body });
  if (response.status !== 201) throw new Error(`creating a channel responded ${response.status}: ${response.text}`);
  return response.body.channelId as string;
}

/** A channel whose days are all full, inserted without checks. No program has a dirty mark for the search. */
export async function fullChannel(
  api: TestApi,
  owner: TestUser,
  { days, programsOfDay }: { readonly days: number; readonly programsOfDay: number },
): Promise<FullChannel> {
  const { db, clock } = api.ctx;
  const channelId = await newChannel(api, owner);
  const seconds = Math.floor(86_400 / programsOfDay);
  const description = 'A short film about what can be seen from the mountain hut above the lake, in all seasons.';
  const { boxId } = await seedBoxItem(api.ctx, owner.userId, {
    ...{ title: 'Films of the hut', description, tags: ['film', 'mountain'], durationMs: seconds * 1000 },
  });
  const now = clock.now();
  const from = new Date(now.getTime() - (now.getTime() % dayMs) + dayMs);
  await db.change(
    `INSERT INTO cast_programs (id, channel_id, owner_id, starts_at, ends_at, type, box_item_id, offset_seconds, title,
                                description, tags, created_at, updated_at)
     SELECT gen_random_uuid(), $channelId, $ownerId, start, start + $seconds * interval '1 second', 'PRERECORDED', $boxId, 0,
            'Film ' || number || ' of the day', $description, '{film,mountain}', $now, $now
       FROM generate_series(0, $days::integer - 1) AS day
      CROSS JOIN generate_series(0, $programsOfDay::integer - 1) AS number
      CROSS JOIN LATERAL (SELECT $from::timestamptz + day * interval '24 hours' + number * $seconds * interval '1 second' AS start) AS times`,
    { channelId, ownerId: owner.userId, boxId, description, now, from, days, programsOfDay, seconds },
  );
  return { channelId, owner, boxId, firstDay: from.toISOString().slice(0, 10).replaceAll('-', '') };
}
