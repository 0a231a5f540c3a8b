import type { Context } from '../platform/context.js';
import { pageOf, type Page, type PageRequest } from '../platform/formats/page.js';
import { userIdOf } from '../user/user.queries.js';
import { listedChannels, ownChannels, type ChannelDetails, type PublishedChannel } from './channel.queries.js';
import { liveChannelIndex } from './channel.index.js';

/** Members of the request that the owner's and the public search share; `docs/contract.md#live`. */
export interface ChannelSearch {
  readonly text: string | undefined;
  readonly tags: readonly string[];
  readonly page: PageRequest;
}

const sort = ['name'];

/** Searches the channels of an owner, public or not; by name where no text is given. */
export function searchOwnChannels(
  ctx: Context,
  ownerId: string,
  search: ChannelSearch & { readonly public: boolean | undefined },
): Promise<Page<ChannelDetails>> {
  const { text, page } = search;
  const filters = {
    ...tagFilter(search),
    ...(search.public === undefined ? {} : { public: { equal: search.public } }),
  };
  const query = { text, groups: ['channel'] as const, filters, sort, page };
  return ctx.search.ownPage(liveChannelIndex, ownerId, query, (ids) => ownChannels(ctx, ownerId, ids));
}

/**
 * Searches the channels that are public. With `userCode` only those of this publisher, and the text is then not searched
 * in the publisher.
 */
export async function searchListedChannels(
  ctx: Context,
  search: ChannelSearch & { readonly userCode: string | undefined },
): Promise<Page<PublishedChannel>> {
  const { text, page, userCode } = search;
  const filters = { ...tagFilter(search), visible: { equal: true } };
  const load = (ids: readonly string[]) => listedChannels(ctx, ids);
  if (userCode === undefined)
    return ctx.search.page(liveChannelIndex, { text, groups: ['channel', 'publisher'], filters, sort, page }, load);
  const ownerId = await userIdOf(ctx, userCode);
  if (ownerId === undefined) return pageOf(page, 0, []);
  const ofOwner = { ...filters, ownerId: { equal: ownerId } };
  return ctx.search.page(liveChannelIndex, { text, groups: ['channel'], filters: ofOwner, sort, page }, load);
}

function tagFilter({ tags }: ChannelSearch) {
  return tags.length > 0 ? { tags: { all: tags } } : {};
}
