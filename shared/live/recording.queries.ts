import type { Context } from '../platform/context.js';

/** A part of a stream whose segments must not be removed: those that overlap `from` to `until`. */
interface RetainedWindow {
  readonly streamId: string;
  readonly from: Date;
  readonly until: Date;
}

/**
 * The windows that recordings still need: until the box item is READY or FAILED, or the recording has failed. Windows that
 * have not begun have no segments and are left out. For the sweep of segments (`shared/liveScopes.ts`).
 */
export function retainedWindows(ctx: Context): Promise<RetainedWindow[]> {
  return ctx.db.rows<RetainedWindow>(
    `SELECT recording.stream_id, recording.starts_at AS "from", recording.ends_at AS "until"
       FROM live_recordings recording
      WHERE recording.starts_at <= $now
        AND (recording.state IN ('WAITING', 'COPYING', 'KEPT')
             OR (recording.state = 'INGESTED' AND EXISTS (
                   SELECT 1 FROM box_items item JOIN contents content ON content.id = item.content_id
                    WHERE item.id = recording.box_item_id AND content.state = 'PENDING')))`,
    { now: ctx.clock.now() },
  );
}

/** The box item of an event's recording, of any status. Null where there is none (yet), or its owner has deleted it. */
export async function recordingOf(ctx: Context, eventId: string): Promise<{ readonly boxItemId: string } | null> {
  const [row] = await ctx.db.rows<{ boxItemId: string }>(
    `SELECT item.id AS box_item_id
       FROM live_recordings recording JOIN box_items item ON item.id = recording.box_item_id
      WHERE recording.event_id = $eventId`,
    { eventId },
  );
  return row ?? null;
}
