import type { Context } from '../platform/context.js';
import type { Language } from '../platform/i18n.js';
import { entitlementOf, type Playable } from './entitlement.js';
import type { GrantKind } from './grant.js';
import { beginView, type Viewer } from './paidView.js';
import { addressesOf, obstacleTo, type PlayRequest } from './playContent.js';
import { refusal, type PlayResult } from './playResult.js';

/** A thing that holds a content: a box item, a published item. */
export interface PlayedThing extends Playable, Pick<PlayRequest, 'content' | 'publisherCode'> {
  /** Null: it does not end. From that moment on nobody plays it, its owner neither. */
  readonly expiresAt: Date | null;
}

export interface PlayedBy {
  readonly viewer: Viewer;
  /** Null with a public token. */
  readonly viewerCode: string | null;
  /** A preview is for whoever may see the thing. */
  readonly kind: GrantKind;
  readonly language: Language;
}

/**
 * Plays a thing to a viewer who may see it: `docs/contract.md#choices-playback`. What nobody can play now asks for no money and begins
 * no paid view, so that is looked at first. Throws UnavailableError where the payment provider must be asked and is away.
 */
export async function play(
  ctx: Context,
  thing: PlayedThing,
  { viewer, viewerCode, kind, language }: PlayedBy,
): Promise<PlayResult> {
  if (thing.expiresAt !== null && thing.expiresAt <= ctx.clock.now())
    return refusal('MESSAGE', ctx.translate(language, 'playback.itemExpired'));
  const request = { content: thing.content, publisherCode: thing.publisherCode, viewerCode, kind, language };
  const obstacle = await obstacleTo(ctx, request);
  if (obstacle) return obstacle;
  if (kind === 'full') {
    const entitlement = await entitlementOf(ctx, thing, viewer);
    if (entitlement.result !== 'PLAY') return refusal(entitlement.result);
    if (entitlement.view) await beginView(ctx, entitlement.view);
  }
  return addressesOf(ctx, request);
}
