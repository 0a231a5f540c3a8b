import type { Context } from '../platform/context.js';
import type { Page, PageRequest } from '../platform/formats/page.js';
import { equalTo, tagFilter, type Filters } from '../platform/search/index.js';
import { searchPublic } from '../user/publicSearch.js';
import { listedEvents, ownEvents, type EventDetails, type PublishedEvent } from './event.queries.js';
import type { PaymentMode } from './live.model.js';
import { liveEventIndex } from './event.index.js';

/** Request members that the owner's and the public search share; `docs/contract.md#live`. */
export interface EventSearch {
  readonly text: string | undefined;
  readonly tags: readonly string[];
  readonly channelId: string | undefined;
  readonly paymentMode: PaymentMode | undefined;
  /** Include events that are over. */
  readonly pastIncluded: boolean;
  readonly page: PageRequest;
}

export interface OwnEventSearch extends EventSearch {
  readonly public: boolean | undefined;
  readonly recorded: boolean | undefined;
}

export interface ListedEventSearch extends EventSearch {
  readonly userCode: string | undefined;
}

const sort = ['startsAt', 'endsAt'];

/** Searches an owner's events, public and unlisted; ordered by start and end if there is no search text. */
export function searchOwnEvents(ctx: Context, ownerId: string, search: OwnEventSearch): Promise<Page<EventDetails>> {
  const { text, page } = search;
  const filters = {
    ...filtersOf(ctx, search),
    public: equalTo(search.public),
    recorded: equalTo(search.recorded),
  };
  const query = { text, groups: groupsOf(search), filters, sort, page };
  return ctx.search.ownPage(liveEventIndex, ownerId, query, (ids) => ownEvents(ctx, ownerId, ids));
}

/**
 * Searches the public events of public channels, always ordered by start and end. With `userCode`, only those of this
 * publisher; the search text is then not compared with the publisher.
 */
export function searchListedEvents(ctx: Context, search: ListedEventSearch): Promise<Page<PublishedEvent>> {
  const { text, page, userCode } = search;
  const query = {
    text,
    groups: groupsOf(search),
    filters: filtersOf(ctx, search),
    sort,
    isRanked: false,
    page,
    userCode,
  };
  return searchPublic(ctx, liveEventIndex, query, (ids) => listedEvents(ctx, ids));
}

/** The search text is also compared with the channel, unless `channelId` is set. */
function groupsOf({ channelId }: EventSearch): readonly ('event' | 'channel')[] {
  return channelId === undefined ? ['event', 'channel'] : ['event'];
}

function filtersOf(ctx: Context, { tags, channelId, paymentMode, pastIncluded }: EventSearch): Filters {
  return {
    ...tagFilter(tags),
    channelId: equalTo(channelId),
    paymentMode: equalTo(paymentMode),
    endsAt: pastIncluded ? undefined : { atLeast: ctx.clock.now().getTime() + 1 },
  };
}
