import type { Context } from '../platform/context.js';
import type { Page, PageRequest } from '../platform/formats/page.js';
import { equalTo, tagFilter } from '../platform/search/index.js';
import { searchPublic } from '../user/publicSearch.js';
import {
  listedLiveChannels,
  ownLiveChannels,
  type LiveChannelDetails,
  type PublishedLiveChannel,
} from './liveChannel.queries.js';
import { liveChannelIndex } from './liveChannel.index.js';

/** Request members that the owner's and the public search share; `docs/contract.md#live`. */
export interface LiveChannelSearch {
  readonly text: string | undefined;
  readonly tags: readonly string[];
  readonly page: PageRequest;
}

const searched = { groups: ['channel'], sort: ['name'] } as const;

/** Searches an owner's channels, public and unlisted; ordered by name if there is no search text. */
export function searchOwnLiveChannels(
  ctx: Context,
  ownerId: string,
  search: LiveChannelSearch & { readonly public: boolean | undefined },
): Promise<Page<LiveChannelDetails>> {
  const { text, tags, page } = search;
  const filters = {
    ...tagFilter(tags),
    public: equalTo(search.public),
  };
  const query = { text, filters, page, ...searched };
  return ctx.search.ownPage(liveChannelIndex, ownerId, query, (ids) => ownLiveChannels(ctx, ownerId, ids));
}

/**
 * Searches the public channels. With `userCode`, only those of this publisher; the search text is then not compared
 * with the publisher.
 */
export function searchListedLiveChannels(
  ctx: Context,
  { text, tags, page, userCode }: LiveChannelSearch & { readonly userCode: string | undefined },
): Promise<Page<PublishedLiveChannel>> {
  const query = { text, filters: tagFilter(tags), page, userCode, ...searched };
  return searchPublic(ctx, liveChannelIndex, query, (ids) => listedLiveChannels(ctx, ids));
}
