import type { Context } from '../platform/context.js';
import { pageOf, pageWindow, type Page, type PageRequest } from '../platform/formats/page.js';
import type { Condition, SearchHits } from '../platform/search/search.js';
import { userIdOf } from '../user/user.queries.js';
import { castProgramIndex } from './program.index.js';
import { publicPrograms, type PublicProgram } from './programming/program.queries.js';

/** `docs/contract.md#search`. */
export interface ProgramSearch {
  readonly text: string | undefined;
  readonly tags: readonly string[];
  readonly userCode: string | undefined;
  readonly channelId: string | undefined;
  /** Programs that are over are found too, after the others. */
  readonly pastIncluded: boolean;
  readonly page: PageRequest;
}

type Groups = keyof typeof castProgramIndex.groups;
type Filters = Readonly<Record<string, Condition | undefined>>;

/** Rows to skip and rows to read. */
type Window = ReturnType<typeof pageWindow>;

/**
 * Searches the programs of active publishers: those on the air and to come by start and end, then those that are over,
 * the latest first. The text is also searched in the channel and in the publisher, unless they are filtered. Breaks and
 * programs that cannot be played are not found.
 */
export async function searchPrograms(ctx: Context, search: ProgramSearch): Promise<Page<PublicProgram>> {
  const { text, page, userCode, pastIncluded } = search;
  const ownerId = userCode === undefined ? undefined : await userIdOf(ctx, userCode);
  if (userCode !== undefined && ownerId === undefined) return pageOf(page, 0, []);
  const filters = filtersOf(search, ownerId);
  const now = ctx.clock.now().getTime();
  const find = (endsAt: Condition, sort: readonly string[], wanted: PageRequest): Promise<SearchHits> =>
    ctx.search.query(castProgramIndex, {
      ...{ text, groups: groupsOf(search), filters: { ...filters, endsAt }, sort, isRanked: false, page: wanted },
    });
  const coming = await find({ atLeast: now + 1 }, ['startsAt', 'endsAt'], page);
  const past = pastIncluded
    ? await within(afterOf(page, coming), (wanted) => find({ atMost: now }, ['-startsAt', '-endsAt'], wanted), page)
    : { ids: [], totalCount: 0 };
  return load(ctx, page, {
    ids: [...coming.ids, ...past.ids],
    totalCount: coming.totalCount + past.totalCount,
  });
}

/** The part of a page that follows the hits of its first list, as rows of a second list. */
function afterOf(page: PageRequest, { ids, totalCount }: SearchHits): Window {
  const { offset, limit } = pageWindow(page);
  return { offset: Math.max(0, offset - totalCount), limit: limit - ids.length };
}

/** Rows of a list that is read by pages: these rows lie on one page or on two. */
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

/** The programs as their rows are now; one that may not be shown any more is dropped. */
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
