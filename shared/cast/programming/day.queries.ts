import { createHash } from 'node:crypto';
import type { Context } from '../../platform/context.js';
import type { Transaction } from '../../platform/database/database.js';
import type { TimeZone } from '../../platform/formats/timeZone.js';
import {
  ownCastChannel,
  publicCastChannel,
  type CastChannelDetails,
  type OwnedCastChannel,
  type PublicCastChannel,
} from '../castChannel.queries.js';
import { dayOf, type CivilDay, type Day } from './day.js';
import { boundsOf, type Surroundings } from './dayRules.js';
import {
  maxProgramMs,
  plainProgramsStarting,
  programsStarting,
  withStreams,
  type OwnProgram,
  type Program,
  type ProgramDetails,
} from './program.queries.js';
import type { Times } from './draft.js';

/** The daily programming of a channel; `docs/contract.md#cast`. */
export interface DailyProgramming<Channel, Shown> {
  readonly channel: Channel;
  readonly day: Day;
  /** Earliest start of the first program, and latest end of the last one. */
  readonly bounds: Times;
  readonly programs: readonly Shown[];
  /** Entity tag of the programs; `If-Match` compares it. */
  readonly etag: string;
}

export type OwnDay = DailyProgramming<CastChannelDetails, OwnProgram>;
export type PublicDay = DailyProgramming<PublicCastChannel, ProgramDetails>;

interface OwnedDays {
  readonly channelId: string;
  readonly ownerId: string;
  readonly zone: TimeZone;
}

/** A day of a channel of this owner. Throws NotFoundError. */
export async function readOwnDay(
  ctx: Context,
  { channelId, ownerId, zone }: OwnedDays,
  civil: CivilDay,
  tx?: Transaction,
): Promise<OwnDay> {
  const channel = await ownCastChannel(ctx, { channelId, ownerId }, tx);
  const read = await readDay(ctx, channel, dayOf(zone, civil), tx);
  return { ...read, programs: await withStreams(ctx, ownerId, read.programs, tx) };
}

/** A day of a channel of an active publisher, for public views. Throws NotFoundError. */
export async function readPublicDay(
  ctx: Context,
  channelId: string,
  zone: TimeZone,
  civil: CivilDay,
): Promise<PublicDay> {
  return readDay(ctx, await publicCastChannel(ctx, channelId), dayOf(zone, civil));
}

/** The programs of one calendar day, for the owner of the channel. */
export async function readCalendarDay(
  ctx: Context,
  { channelId, ownerId }: OwnedCastChannel,
  day: Day,
): Promise<OwnProgram[]> {
  return withStreams(ctx, ownerId, await programsStarting(ctx, { channelId, ...day }));
}

/** The stored programs of consecutive days, in order of time. Read day by day, so that no query result is large. */
export async function storedPrograms(
  ctx: Context,
  tx: Transaction,
  channelId: string,
  days: readonly Day[],
): Promise<Program[]> {
  const programs: Program[] = [];
  for (const day of days) programs.push(...(await plainProgramsStarting(ctx, { channelId, ...day }, tx)));
  return programs;
}

async function readDay<Channel extends { readonly id: string }>(
  ctx: Context,
  channel: Channel,
  day: Day,
  tx?: Transaction,
): Promise<DailyProgramming<Channel, ProgramDetails>> {
  const programs = await programsStarting(ctx, { channelId: channel.id, ...day }, tx);
  const bounds = boundsOf(await surroundingsOf(ctx, channel.id, day, tx));
  return { channel, day, bounds, programs, etag: etagOf(programs) };
}

/** Start of the first day and end of the last one. */
export function spanOf(days: readonly Day[]): Pick<Day, 'from' | 'until'> {
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) throw new Error('no days');
  return { from: first.from, until: last.until };
}

/** A span with the programs around it. A program lasts at most a day, so programs further away do not matter. */
export async function surroundingsOf(
  ctx: Context,
  channelId: string,
  { from, until }: Pick<Day, 'from' | 'until'>,
  tx?: Transaction,
): Promise<Surroundings> {
  const earliest = new Date(from.getTime() - maxProgramMs);
  const latest = new Date(until.getTime() + maxProgramMs);
  const [row] = await ctx.db.rows<{ previousEnd: Date | null; nextStart: Date | null }>(
    `SELECT (SELECT max(ends_at) FROM cast_programs
              WHERE channel_id = $channelId AND starts_at >= $earliest AND starts_at < $from AND ends_at > $from) AS previous_end,
            (SELECT min(starts_at) FROM cast_programs
              WHERE channel_id = $channelId AND starts_at >= $until AND starts_at < $latest) AS next_start`,
    { channelId, earliest, from, until, latest },
    tx,
  );
  return { from, until, previousEnd: row?.previousEnd ?? null, nextStart: row?.nextStart ?? null };
}

/** The entity tag (RFC 9110) of a day: a hash of its stored programs. */
export function etagOf(programs: readonly Program[]): string {
  const hash = createHash('sha256');
  for (const { id, startsAt, endsAt, type, boxItemId, streamId, offsetSeconds, ...described } of programs) {
    const { title, description, thumbnailId, tags } = described;
    const times = [startsAt.getTime(), endsAt.getTime()];
    hash.update(
      JSON.stringify([id, ...times, type, boxItemId, streamId, offsetSeconds, title, description, thumbnailId, tags]),
    );
  }
  return `"${hash.digest('base64url').slice(0, 22)}"`;
}

/**
 * Whether the header `If-Match` permits a change. `W/` is ignored, because a proxy that compresses responses makes the tag
 * weak.
 */
export function isMatch(ifMatch: string, etag: string): boolean {
  return ifMatch.split(',').some((sent) => {
    const tag = sent.trim().replace(/^W\//, '');
    return tag === '*' || tag === etag;
  });
}
