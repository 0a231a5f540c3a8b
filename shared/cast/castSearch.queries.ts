import type { Context } from '../platform/context.js';
import type { Page, PageRequest } from '../platform/formats/page.js';
import { tagFilter } from '../platform/search/filters.js';
import { searchPublic } from '../user/publicSearch.js';
import { castStreamIndex } from './castStream.index.js';
import { ownStreams, type CastStreamDetails } from './castStream.queries.js';
import { castChannelIndex } from './channel.index.js';
import { ownCastChannels, publicChannels, type CastChannelDetails, type PublicCastChannel } from './channel.queries.js';

/** Members that the searches of channels and of streams share; `docs/contract.md#cast`. */
export interface CastSearch {
  readonly text: string | undefined;
  readonly tags: readonly string[];
  readonly page: PageRequest;
}

const sort = ['name'];

/** Searches the channels of an owner; by name where no text is given. */
export function searchOwnCastChannels(
  ctx: Context,
  ownerId: string,
  { text, tags, page }: CastSearch,
): Promise<Page<CastChannelDetails>> {
  const query = { text, groups: ['channel'] as const, filters: tagFilter(tags), sort, page };
  return ctx.search.ownPage(castChannelIndex, ownerId, query, (ids) => ownCastChannels(ctx, ownerId, ids));
}

/** Searches the streams of an owner; by name where no text is given. */
export function searchOwnStreams(
  ctx: Context,
  ownerId: string,
  { text, tags, page }: CastSearch,
): Promise<Page<CastStreamDetails>> {
  const query = { text, groups: ['stream'] as const, filters: tagFilter(tags), sort, page };
  return ctx.search.ownPage(castStreamIndex, ownerId, query, (ids) => ownStreams(ctx, ownerId, ids));
}

/**
 * Searches all channels. With `userCode` only those of this publisher, and the text is then not searched in the publisher.
 */
export function searchPublicCastChannels(
  ctx: Context,
  { text, tags, page, userCode }: CastSearch & { readonly userCode: string | undefined },
): Promise<Page<PublicCastChannel>> {
  const query = { text, groups: ['channel'] as const, filters: tagFilter(tags), sort, page, userCode };
  return searchPublic(ctx, castChannelIndex, query, (ids) => publicChannels(ctx, ids));
}
