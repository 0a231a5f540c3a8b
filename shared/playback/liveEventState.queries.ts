import type { PublishedEvent } from '../live/event.queries.js';
import type { Context } from '../platform/context.js';
import { formatDateTime } from '../platform/formats/format.js';
import type { Reader } from '../platform/formats/reader.js';
import { hasSegmentsSince } from '../streaming/liveState.queries.js';
import { vodVisibility } from '../vod/vod.visibility.js';

/** Why an event cannot be watched now, for the viewer; null: it can. `isOver`: it never will be again. */
export interface OffAir {
  readonly isOver: boolean;
  readonly message: string;
}

/** The state of an event in words: `docs/contract.md#choices-live`. */
export async function offAirOf(
  ctx: Context,
  { id, channelId, startsAt, endsAt, isOnAir }: PublishedEvent['event'],
  { language, zone }: Reader,
): Promise<OffAir | null> {
  const now = ctx.clock.now();
  const say = (isOver: boolean, key: string): OffAir => {
    const { date, time } = formatDateTime(startsAt, zone);
    return { isOver, message: ctx.translate(language, `playback.live.${key}`, { date, time: time.slice(0, 5) }) };
  };
  if (now >= endsAt) return say(true, (await publishedRecording(ctx, id)) === null ? 'over' : 'overAndRecorded');
  if (now < startsAt) return say(false, 'before');
  if (!isOnAir) return say(false, 'silent');
  // Where another server faces the viewers, this service may not have the media at all.
  if (ctx.config.live.playbackUrl !== null || (await hasSegmentsSince(ctx, channelId, startsAt))) return null;
  return say(false, 'starting');
}

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
