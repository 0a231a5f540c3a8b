import type { Context } from '../platform/context.js';
import { pageOf, pageWindow, type Page, type PageRequest } from '../platform/formats/page.js';
import { tagFilter, type Condition, type SearchHits } from '../platform/search/index.js';
import { userIdOf } from '../user/user.queries.js';
import { castProgramIndex } from './program.index.js';
import { publicPrograms, type PublicProgram } from './programming/program.queries.js';
import { searchPublic } from '../user/publicSearch.js';
import { castStreamIndex } from './castStream.index.js';
import { ownStreams, type CastStreamDetails } from './castStream.queries.js';
import { castChannelIndex } from './castChannel.index.js';
import {
  ownCastChannels,
  publicChannels,
  type CastChannelDetails,
  type PublicCastChannel,
} from './castChannel.queries.js';

/** Members that channel and stream searches share; `docs/contract.md#cast`. */
export interface CastSearch {
  readonly text: string | undefined;
  readonly tags: readonly string[];
  readonly page: PageRequest;
}

const byName = ['name'];

/** Searches the channels of an owner; sorted by name if there is no text. */
export function searchOwnCastChannels(
  ctx: Context,
  ownerId: string,
  { text, tags, page }: CastSearch,
): Promise<Page<CastChannelDetails>> {
  const query = { text, groups: ['channel'] as const, filters: tagFilter(tags), sort: byName, page };
  return ctx.search.ownPage(castChannelIndex, ownerId, query, (ids) => ownCastChannels(ctx, ownerId, ids));
}

/** Searches the streams of an owner; sorted by name if there is no text. */
export function searchOwnStreams(
  ctx: Context,
  ownerId: string,
  { text, tags, page }: CastSearch,
): Promise<Page<CastStreamDetails>> {
  const query = { text, groups: ['stream'] as const, filters: tagFilter(tags), sort: byName, page };
  return ctx.search.ownPage(castStreamIndex, ownerId, query, (ids) => ownStreams(ctx, ownerId, ids));
}

/**
 * Searches all channels. `userCode` selects one publisher's channels; the text then does not match the publisher's fields.
 */
export function searchPublicCastChannels(
  ctx: Context,
  { text, tags, page, userCode }: CastSearch & { readonly userCode: string | undefined },
): Promise<Page<PublicCastChannel>> {
  const query = { text, groups: ['channel'] as const, filters: tagFilter(tags), sort: byName, page, userCode };
  return searchPublic(ctx, castChannelIndex, query, (ids) => publicChannels(ctx, ids));
}

/** `docs/contract.md#search`. */
export interface ProgramSearch {
  readonly text: string | undefined;
  readonly tags: readonly string[];
  readonly userCode: string | undefined;
  readonly channelId: string | undefined;
  /** Ended programs are included, after the others. */
  readonly pastIncluded: boolean;
  readonly page: PageRequest;
}

type Groups = keyof typeof castProgramIndex.groups;
type Filters = Readonly<Record<string, Condition | undefined>>;

/** Rows to skip and rows to read. */
type Window = ReturnType<typeof pageWindow>;

/**
 * Searches the programs of active publishers: current and coming programs by start and end, then ended programs, the latest
 * first. The text also matches the channel's and the publisher's fields, unless the request filters by them. Breaks and
 * programs that cannot be played are excluded.
 */
export async function searchPrograms(ctx: Context, search: ProgramSearch): Promise<Page<PublicProgram>> {
  const { text, page, userCode, pastIncluded } = search;
  const ownerId = userCode === undefined ? undefined : await userIdOf(ctx, userCode);
  if (userCode !== undefined && ownerId === undefined) return pageOf(page, 0, []);
  const filters = filtersOf(search, ownerId);
  const now = ctx.clock.now().getTime();
  const find = (endsAt: Condition, sort: readonly string[], requested: PageRequest): Promise<SearchHits> =>
    ctx.search.query(castProgramIndex, {
      ...{ text, groups: groupsOf(search), filters: { ...filters, endsAt }, sort, isRanked: false, page: requested },
    });
  const coming = await find({ atLeast: now + 1 }, ['startsAt', 'endsAt'], page);
  const past = pastIncluded
    ? await within(
        afterOf(page, coming),
        (requested) => find({ atMost: now }, ['-startsAt', '-endsAt'], requested),
        page,
      )
    : { ids: [], totalCount: 0 };
  return load(ctx, page, {
    ids: [...coming.ids, ...past.ids],
    totalCount: coming.totalCount + past.totalCount,
  });
}

/** The rows of the second list that fill a page after the hits of the first list. */
function afterOf(page: PageRequest, { ids, totalCount }: SearchHits): Window {
  const { offset, limit } = pageWindow(page);
  return { offset: Math.max(0, offset - totalCount), limit: limit - ids.length };
}

/** Reads a window of rows from a paged list: the window spans one or two pages. */
async function within(
  { offset, limit }: Window,
  find: (page: PageRequest) => Promise<SearchHits>,
  page: PageRequest,
): Promise<SearchHits> {
  const pageSize = Math.max(1, limit);
  const read = (pageIndex: number): Promise<SearchHits> => find({ ...page, pageSize, pageIndex, pagination: true });
  const first = Math.floor(offset / pageSize);
  const skipped = offset - first * pageSize;
  const { ids, totalCount } = await read(first);
  const rest = skipped === 0 ? [] : (await read(first + 1)).ids;
  return { ids: [...ids, ...rest].slice(skipped, skipped + limit), totalCount };
}

/** Reads the current rows; a program that may no longer be shown is dropped. */
async function load(ctx: Context, page: PageRequest, { ids, totalCount }: SearchHits): Promise<Page<PublicProgram>> {
  const programs = await publicPrograms(ctx, ids);
  const items = ids.flatMap((id) => {
    const program = programs.get(id);
    return program?.failureKey === null ? [program] : [];
  });
  return pageOf(page, totalCount - (ids.length - items.length), items);
}

function groupsOf({ userCode, channelId }: ProgramSearch): readonly Groups[] {
  return [
    'program',
    ...(channelId === undefined ? (['channel'] as const) : []),
    ...(userCode === undefined ? (['publisher'] as const) : []),
  ];
}

function filtersOf({ tags, channelId }: ProgramSearch, ownerId: string | undefined): Filters {
  return {
    visible: { equal: true },
    ...(tags.length > 0 ? { tags: { all: tags } } : {}),
    ...(channelId === undefined ? {} : { channelId: { equal: channelId } }),
    ...(ownerId === undefined ? {} : { ownerId: { equal: ownerId } }),
  };
}
