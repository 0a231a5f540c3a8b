import { NotFoundError } from '../../platform/errors.js';
import type { Context } from '../../platform/context.js';
import { isUuid } from '../../platform/formats/format.js';
import { userIdOf } from '../../user/user.queries.js';
import type { CastChannel, CastProgram } from '../cast.model.js';

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

/** Which channels a guide contains. */
export type GuideSelection =
  | { readonly channelId: string }
  /** Without `userCode`: of all publishers. */
  | { readonly userCode: string | undefined };

/** A list contains at most so many channels. */
const mostChannels = 2_000;
/** A guide contains at most so many programs, and at most so many bytes of their texts. */
const mostPrograms = 10_000;
const mostTextBytes = 4 * 1024 * 1024;
/** Longer descriptions are cut, in characters: players show a few lines. */
const descriptionLength = 1_000;

/**
 * What guides list: a break shows the slate, and so does a program that cannot be played. SQL condition on the alias
 * `program`.
 */
export const isListed = `program.type <> 'BREAK' AND program.failure_key IS NULL`;

/** The channels of active publishers, by name. Throws NotFoundError where there is none with this id. */
export async function guideChannels(ctx: Context, selection: GuideSelection): Promise<GuideChannel[]> {
  const select = (condition: string, bind: Record<string, unknown>): Promise<GuideChannel[]> =>
    ctx.db.rows<GuideChannel>(
      `SELECT channel.id, channel.name, channel.thumbnail_id,
              coalesce(nullif(owner.page_title, ''), owner.user_code) AS publisher_name
         FROM cast_channels channel JOIN users owner ON owner.id = channel.owner_id
        WHERE owner.state = 'ACTIVE' AND ${condition}
        ORDER BY lower(channel.name), channel.id LIMIT $mostChannels::int`,
      { ...bind, mostChannels },
    );
  if ('channelId' in selection) {
    const { channelId } = selection;
    const found = isUuid(channelId) ? await select('channel.id = $channelId', { channelId }) : [];
    if (found.length === 0) throw new NotFoundError();
    return found;
  }
  if (selection.userCode === undefined) return select('true', {});
  const ownerId = await userIdOf(ctx, selection.userCode);
  return ownerId === undefined ? [] : select('channel.owner_id = $ownerId', { ownerId });
}

/**
 * The programs of these channels that are on at a time from `from` to `until`, by start. What is read is bounded: where a
 * guide is longer, the last programs are left out.
 */
export function guidePrograms(
  ctx: Context,
  channelIds: readonly string[],
  { from, until }: { readonly from: Date; readonly until: Date },
): Promise<GuideProgram[]> {
  return ctx.db.rows<GuideProgram>(
    `SELECT id, channel_id, starts_at, ends_at, type, title, description, thumbnail_id, tags
       FROM (SELECT *, sum(octet_length(title) + coalesce(octet_length(description), 0)
                           + octet_length(array_to_string(tags, ' '))) OVER (ORDER BY starts_at, id) AS text_bytes
               FROM (SELECT program.id, program.channel_id, program.starts_at, program.ends_at, program.type, program.title,
                            left(program.description, ${descriptionLength}) AS description, program.thumbnail_id, program.tags
                       FROM cast_programs program
                      WHERE program.channel_id = ANY ($channelIds::uuid[])
                        AND program.ends_at > $from AND program.starts_at < $until AND ${isListed}
                      ORDER BY program.starts_at, program.id LIMIT ${mostPrograms}) AS programs) AS measured
      WHERE text_bytes <= ${mostTextBytes}
      ORDER BY starts_at, id`,
    { channelIds, from, until },
  );
}

/** What a channel shows now, and at most `count` programs that follow. Throws NotFoundError. */
export async function nowAndNext(ctx: Context, channelId: string, count: number): Promise<NowAndNext> {
  const [channel] = await guideChannels(ctx, { channelId });
  if (!channel) throw new NotFoundError();
  const present = ctx.clock.now();
  const programs = await ctx.db.rows<GuideProgram>(
    `SELECT program.id, program.channel_id, program.starts_at, program.ends_at, program.type, program.title,
            program.description, program.thumbnail_id, program.tags
       FROM cast_programs program
      WHERE program.channel_id = $channelId AND program.ends_at > $present AND ${isListed}
      ORDER BY program.starts_at LIMIT $count::int + 1`,
    { channelId, present, count },
  );
  const now = programs.find(({ startsAt }) => startsAt <= present) ?? null;
  return { channel, now, next: programs.filter((program) => program !== now).slice(0, count) };
}
