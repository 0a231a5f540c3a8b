import type { Context } from '../../platform/context.js';
import type { Transaction } from '../../platform/database/database.js';
import { localDay, localeOfTag, localTime } from '../../platform/formats/regionalFormat.js';
import { defaultZone, timeZoneOf } from '../../platform/formats/timeZone.js';
import { languageOf } from '../../platform/i18n.js';
import { notifyUser } from '../../user/user.jobs.js';
import { User } from '../../user/user.model.js';
import { extendChannel } from '../cast.jobs.js';
import { airStates, isUnairable, type AirFailure } from './airable.queries.js';

/** Programs are checked from this long before their start. */
const aheadMs = 7 * 86_400_000;
const batchSize = 500;

/** A box item of programs, to be checked. */
interface ProgrammedItem {
  readonly ownerId: string;
  readonly boxItemId: string;
}

/** The programs of a box item on a channel that show the slate from now on. */
interface Failed {
  readonly channelId: string;
  readonly channelName: string;
  readonly timeZone: string | null;
  readonly title: string;
  readonly startsAt: Date;
  readonly programIds: readonly string[];
}

/**
 * Finds programs whose content may no longer be aired, for example because a license ended early, or may be aired again. Playout
 * shows the slate in any case; this function stores the reason and notifies the owner once for each box item and channel.
 * Idempotent. Resolves with the number of box items whose programs have changed.
 */
export async function checkRights(ctx: Context, signal?: AbortSignal): Promise<number> {
  let changed = 0;
  let after: string | null = null;
  do {
    const items: readonly ProgrammedItem[] = await itemsToCheck(ctx, after);
    for (const item of items) if (!signal?.aborted && (await checkItem(ctx, item))) changed += 1;
    after = items.length < batchSize ? null : (items.at(-1)?.boxItemId ?? null);
  } while (after !== null && !signal?.aborted);
  return changed;
}

function itemsToCheck(ctx: Context, after: string | null): Promise<ProgrammedItem[]> {
  const now = ctx.clock.now();
  return ctx.db.rows<ProgrammedItem>(
    `SELECT DISTINCT program.box_item_id, program.owner_id
       FROM cast_programs program
       LEFT JOIN box_items box ON box.id = program.box_item_id AND box.owner_id = program.owner_id
       LEFT JOIN contents content ON content.id = box.content_id
       LEFT JOIN acquired_licenses license ON license.box_item_id = box.id
      WHERE program.box_item_id > coalesce($after::uuid, '00000000-0000-0000-0000-000000000000')
        AND program.ends_at > $now AND program.starts_at < $soon
        AND (program.failure_key IS NOT NULL OR content.state IS DISTINCT FROM 'READY' OR content.ready_grid IS NULL
             OR box.expires_at < program.ends_at
             OR license.license_type IN ('PAY_PER_VIEW', 'REVENUE_SHARING'))
      ORDER BY program.box_item_id LIMIT $batchSize`,
    { after, now, soon: new Date(now.getTime() + aheadMs), batchSize },
  );
}

/** Checks the programs of a box item; resolves with whether any has changed. */
async function checkItem(ctx: Context, item: ProgrammedItem): Promise<boolean> {
  const { ownerId, boxItemId } = item;
  return ctx.db.transaction(async (tx) => {
    await lockChannelsOf(ctx, tx, item);
    const state = (await airStates(ctx, { ownerId, boxItemIds: [boxItemId] }, tx)).get(boxItemId);
    const failure: AirFailure | null = state && isUnairable(state) ? state.failure : null;
    const until = state && !isUnairable(state) ? state.expiresAt : null;
    const failed = await markPrograms(ctx, tx, item, failure, until);
    for (const one of failed) await notifyOwner(ctx, tx, item, one, failure ?? 'cast.licenseEnds');
    const restored = await restorePrograms(ctx, tx, item, failure, until);
    // Searches and guides omit programs that are not shown.
    const programIds = [...failed.flatMap((one) => one.programIds), ...restored.map(({ id }) => id)];
    await ctx.search.markDirty(tx, 'castProgram', programIds);
    const channelIds = new Set([...failed, ...restored].map(({ channelId }) => channelId));
    await ctx.outbox.addMany(
      tx,
      extendChannel,
      [...channelIds].map((channelId) => ({ payload: { channelId } })),
    );
    if (channelIds.size > 0) await ctx.search.markDirty(tx, 'programmedItem', boxItemId);
    return channelIds.size > 0;
  });
}

