import type { Context } from '../platform/context.js';
import type { Page, PageRequest } from '../platform/formats/page.js';
import { equalTo, tagFilter, type Filters } from '../platform/search/index.js';
import { searchPublic } from '../user/publicSearch.js';
import { listedEvents, ownEvents, type EventDetails, type PublishedEvent } from './event.queries.js';
import type { PaymentMode } from './live.model.js';
import { liveEventIndex } from './event.index.js';

/** Members of the request that the owner's and the public search share; `docs/contract.md#live`. */
export interface EventSearch {
  readonly text: string | undefined;
  readonly tags: readonly string[];
  readonly channelId: string | undefined;
  readonly paymentMode: PaymentMode | undefined;
  /** Events that are over are found too. */
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

/** Searches the events of an owner, public or not; by start and end where no text is given. */
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
 * Searches the events that are public, of public channels; always by start and end. With `userCode` only those of this
 * publisher, and the text is then not searched in the publisher.
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

/** The text is also searched in the channel, unless `channelId` is given. */
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
