import type { Context } from '../platform/context.js';
import { visibleVod, type PublishedVod, type VodEntry } from '../vod/vod.entry.js';
import type { PlayTerms } from './entitlement.js';
import { play, type PlayedBy } from './play.js';
import type { PlayResult } from './playResult.js';

export interface PlayVodRequest extends PlayedBy {
  readonly vodId: string;
  /** The caller on a private path, who may also see what only they can see; null on a public path. */
  readonly seenBy: string | null;
}

export interface PlayedVod {
  readonly played: PublishedVod;
  readonly result: PlayResult;
}

/** Plays an item, or 15 s of it: `docs/contract.md#vod`. Throws NotFoundError where the viewer cannot see it, and as `play` does. */
export async function playVod(ctx: Context, { vodId, seenBy, ...by }: PlayVodRequest): Promise<PlayedVod> {
  const played = await visibleVod(ctx, vodId, seenBy);
  const { entry, publisher } = played;
  const { ownerId, expiresAt, content } = entry;
  const thing = { ownerId, terms: termsOf(entry), expiresAt, content, publisherCode: publisher.user.userCode };
  return { played, result: await play(ctx, thing, by) };
}

/** What an item asks of those who play it whole. */
export function termsOf({ id, licenseType, bundle }: VodEntry): PlayTerms {
  const bought = { kind: 'vod', itemId: id } as const;
  switch (licenseType) {
    case 'FREE':
    case 'CREATIVE_COMMONS':
      return { for: 'ANYBODY' };
    case 'PAY_PER_VIEW':
      return { for: 'BUYER', bought };
    case 'CONTENT_BUNDLE':
      if (bundle === null) throw new Error(`item ${id} is sold in a bundle and is in none`);
      return { for: 'SUBSCRIBER', bundleId: bundle.id, bought };
  }
}
