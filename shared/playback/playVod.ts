import type { Context } from '../platform/context.js';
import type { Language } from '../platform/i18n.js';
import { visibleVod, type PublishedVod, type VodEntry } from '../vod/vod.entry.js';
import type { GrantKind } from './grant.js';
import { playContent } from './playContent.js';
import { refusal, type PlayResult } from './playResult.js';

export interface PlayVodRequest {
  readonly vodId: string;
  /** The caller on a private path, who may also play what only they can see; null on a public path. */
  readonly viewerId: string | null;
  readonly viewerCode: string | null;
  readonly kind: GrantKind;
  readonly language: Language;
}

export interface PlayedVod {
  readonly played: PublishedVod;
  readonly result: PlayResult;
}

/** Plays an item, or 15 s of it: `interface.md 4.5`, `decisions.md 12`. Throws NotFoundError where the viewer cannot see it. */
export async function playVod(ctx: Context, request: PlayVodRequest): Promise<PlayedVod> {
  const played = await visibleVod(ctx, request.vodId, request.viewerId);
  return { played, result: await resultOf(ctx, played, request) };
}

async function resultOf(
  ctx: Context,
  { entry, publisher }: PublishedVod,
  request: PlayVodRequest,
): Promise<PlayResult> {
  if (entry.expiresAt && entry.expiresAt <= ctx.clock.now())
    return refusal('MESSAGE', ctx.translate(request.language, 'playback.itemExpired'));
  const entitlement = request.kind === 'preview' ? 'PLAY' : entitlementOf(entry);
  if (entitlement !== 'PLAY') return refusal(entitlement);
  const { viewerCode, kind, language } = request;
  return playContent(ctx, { content: entry.content, publisherCode: publisher.userCode, viewerCode, kind, language });
}

/** Whether anybody may play an item whole. A free item plays whatever the caller says of payments. */
function entitlementOf(entry: VodEntry): 'PLAY' | 'PAYMENT_REQUIRED' | 'SUBSCRIPTION_REQUIRED' {
  switch (entry.licenseType) {
    case 'FREE':
    case 'CREATIVE_COMMONS':
      return 'PLAY';
    case 'PAY_PER_VIEW':
      return 'PAYMENT_REQUIRED';
    case 'CONTENT_BUNDLE':
      return 'SUBSCRIPTION_REQUIRED';
  }
}
