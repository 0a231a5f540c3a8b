import type { Context } from '../platform/context.js';
import type { Language } from '../platform/i18n.js';
import { entitlementOf, type Playable } from './entitlement.js';
import type { GrantKind } from './grant.js';
import { beginView, type Viewer } from './paidView.js';
import { addressesOf, obstacleTo, type PlayRequest } from './playContent.js';
import { blockedPlay, type PlayResult } from './playResult.js';

/** An item with a content: a box item or a VOD item. */
export interface PlayedItem extends Playable, Pick<PlayRequest, 'content' | 'publisherCode'> {
  /** From that moment nobody can play it, its owner included. Null: no end. */
  readonly expiresAt: Date | null;
}

export interface PlayedBy {
  readonly viewer: Viewer;
  /** User code of the viewer. Null with a public token. */
  readonly viewerCode: string | null;
  /** Everybody who may see the item may play its preview. */
  readonly kind: GrantKind;
  readonly language: Language;
}

/**
 * Plays an item for a viewer who may see it: `docs/contract.md#choices-playback`. Whether it can be played at all is
 * checked first, so that nobody is asked to pay for it and no paid view is used up. Throws UnavailableError if the
 * payment provider must be asked and cannot be reached.
 */
export async function play(
  ctx: Context,
  item: PlayedItem,
  { viewer, viewerCode, kind, language }: PlayedBy,
): Promise<PlayResult> {
  if (item.expiresAt !== null && item.expiresAt <= ctx.clock.now())
    return blockedPlay('MESSAGE', ctx.translate(language, 'playback.itemExpired'));
  const request = { content: item.content, publisherCode: item.publisherCode, viewerCode, kind, language };
  const obstacle = await obstacleTo(ctx, request);
  if (obstacle) return obstacle;
  if (kind === 'full') {
    const entitlement = await entitlementOf(ctx, item, viewer);
    if (entitlement.result !== 'PLAY') return blockedPlay(entitlement.result);
    if (entitlement.view) await beginView(ctx, entitlement.view);
  }
  return addressesOf(ctx, request);
}
