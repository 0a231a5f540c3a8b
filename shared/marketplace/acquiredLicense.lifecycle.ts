import { randomUUID } from 'node:crypto';
import { BoxItem } from '../box/box.model.js';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { NotFoundError } from '../platform/errors.js';
import { endOfPeriod } from '../platform/formats/period.js';
import type { Conditions } from './conditions.js';
import type { Offer } from './marketplace.queries.js';
import { assertPermitsPublished } from './renewal.js';

/**
 * What is acquired, from whom and under which conditions: what an offer says when it is acquired, or what it said when
 * its price was named. Plain JSON.
 */
export interface AcquisitionTerms {
  readonly marketplaceId: string;
  readonly issuerId: string;
  readonly offeredBoxItemId: string;
  /** Named so in the terms of every payment for a content: while it is open, the content is not deleted. */
  readonly contentId: string;
  readonly title: string;
  readonly description: string | null;
  readonly tags: readonly string[];
  readonly thumbnailId: string | null;
  readonly conditions: Conditions;
}

export function termsOf(offer: Offer): AcquisitionTerms {
  return {
    marketplaceId: offer.id,
    issuerId: offer.ownerId,
    offeredBoxItemId: offer.boxItemId,
    contentId: offer.content.id,
    title: offer.title,
    description: offer.description,
    tags: offer.tags,
    thumbnailId: offer.chosenThumbnailId,
    conditions: offer.conditions,
  };
}

/** The box item that a user holds under a license of this offer that has not expired. */
export async function liveHolding(
  ctx: Context,
  acquirerId: string,
  marketplaceId: string,
  tx?: Transaction,
): Promise<{ boxItemId: string; expiresAt: Date | null } | undefined> {
  const [holding] = await ctx.db.rows<{ boxItemId: string; expiresAt: Date | null }>(
    `SELECT box_item_id, expires_at FROM acquired_licenses
      WHERE acquirer_id = $acquirerId AND marketplace_id = $marketplaceId AND (expires_at IS NULL OR expires_at > $now)`,
    { acquirerId, marketplaceId, now: ctx.clock.now() },
    tx,
  );
  return holding;
}

/**
 * Gives a user a license and the box item held under it: a holding of the same content, whose files are shared. A user
 * has one license of an offer, however many ask at once. One that has not expired is left as it is, unless this one is
 * paid for: then its time is added. One that has expired is renewed for the box item it was for, so what was published
 * from it plays again. Resolves with the id of the box item. Throws NotFoundError where the content is gone;
 * ConflictError where the license does not permit what is published.
 */
export async function acquire(
  ctx: Context,
  tx: Transaction,
  acquirerId: string,
  terms: AcquisitionTerms,
  isPaid: boolean,
): Promise<string> {
  for (;;) {
    const boxItemId = randomUUID();
    const expiresAt = endOf(terms, ctx.clock.now());
    if (await insertLicense(ctx, tx, { acquirerId, boxItemId, expiresAt }, terms)) {
      await insertBoxItem(ctx, tx, { acquirerId, boxItemId, expiresAt }, terms);
      return boxItemId;
    }
    const held = await extendHolding(ctx, tx, acquirerId, terms, isPaid);
    // Undefined: deleted in between, so there is room for a new one.
    if (held !== undefined) return held;
  }
}

interface Holding {
  readonly acquirerId: string;
  readonly boxItemId: string;
  readonly expiresAt: Date | null;
}

/** Null: what is held so has no end. */
export function endOf({ conditions: { duration, durationUnit } }: AcquisitionTerms, from: Date): Date | null {
  return duration === null || durationUnit === null ? null : endOfPeriod(from, duration, durationUnit);
}

