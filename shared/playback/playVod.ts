import { soldVod, visibleVod, type PublishedVod } from '../bundle/vodWithBundle.queries.js';
import { isPaidByView } from '../marketplace/acquiredLicense.queries.js';
import type { Context } from '../platform/context.js';
import { nullWhereNotFound } from '../platform/errors.js';
import type { VodDetails } from '../vod/vod.queries.js';
import type { PlayTerms, Sold } from './entitlement.js';
import { playItem, type PlayedBy } from './playItem.js';
import type { PlayResult } from './playResult.js';

export interface PlayVodRequest extends PlayedBy {
  readonly vodId: string;
}

export interface PlayedVod {
  readonly played: PublishedVod;
  readonly result: PlayResult;
}

/** Plays an item or its 15-second preview: `docs/contract.md#vod`. Throws the errors of `playItem`. */
export async function playVod(ctx: Context, { vodId, ...by }: PlayVodRequest): Promise<PlayedVod> {
  const shown = await visibleVod(ctx, vodId).catch(nullWhereNotFound);
  const played = shown ?? (await soldVod(ctx, vodId));
  const { item, publisher } = played;
  const { ownerId, expiresAt, content } = item;
  const isOwner = by.viewer.userId === ownerId;
  const result = await playItem(
    ctx,
    {
      ownerId,
      terms: vodPlayTermsOf(item),
      isPaidByView: isOwner && (await isPaidByView(ctx, item.boxItemId)),
      expiresAt,
      content,
      publisherCode: publisher.user.userCode,
      isShown: shown !== null,
      sold: soldOf(item),
    },
    by,
  );
  return { played, result };
}

/** The condition for playing the complete item. */
export function vodPlayTermsOf(item: Pick<VodDetails, 'id' | 'licenseType' | 'bundleId'>): PlayTerms {
  switch (item.licenseType) {
    case 'FREE':
    case 'CREATIVE_COMMONS':
      return { for: 'ANYBODY' };
    case 'PAY_PER_VIEW':
      return { for: 'BUYER', sold: soldOf(item) };
    case 'CONTENT_BUNDLE':
      return { for: 'SUBSCRIBER', sold: soldOf(item) };
  }
}

/** A free item may have been sold earlier. */
function soldOf({ id, bundleId }: Pick<VodDetails, 'id' | 'bundleId'>): Sold {
  return { bought: { kind: 'vod', itemId: id }, bundleId };
}
