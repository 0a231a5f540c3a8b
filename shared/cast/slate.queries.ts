import type { Context } from '../platform/context.js';
import { CastSlate } from './cast.model.js';
import { wantDefaultSlate } from './defaultSlate.service.js';
import type { SlateProgram } from './slatePlan.js';

/**
 * The stored slates of a channel. At a time, the first one is shown with `showsFrom` <= time < `showsUntil` (null: no end).
 * The default slate is the last one. The list is empty only until a worker has made the first default slate.
 */
export async function readySlates(ctx: Context, channelId: string): Promise<CastSlate[]> {
  const model = ctx.db.model(CastSlate);
  const own = await model.findAll({ where: { channelId, state: 'READY' }, order: [['createdAt', 'DESC']] });
  const general = await model.findAll({ where: { channelId: null, state: 'READY' } });
  if (general.length === 0) await wantDefaultSlate(ctx);
  const now = ctx.clock.now();
  const kept = own.filter(({ neededUntil }) => neededUntil > now);
  const withNext = kept.filter(({ showsUntil }) => showsUntil !== null);
  return [...withNext, ...kept.filter(({ showsUntil }) => showsUntil === null), ...general];
}

/** A program lasts no longer (`docs/contract.md#choices-cast`), so those that are not over began after this. */
const longestProgramMilliseconds = 24 * 3_600_000;
/** More programs than this cannot begin before the next slate is wanted. */
const mostPrograms = 200;

/** Programs of a channel that are not over, in order of time, as slates need them. */
export async function programsForSlates(ctx: Context, channelId: string, now: Date): Promise<SlateProgram[]> {
  return ctx.db.rows<SlateProgram>(
    `SELECT program.starts_at, program.ends_at, program.type, program.title, program.failure_key, program.offset_seconds,
            CASE WHEN content.state = 'READY' THEN content.duration_ms / 1000.0::float8 END AS content_seconds
       FROM cast_programs program
       LEFT JOIN box_items item ON item.id = program.box_item_id
       LEFT JOIN contents content ON content.id = item.content_id
      WHERE program.channel_id = $channelId AND program.ends_at > $now AND program.starts_at > $oldest
      ORDER BY program.starts_at LIMIT $mostPrograms`,
    { channelId, now, oldest: new Date(now.getTime() - longestProgramMilliseconds - 60_000), mostPrograms },
  );
}
