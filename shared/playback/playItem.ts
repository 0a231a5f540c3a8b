import type { Context } from '../platform/context.js';
import { NotFoundError } from '../platform/errors.js';
import type { Language } from '../platform/i18n.js';
import { entitlementOf, paidEntitlement, type Playable, type Sold } from './entitlement.js';
import type { GrantKind } from './grant.js';
import { beginView, type Viewer } from '../payment/paidView.service.js';
import { addressesOf, notReadyResult, obstacleTo, type PlayRequest } from './playContent.js';
import { blockedPlay, type PlayResult } from './playResult.js';

/** An item with a content: a box item or a VOD item. */
export interface PlayedItem extends Playable, Pick<PlayRequest, 'content' | 'publisherCode'> {
  /** After this time, only viewers who have paid before can play the item. Null: no end. */
  readonly expiresAt: Date | null;
  /** Whether the viewer may see it. If not, only viewers who have paid can play it; for others it does not exist. */
  readonly isShown: boolean;
  /** The purchases that entitle to the item; null: it is not sold. */
  readonly sold: Sold | null;
}

export interface PlayedBy {
  readonly viewer: Viewer;
  /** User code of the viewer. Null with a public token. */
  readonly viewerCode: string | null;
  /** `preview`: permitted to everybody who may see the item. */
  readonly kind: GrantKind;
  readonly language: Language;
}

/**
 * Plays an item for a viewer: `docs/contract.md#choices-playback`. Checks first whether the item can be played, so that nobody
 * is asked to pay for an item that cannot. A viewer who has paid can continue to play it after the item was withdrawn, changed
 * or has expired, and if its publisher is disabled or has no band left (`docs/decisions/offers.md`). A content that is not
 * READY cannot be played and uses up no paid view. Throws NotFoundError if the viewer may not see the item; UnavailableError if
 * the payment provider must be queried and cannot be reached.
 */
export async function playItem(
  ctx: Context,
  item: PlayedItem,
  { viewer, viewerCode, kind, language }: PlayedBy,
): Promise<PlayResult> {
  const request = { content: item.content, publisherCode: item.publisherCode, viewerCode, kind, language };
  const closed = await closedResult(ctx, item, request);
  const unpaid = (): PlayResult => {
    if (!item.isShown || !closed) throw new NotFoundError();
    return closed;
  };
  const isOpen = item.isShown && !closed;
  if (kind === 'preview') return isOpen ? addressesOf(ctx, request) : unpaid();
  if (notReadyResult(ctx, request)) return unpaid();
  const entitlement = isOpen ? await entitlementOf(ctx, item, viewer) : await paidEntitlement(ctx, item.sold, viewer);
  if (!entitlement) return unpaid();
  if (entitlement.result === 'PREVIEW') return addressesOf(ctx, { ...request, kind: 'preview' });
  if (entitlement.result !== 'PLAY') return blockedPlay(entitlement.result);
  if (entitlement.view) await beginView(ctx, entitlement.view);
  return addressesOf(ctx, request);
}

/** The reason why the item cannot be watched or paid for now; null: it can. */
async function closedResult(
  ctx: Context,
  { expiresAt }: PlayedItem,
  request: PlayRequest & { readonly language: Language },
): Promise<PlayResult | null> {
  if (expiresAt !== null && expiresAt <= ctx.clock.now())
    return blockedPlay('MESSAGE', ctx.translate(request.language, 'playback.itemExpired'));
  return obstacleTo(ctx, request);
}
