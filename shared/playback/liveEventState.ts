import type { PublishedEvent } from '../live/event.queries.js';
import type { Context } from '../platform/context.js';
import { formatDateTime } from '../platform/formats/format.js';
import type { Reader } from '../platform/formats/reader.js';
import { hasSegmentsSince } from './liveSegments.queries.js';
import { publishedRecording } from './liveRecording.queries.js';

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
