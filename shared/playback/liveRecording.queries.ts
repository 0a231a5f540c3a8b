import type { Context } from '../platform/context.js';
import { vodVisibility } from '../vod/vod.visibility.js';

/** The published video of an event's recording, which everybody who has its id can play; null: there is none. */
export async function publishedRecording(ctx: Context, eventId: string): Promise<string | null> {
  const [published] = await ctx.db.rows<{ id: string }>(
    `SELECT vod.id
       FROM live_recordings recording
       JOIN box_items box ON box.id = recording.box_item_id
       JOIN contents content ON content.id = box.content_id
       JOIN vod_items vod ON vod.box_item_id = box.id
       JOIN users owner ON owner.id = vod.owner_id
      WHERE recording.event_id = $eventId AND ${vodVisibility.byId} AND ${vodVisibility.playable}
      ORDER BY vod.public DESC, vod.published_at, vod.id LIMIT 1`,
    { eventId, now: ctx.clock.now() },
  );
  return published?.id ?? null;
}
