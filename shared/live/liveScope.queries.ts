import type { Context } from '../platform/context.js';
import type { LiveScope, LiveScopeSource, RetainedWindow } from '../streaming/liveScope.js';
import { liveVisibility } from './live.visibility.js';

/**
 * The scopes of live channels and events, listed in `shared/liveScopes.ts`. An event's scope: its times. A channel's
 * scope: everything published to it, for its owner's test. Events of disabled publishers have a scope only if they are
 * sold, for viewers who have paid (`docs/decisions/money.md#live-events`).
 */
export const liveChannelScopes: LiveScopeSource = { find, retainedWindows };

async function find(ctx: Context, scopeId: string): Promise<LiveScope | null> {
  const [scope] = await ctx.db.rows<LiveScope>(
    `SELECT event.channel_id AS stream_id, event.starts_at AS "from", event.ends_at AS "until"
       FROM live_events event JOIN users owner ON owner.id = event.owner_id
      WHERE event.id = $scopeId AND (${liveVisibility.byId} OR event.payment_mode = 'PAY_PER_VIEW')
      UNION ALL
     SELECT channel.id, NULL::timestamptz, NULL::timestamptz
       FROM live_channels channel JOIN users owner ON owner.id = channel.owner_id
      WHERE channel.id = $scopeId AND ${liveVisibility.byId}`,
    { scopeId },
  );
  return scope ?? null;
}

/**
 * The windows whose segments recordings need, until the box item is READY or FAILED, or the recording has failed.
 * Windows that have not begun have no segments and are left out.
 */
function retainedWindows(ctx: Context): Promise<RetainedWindow[]> {
  return ctx.db.rows<RetainedWindow>(
    `SELECT stream_id, starts_at AS "from", ends_at AS "until" FROM live_recordings
      WHERE state IN ('WAITING', 'COPYING', 'KEPT') AND starts_at <= $now
      UNION ALL
     SELECT recording.stream_id, recording.starts_at, recording.ends_at
       FROM contents content JOIN box_items item ON item.content_id = content.id
            JOIN live_recordings recording ON recording.box_item_id = item.id
      WHERE content.state = 'PENDING' AND content.recorded`,
    { now: ctx.clock.now() },
  );
}
