import type { PublishedEvent } from '../live/event.queries.js';
import type { Context } from '../platform/context.js';
import { formatDateTime } from '../platform/formats/format.js';
import type { Reader } from '../platform/formats/reader.js';
import { hasSegmentsSince } from '../streaming/liveState.queries.js';
import { vodVisibility } from '../vod/vod.visibility.js';

/** The reason why an event cannot be watched now, for viewers. `isOver`: the event has ended. */
export interface OffAir {
  readonly isOver: boolean;
  readonly message: string;
}

/** The reason why an event cannot be watched now; null: it can. `docs/contract.md#choices-live`. */
export async function offAirOf(
  ctx: Context,
  { id, channelId, startsAt, endsAt, isOnAir }: PublishedEvent['event'],
  { language, zone }: Reader,
): Promise<OffAir | null> {
  const now = ctx.clock.now();
  const offAir = (isOver: boolean, key: string): OffAir => {
    const { date, time } = formatDateTime(startsAt, zone);
    return { isOver, message: ctx.translate(language, `playback.live.${key}`, { date, time: time.slice(0, 5) }) };
  };
  if (now >= endsAt) return offAir(true, (await publishedRecording(ctx, id)) === null ? 'over' : 'overAndRecorded');
  if (now < startsAt) return offAir(false, 'before');
  if (!isOnAir) return offAir(false, 'silent');
  // With a streaming server for viewers, this service may not store the media.
  if (ctx.config.live.playbackUrl !== null || (await hasSegmentsSince(ctx, channelId, startsAt))) return null;
  return offAir(false, 'starting');
}

/** Id of the VOD item of an event's recording, if everybody with the id can play it; otherwise null. */
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
