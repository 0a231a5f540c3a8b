import type { Context } from '../../platform/context.js';
import type { Transaction } from '../../platform/database/database.js';
import type { RowOf } from '../../platform/database/model.js';
import { ConflictError, NotFoundError } from '../../platform/errors.js';
import type { CastProgram } from '../cast.model.js';
import { ownStreams, type CastStreamDetails } from '../castStream.queries.js';
import { publicChannels, type PublicCastChannel } from '../castChannel.queries.js';

/** A stored program. */
export type Program = RowOf<typeof CastProgram>;

/** The shown fields of the box item that a program plays. */
export interface ProgramContent {
  readonly title: string;
  readonly description: string | null;
  readonly tags: readonly string[];
  /** The owner's choice, or else the content's thumbnail. */
  readonly thumbnailId: string | null;
  readonly content: { readonly id: string; readonly durationMs: number | null };
}

/** A program with its box item; `docs/contract.md#fields-cast-program`. */
export interface ProgramDetails extends Program {
  /** Null without `boxItemId`, and if the box item was deleted after the program's end. */
  readonly content: ProgramContent | null;
  /** The program's own thumbnail, or else that of its box item or stream. */
  readonly shownThumbnailId: string | null;
}

/** A program with the fields of the owner's view. */
export interface OwnProgram extends ProgramDetails {
  /** Null without `streamId`, and if the stream was deleted after the program's end. */
  readonly stream: CastStreamDetails | null;
}

/** A program with the fields of public views. */
export interface PublicProgram extends ProgramDetails {
  readonly channel: PublicCastChannel;
}

/** Maximum duration of a program: `docs/contract.md#choices-cast`. */
export const maxProgramMs = 24 * 3_600_000;

const programColumns = [
  ...['id', 'channel_id', 'owner_id', 'starts_at', 'ends_at', 'type', 'box_item_id', 'offset_seconds', 'stream_id'],
  ...['title', 'description', 'thumbnail_id', 'tags', 'failure_key', 'created_at', 'updated_at'],
]
  .map((column) => `program.${column}`)
  .join(', ');

const details = `
  SELECT ${programColumns}, box.content_id, content.duration_ms, box.title AS content_title,
         box.description AS content_description, box.tags AS content_tags,
         coalesce(box.thumbnail_id, content.thumbnail_id) AS content_thumbnail_id,
         coalesce(program.thumbnail_id, box.thumbnail_id, content.thumbnail_id, stream.thumbnail_id) AS shown_thumbnail_id
    FROM cast_programs program
    LEFT JOIN box_items box ON box.id = program.box_item_id
    LEFT JOIN contents content ON content.id = box.content_id
    LEFT JOIN cast_streams stream ON stream.id = program.stream_id`;

interface DetailsRow extends Program {
  readonly contentId: string | null;
  readonly durationMs: number | null;
  readonly contentTitle: string | null;
  readonly contentDescription: string | null;
  readonly contentTags: string[] | null;
  readonly contentThumbnailId: string | null;
  readonly shownThumbnailId: string | null;
}

interface ChannelTime {
  readonly channelId: string;
  readonly from: Date;
  readonly until: Date;
}

const isStarting = `
   WHERE program.channel_id = $channelId AND program.starts_at >= $from AND program.starts_at < $until
   ORDER BY program.starts_at`;

/** Programs of a channel that start from `from` (inclusive) to `until` (exclusive), in order of time. */
export function programsStarting(
  ctx: Context,
  { channelId, from, until }: ChannelTime,
  tx?: Transaction,
): Promise<ProgramDetails[]> {
  return read(ctx, `${details} ${isStarting}`, { channelId, from, until }, tx);
}

/** Like `programsStarting`, without the programs' box items. */
export function plainProgramsStarting(
  ctx: Context,
  { channelId, from, until }: ChannelTime,
  tx: Transaction,
): Promise<Program[]> {
  const sql = `SELECT ${programColumns} FROM cast_programs program ${isStarting}`;
  return ctx.db.rows<Program>(sql, { channelId, from, until }, tx);
}