/** Locks channels in the order of their ids, like edits that copy between channels. */
async function lockChannelsOf(ctx: Context, tx: Transaction, { ownerId, boxItemId }: ProgrammedItem): Promise<void> {
  await ctx.db.rows(
    `SELECT id FROM cast_channels
      WHERE id IN (SELECT channel_id FROM cast_programs
                    WHERE box_item_id = $boxItemId AND owner_id = $ownerId AND ends_at > $now)
      ORDER BY id FOR UPDATE`,
    { boxItemId, ownerId, now: ctx.clock.now() },
    tx,
  );
}

/** Marks programs that may no longer air: all with a failure, else those that end after `until`. Resolves with the newly marked. */
function markPrograms(
  ctx: Context,
  tx: Transaction,
  { ownerId, boxItemId }: ProgrammedItem,
  failure: AirFailure | null,
  until: Date | null,
): Promise<Failed[]> {
  return ctx.db.rows<Failed>(
    `WITH failed AS (
       UPDATE cast_programs SET failure_key = coalesce($failure, 'cast.licenseEnds'), updated_at = $now
        WHERE box_item_id = $boxItemId AND owner_id = $ownerId AND ends_at > $now AND failure_key IS NULL
          AND ($failure::text IS NOT NULL OR ends_at > $until::timestamptz)
       RETURNING id, channel_id, title, starts_at)
     SELECT channel.id AS channel_id, channel.name AS channel_name, channel.time_zone,
            min(failed.title) AS title, min(failed.starts_at) AS starts_at, array_agg(failed.id) AS program_ids
       FROM failed JOIN cast_channels channel ON channel.id = failed.channel_id
      GROUP BY channel.id`,
    { boxItemId, ownerId, failure, until, now: ctx.clock.now() },
    tx,
  );
}

/** Clears the mark of programs that may air again, and resolves with them. */
async function restorePrograms(
  ctx: Context,
  tx: Transaction,
  { ownerId, boxItemId }: ProgrammedItem,
  failure: AirFailure | null,
  until: Date | null,
): Promise<{ readonly id: string; readonly channelId: string }[]> {
  if (failure !== null) return [];
  return ctx.db.rows(
    `UPDATE cast_programs SET failure_key = NULL, updated_at = $now
      WHERE box_item_id = $boxItemId AND owner_id = $ownerId AND ends_at > $now AND failure_key IS NOT NULL
        AND coalesce(ends_at <= $until::timestamptz, true)
     RETURNING id, channel_id`,
    { boxItemId, ownerId, until, now: ctx.clock.now() },
    tx,
  );
}

async function notifyOwner(
  ctx: Context,
  tx: Transaction,
  { ownerId, boxItemId }: ProgrammedItem,
  { channelId, channelName, timeZone, title, startsAt, programIds }: Failed,
  failure: AirFailure,
): Promise<void> {
  const owner = await ctx.db.model(User).findByPk(ownerId, { transaction: tx });
  if (owner?.state !== 'ACTIVE') return;
  const zone = (timeZone === null ? undefined : timeZoneOf(timeZone)) ?? defaultZone(ctx.config);
  const locale = localeOfTag(owner.language);
  const [date, time] = [localDay(startsAt, zone, locale), localTime(startsAt, zone, locale)];
  const reason = ctx.translate(languageOf(owner.language), failure);
  await ctx.outbox.add(tx, notifyUser, {
    userId: ownerId,
    key: 'programsNotAired',
    values: { channel: channelName, title, count: programIds.length, date, time, reason },
    event: `${channelId}-${boxItemId}`,
  });
}
