import { NotFoundError } from '../../platform/errors.js';
import type { Context } from '../../platform/context.js';
import { userIdOf } from '../../user/user.queries.js';
import type { CastChannel, CastProgram } from '../cast.model.js';
import { isListed, isVisible } from '../visibility.js';
import { maxProgramMs } from '../programming/program.queries.js';

/** A channel as guides show it. */
export interface GuideChannel extends Pick<CastChannel, 'id' | 'name' | 'thumbnailId'> {
  /** Title of the publisher's page, or the user code. */
  readonly publisherName: string;
}

/** A program as guides show it. */
export type GuideProgram = Pick<
  CastProgram,
  'id' | 'channelId' | 'startsAt' | 'endsAt' | 'type' | 'title' | 'description' | 'thumbnailId' | 'tags'
>;

export interface NowAndNext {
  readonly channel: GuideChannel;
  /** Null: a break, a gap, or a program that cannot be played. */
  readonly now: GuideProgram | null;
  /** The programs that follow, in order of time. */
  readonly next: readonly GuideProgram[];
}

/** The channels that a guide contains. */
export type GuideSelection =
  | { readonly channelId: string }
  /** All publishers if `userCode` is undefined. */
  | { readonly userCode: string | undefined };

/** Maximum number of channels in a list. */
const maxChannels = 2_000;
/** Maximum size of a guide. */
const guideLimits = { programs: 10_000, textBytes: 4 * 1024 * 1024 };
/** Longer descriptions are truncated, in characters: players show a few lines. */
const descriptionLength = 1_000;

/** The channels of active publishers, sorted by name. Throws NotFoundError if there is no channel with the selected id. */
export async function guideCastChannels(ctx: Context, selection: GuideSelection): Promise<GuideChannel[]> {
  const select = (condition: string, bind: Record<string, unknown>): Promise<GuideChannel[]> =>
    ctx.db.rows<GuideChannel>(
      `SELECT channel.id, channel.name, channel.thumbnail_id,
              coalesce(nullif(owner.page_title, ''), owner.user_code) AS publisher_name
         FROM cast_channels channel JOIN users owner ON owner.id = channel.owner_id
        WHERE ${isVisible} AND ${condition}
        ORDER BY lower(channel.name), channel.id LIMIT $maxChannels::int`,
      { ...bind, maxChannels },
    );
  if ('channelId' in selection) {
    const { channelId } = selection;
    const found = await select('channel.id = $channelId', { channelId });
    if (found.length === 0) throw new NotFoundError();
    return found;
  }
  if (selection.userCode === undefined) return select('true', {});
  const ownerId = await userIdOf(ctx, selection.userCode);
  return ownerId === undefined ? [] : select('channel.owner_id = $ownerId', { ownerId });
}

const programs = `
  SELECT program.id, program.channel_id, program.starts_at, program.ends_at, program.type, program.title,
         left(program.description, ${descriptionLength}) AS description, program.tags,
         coalesce(program.thumbnail_id, box.thumbnail_id, content.thumbnail_id, stream.thumbnail_id) AS thumbnail_id
    FROM cast_programs program
    LEFT JOIN box_items box ON box.id = program.box_item_id
    LEFT JOIN contents content ON content.id = box.content_id
    LEFT JOIN cast_streams stream ON stream.id = program.stream_id
   WHERE ${isListed} AND program.channel_id = ANY ($channelIds::uuid[])
     AND program.ends_at > $from AND program.starts_at > $earliest`;
const earliestOf = (from: Date): Date => new Date(from.getTime() - maxProgramMs - 1);

/**
 * The programs of these channels that air between `from` and `until`, sorted by start. If the guide exceeds its maximum size,
 * its last programs are omitted.
 */
export function guidePrograms(
  ctx: Context,
  channels: readonly GuideChannel[],
  { from, until }: { readonly from: Date; readonly until: Date },
  { programs: maxPrograms, textBytes: maxTextBytes } = guideLimits,
): Promise<GuideProgram[]> {
  return ctx.db.rows<GuideProgram>(
    `SELECT id, channel_id, starts_at, ends_at, type, title, description, thumbnail_id, tags
       FROM (SELECT *, sum(octet_length(title) + coalesce(octet_length(description), 0)
                           + octet_length(array_to_string(tags, ' '))) OVER (ORDER BY starts_at, id) AS text_bytes
               FROM (${programs} AND program.starts_at < $until
                      ORDER BY program.starts_at, program.id LIMIT $maxPrograms::int) AS programs) AS measured
      WHERE text_bytes <= $maxTextBytes::bigint
      ORDER BY starts_at, id`,
    { channelIds: channels.map(({ id }) => id), from, earliest: earliestOf(from), until, maxPrograms, maxTextBytes },
  );
}

/** The current program of a channel, and at most `count` programs after it. Throws NotFoundError. */
export async function nowAndNext(ctx: Context, channelId: string, count: number): Promise<NowAndNext> {
  const [channel] = await guideCastChannels(ctx, { channelId });
  if (!channel) throw new NotFoundError();
  const from = ctx.clock.now();
  const found = await ctx.db.rows<GuideProgram>(`${programs} ORDER BY program.starts_at LIMIT $count::int + 1`, {
    channelIds: [channel.id],
    from,
    earliest: earliestOf(from),
    count,
  });
  const now = found.find(({ startsAt }) => startsAt <= from) ?? null;
  return { channel, now, next: found.filter((program) => program !== now).slice(0, count) };
}
