import { lockOwnThumbnails } from '../../content/thumbnail.service.js';
import { unreadyMessage } from '../../content/unreadyContent.js';
import type { Context } from '../../platform/context.js';
import type { Transaction } from '../../platform/database/database.js';
import type { FieldError } from '../../platform/errors.js';
import { isUuid } from '../../platform/formats/format.js';
import { ownStreams, type CastStreamDetails } from '../castStream.queries.js';
import { airStates, isUnairable, mayAirUntil, type AirState, type UnairableContent } from './airable.queries.js';
import { programError } from './dayRules.js';
import { lengthOf, type Draft, type Source } from './draft.js';

/** The sources and thumbnails of an owner that programs may use, by id in lower case. */
export interface Sources {
  readonly contents: ReadonlyMap<string, AirState>;
  readonly streams: ReadonlyMap<string, CastStreamDetails>;
  readonly thumbnails: ReadonlySet<string>;
}

/** The sources and thumbnails that an edit names. */
export interface NamedSources {
  readonly programs?: readonly Ids[];
  /** Ids of box items or streams. */
  readonly sourceIds?: readonly string[];
  readonly thumbnailIds?: readonly string[];
}

/** Default description of a program, from its source. */
export interface ProgramSourceDescription {
  readonly title: string;
  readonly description: string | null;
  readonly thumbnailId: string | null;
  readonly tags: readonly string[];
}

type Ids = Pick<Source, 'boxItemId' | 'streamId'>;

/**
 * Reads the sources of programs, and locks them against deletion until the transaction ends. With a concurrent deletion and edit,
 * either the edit does not find the source, or the deletion finds the program.
 */
export async function lockSources(
  ctx: Context,
  tx: Transaction,
  ownerId: string,
  { programs = [], sourceIds = [], thumbnailIds = [] }: NamedSources,
): Promise<Sources> {
  const boxItemIds = idsOf([...programs.map(({ boxItemId }) => boxItemId), ...sourceIds]);
  const streamIds = idsOf([...programs.map(({ streamId }) => streamId), ...sourceIds]);
  const lock = async (table: 'box_items' | 'cast_streams', ids: readonly string[]) => {
    if (ids.length === 0) return;
    const sql = `SELECT 1 FROM ${table} WHERE id = ANY ($ids::uuid[]) AND owner_id = $ownerId ORDER BY id FOR KEY SHARE`;
    await ctx.db.rows(sql, { ids, ownerId }, tx);
  };
  await lock('box_items', boxItemIds);
  await lock('cast_streams', streamIds);
  return {
    contents: await airStates(ctx, { ownerId, boxItemIds }, tx),
    streams: streamIds.length > 0 ? await ownStreams(ctx, ownerId, streamIds, tx) : new Map(),
    thumbnails: await lockOwnThumbnails(ctx, tx, ownerId, idsOf(thumbnailIds)),
  };
}

/** Omits malformed ids: no row can have them. */
function idsOf(ids: readonly (string | null)[]): string[] {
  return [...new Set(ids)].flatMap((id) => (id !== null && isUuid(id) ? id : [])).toSorted();
}

/** The default description of a program. Null: a break, or a source that does not exist. */
export function descriptionOf(
  { contents, streams }: Sources,
  { boxItemId, streamId }: Ids,
): ProgramSourceDescription | null {
  const content = boxItemId === null ? undefined : contents.get(boxItemId);
  if (content !== undefined && !isUnairable(content)) return content;
  const stream = streamId === null ? undefined : streams.get(streamId);
  return stream ? { ...stream, title: stream.name } : null;
}

/** The error of a program that may not play its source, or not until its end. Null: no error. */
export function sourceError({ contents, streams }: Sources, draft: Draft): FieldError | null {
  const { field, type, boxItemId, streamId, offsetSeconds, endsAt } = draft;
  if (type === 'LIVE') {
    return streams.has(streamId ?? '') ? null : programError(`${field}.sourceId`, 'cast.streamUnknown');
  }
  if (type === 'BREAK') return null;
  const content = contentOf({ contents }, boxItemId ?? '');
  if (isUnairable(content)) return unairableError(`${field}.sourceId`, content);
  if (!mayAirUntil(content, endsAt)) return programError(`${field}.sourceId`, 'cast.licenseEnds');
  const longest = maxSeconds(content) - offsetSeconds;
  if (longest < 1) return programError(`${field}.offset`, 'cast.offsetTooLarge');
  if (lengthOf(draft) > longest * 1000) return programError(`${field}.endDate`, 'cast.contentTooShort', { longest });
  return null;
}

/** An unknown box item does not belong to the owner. */
export function contentOf({ contents }: Pick<Sources, 'contents'>, boxItemId: string): AirState {
  return contents.get(boxItemId) ?? { failure: 'cast.contentUnknown', preparing: null };
}

export function unairableError(field: string, { failure, preparing, content }: UnairableContent): FieldError {
  if (content) {
    const message = unreadyMessage(content, { notReady: failure, failed: 'cast.contentFailed' });
    return { ...programError(field, failure), ...message };
  }
  if (preparing === null) return programError(field, failure);
  return programError(field, 'cast.renditionsPreparing', { percent: preparing });
}

/** The rounded duration that clients see, in seconds. The slate fills a missing part of less than half a second. */
function maxSeconds({ durationMs }: { readonly durationMs: number }): number {
  return Math.round(durationMs / 1000);
}

/** Full seconds of a content after an offset; at least one. */
export function fullSecondsAfter({ durationMs }: { readonly durationMs: number }, offsetSeconds: number): number {
  return Math.max(1, Math.floor(durationMs / 1000) - offsetSeconds);
}