/** The row decides between acquisitions at the same time: the later one waits, and inserts nothing. */
async function insertLicense(
  ctx: Context,
  tx: Transaction,
  holding: Holding,
  { marketplaceId, issuerId, offeredBoxItemId, conditions }: AcquisitionTerms,
): Promise<boolean> {
  const inserted = await ctx.db.change(
    `INSERT INTO acquired_licenses (id, box_item_id, acquirer_id, issuer_id, marketplace_id, offered_box_item_id,
       license_type, cc_type, activation_price_cents, price_per_view_cents, earning_basis_points, duration, duration_unit,
       download, acquired_at, expires_at)
     VALUES ($id, $boxItemId, $acquirerId, $issuerId, $marketplaceId, $offeredBoxItemId,
       $licenseType, $ccType, $activationPriceCents, $pricePerViewCents, $earningBasisPoints, $duration, $durationUnit,
       $download, $now, $expiresAt)
     ON CONFLICT (acquirer_id, marketplace_id) DO NOTHING`,
    { id: randomUUID(), ...holding, issuerId, marketplaceId, offeredBoxItemId, ...conditions, now: ctx.clock.now() },
    tx,
  );
  return inserted > 0;
}

/** The content's row is locked first: its last holder cannot take it away meanwhile, nor has. */
async function insertBoxItem(
  ctx: Context,
  tx: Transaction,
  { acquirerId, boxItemId, expiresAt }: Holding,
  { contentId, title, description, tags, thumbnailId }: AcquisitionTerms,
): Promise<void> {
  const content = await ctx.db.rows(
    `SELECT 1 FROM contents WHERE id = $contentId AND state <> 'DELETED' FOR SHARE`,
    { contentId },
    tx,
  );
  if (content.length === 0) throw new NotFoundError({ detail: `content ${contentId} is gone` });
  const [picture] = await ctx.db.rows<{ id: string }>(
    'SELECT id FROM thumbnails WHERE id = $thumbnailId::uuid FOR KEY SHARE',
    { thumbnailId },
    tx,
  );
  const now = ctx.clock.now();
  const shown = { title, description, tags: [...tags], thumbnailId: picture?.id ?? null };
  await ctx.db.model(BoxItem).create(
    {
      id: boxItemId,
      ownerId: acquirerId,
      contentId,
      source: 'MARKET_PLACE',
      ...shown,
      createdAt: now,
      expiresAt,
      updatedAt: now,
    },
    { transaction: tx },
  );
  await ctx.search.markDirty(tx, 'box', boxItemId);
}

/**
 * The box item's row is locked, as by its deletion, and its `expires_at` read: that of the license is the same, but may
 * be older in this snapshot. What the holder has made of title and tags stays.
 */
async function extendHolding(
  ctx: Context,
  tx: Transaction,
  acquirerId: string,
  terms: AcquisitionTerms,
  isPaid: boolean,
): Promise<string | undefined> {
  const now = ctx.clock.now();
  const [held] = await ctx.db.rows<{ boxItemId: string; expiresAt: Date | null }>(
    `SELECT box.id AS box_item_id, box.expires_at
       FROM box_items box JOIN acquired_licenses license ON license.box_item_id = box.id
      WHERE license.acquirer_id = $acquirerId AND license.marketplace_id = $marketplaceId FOR UPDATE OF box`,
    { acquirerId, marketplaceId: terms.marketplaceId },
    tx,
  );
  if (!held) return undefined;
  const { boxItemId } = held;
  const isLive = held.expiresAt === null || held.expiresAt > now;
  if (held.expiresAt === null || (isLive && !isPaid)) return boxItemId;
  // A license that is paid for permits whatever one that ends does; nothing may stand in the way of what was paid.
  if (!isPaid) await assertPermitsPublished(ctx, tx, boxItemId, terms.conditions);
  const expiresAt = endOf(terms, isLive ? held.expiresAt : now);
  await ctx.db.change(
    `UPDATE acquired_licenses
        SET license_type = $licenseType, cc_type = $ccType, activation_price_cents = $activationPriceCents,
            price_per_view_cents = $pricePerViewCents, earning_basis_points = $earningBasisPoints, duration = $duration,
            duration_unit = $durationUnit, download = $download, acquired_at = $now, expires_at = $expiresAt
      WHERE box_item_id = $boxItemId`,
    { ...terms.conditions, boxItemId, now, expiresAt },
    tx,
  );
  await ctx.db.change(
    'UPDATE box_items SET expires_at = $expiresAt, updated_at = $now WHERE id = $boxItemId',
    { boxItemId, now, expiresAt },
    tx,
  );
  await ctx.search.markDirty(tx, 'box', boxItemId);
  return boxItemId;
}
