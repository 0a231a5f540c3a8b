import { visibleVod, type PublishedVod } from '../bundle/vodWithBundle.queries.js';
import type { Context } from '../platform/context.js';
import type { VodDetails } from '../vod/vod.queries.js';
import type { PlayTerms } from './entitlement.js';
import { play, type PlayedBy } from './play.js';
import type { PlayResult } from './playResult.js';

export interface PlayVodRequest extends PlayedBy {
  readonly vodId: string;
  /** The caller on a private path, who also sees their private items; null on a public path. */
  readonly seenBy: string | null;
}

export interface PlayedVod {
  readonly played: PublishedVod;
  readonly result: PlayResult;
}

/** Plays an item or its preview of 15 s: `docs/contract.md#vod`. Throws NotFoundError if the viewer cannot see it, and as `play` does. */
export async function playVod(ctx: Context, { vodId, seenBy, ...by }: PlayVodRequest): Promise<PlayedVod> {
  const played = await visibleVod(ctx, vodId, seenBy);
  const { item, publisher } = played;
  const { ownerId, expiresAt, content } = item;
  const playedItem = { ownerId, terms: termsOf(item), expiresAt, content, publisherCode: publisher.user.userCode };
  return { played, result: await play(ctx, playedItem, by) };
}

/** What a viewer needs to play the whole item. */
export function termsOf({ id, licenseType, bundleId }: Pick<VodDetails, 'id' | 'licenseType' | 'bundleId'>): PlayTerms {
  const bought = { kind: 'vod', itemId: id } as const;
  switch (licenseType) {
    case 'FREE':
    case 'CREATIVE_COMMONS':
      return { for: 'ANYBODY' };
    case 'PAY_PER_VIEW':
      return { for: 'BUYER', bought };
    case 'CONTENT_BUNDLE':
      if (bundleId === null) throw new Error(`item ${id} is CONTENT_BUNDLE and has no bundle`);
      return { for: 'SUBSCRIBER', bundleId, bought };
  }
}