/** A program of this owner. Throws NotFoundError if it does not exist or belongs to another user. */
export async function ownProgram(
  ctx: Context,
  { programId, ownerId }: { readonly programId: string; readonly ownerId: string },
  tx?: Transaction,
): Promise<OwnProgram> {
  const sql = `${details} WHERE program.id = $programId AND program.owner_id = $ownerId`;
  const programs = await read(ctx, sql, { programId, ownerId }, tx);
  const [program] = await withStreams(ctx, ownerId, programs, tx);
  if (!program) throw new NotFoundError();
  return program;
}

/** A program of an active publisher. Throws NotFoundError. */
export async function publicProgram(ctx: Context, programId: string): Promise<PublicProgram> {
  const program = (await publicPrograms(ctx, [programId])).get(programId);
  if (!program) throw new NotFoundError();
  return program;
}

/** The programs with these ids whose publishers are active, by id. Reads the current rows, not the search index. */
export async function publicPrograms(ctx: Context, ids: readonly string[]): Promise<Map<string, PublicProgram>> {
  if (ids.length === 0) return new Map();
  const programs = await read(ctx, `${details} WHERE program.id = ANY ($ids::uuid[])`, { ids });
  const channels = await publicChannels(ctx, [...new Set(programs.map(({ channelId }) => channelId))]);
  return new Map(
    programs.flatMap((program) => {
      const channel = channels.get(program.channelId);
      return channel ? [[program.id, { ...program, channel }] as const] : [];
    }),
  );
}

/** The same programs with their streams. */
export async function withStreams(
  ctx: Context,
  ownerId: string,
  programs: readonly ProgramDetails[],
  tx?: Transaction,
): Promise<OwnProgram[]> {
  const streamIds = [...new Set(programs.flatMap(({ streamId }) => streamId ?? []))];
  const streams = streamIds.length > 0 ? await ownStreams(ctx, ownerId, streamIds, tx) : new Map();
  return programs.map((program) => ({ ...program, stream: streams.get(program.streamId) ?? null }));
}

async function read(
  ctx: Context,
  sql: string,
  bind: Record<string, unknown>,
  tx?: Transaction,
): Promise<ProgramDetails[]> {
  const rows = await ctx.db.rows<DetailsRow>(sql, bind, tx);
  // Changes the rows in place: copying the 25,000 rows of a calendar would take a third of the request's time.
  return rows.map((row) => Object.assign(row, { content: contentOf(row) }));
}

function contentOf(row: DetailsRow): ProgramContent | null {
  const { contentId, durationMs, contentTitle, contentDescription, contentTags, contentThumbnailId } = row;
  if (contentId === null) return null;
  return {
    title: contentTitle ?? '',
    description: contentDescription,
    tags: contentTags ?? [],
    thumbnailId: contentThumbnailId,
    content: { id: contentId, durationMs },
  };
}

/**
 * Throws ConflictError while a current or coming program plays this box item (`docs/contract.md#choices-cast`). Called before the
 * item is deleted: the caller has locked the item's row, so an edit that programs it waits.
 */
export function assertNotProgrammed(ctx: Context, tx: Transaction, boxItemId: string): Promise<void> {
  return assertInNoProgram(ctx, tx, { column: 'box_item_id', id: boxItemId, key: 'cast.itemInProgram' });
}

/** Like `assertNotProgrammed`, for a stream. */
export function assertStreamNotProgrammed(ctx: Context, tx: Transaction, streamId: string): Promise<void> {
  return assertInNoProgram(ctx, tx, { column: 'stream_id', id: streamId, key: 'cast.streamInProgram' });
}

async function assertInNoProgram(
  ctx: Context,
  tx: Transaction,
  { column, id, key }: { readonly column: 'box_item_id' | 'stream_id'; readonly id: string; readonly key: string },
): Promise<void> {
  const [program] = await ctx.db.rows<{ title: string }>(
    `SELECT title FROM cast_programs WHERE ${column} = $id AND ends_at > $now ORDER BY starts_at LIMIT 1`,
    { id, now: ctx.clock.now() },
    tx,
  );
  if (program) throw new ConflictError({ key, values: { title: program.title } });
}
