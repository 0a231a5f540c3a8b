import { randomUUID } from 'node:crypto';
import { createAcquiredItem, setItemExpiry } from '../box/acquiredItem.service.js';
import { activePayments } from '../payment/payment.queries.js';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { ConflictError } from '../platform/errors.js';
import { endOfPeriod } from '../platform/formats/period.js';
import type { PaidPayment } from '../payment/purchase.js';
import { AcquiredLicense } from './acquiredLicense.model.js';
import { acquisitionTerms, type AcquisitionTerms } from './acquisitionTerms.js';
import { permitsPublished, type Conditions, type ReadPublishedTerms } from './licenseConditions.js';

/**
 * Creates a user's license and its box item, which shares the files of the seller's content. A user has at most one
 * license of an offer, also with concurrent requests. An unexpired license does not change. An expired license is
 * renewed for the same box item, so that items published from it play again.
 *
 * `readPublished` reads the box item's publications, which belong to a higher domain. Resolves with the id of the box
 * item. Throws NotFoundError if the content is deleted, ConflictError if the conditions do not permit the publications
 * of the expired item.
 */
export async function acquireLicense(
  ctx: Context,
  tx: Transaction,
  acquirerId: string,
  terms: AcquisitionTerms,
  readPublished: ReadPublishedTerms,
): Promise<string> {
  return createOrExtend(ctx, tx, acquirerId, terms, async (held) => {
    const now = ctx.clock.now();
    if (held.expiresAt > now) return undefined;
    const published = await readPublished(ctx, tx, held.boxItemId);
    if (!permitsPublished(ctx, terms.conditions, published))
      throw new ConflictError({ key: 'marketplace.publishedOtherwise', detail: `box item ${held.boxItemId}` });
    return endOf(terms, now);
  });
}

/**
 * `acquireLicense` for a paid license. Its duration is added to an unexpired license. Publications are not checked,
 * because a paid license is always granted and permits everything that an expiring license permits. Throws
 * NotFoundError.
 */
export async function acquirePaidLicense(
  ctx: Context,
  tx: Transaction,
  acquirerId: string,
  terms: AcquisitionTerms,
): Promise<string> {
  return createOrExtend(ctx, tx, acquirerId, terms, async (held) => {
    const now = ctx.clock.now();
    return endOf(terms, held.expiresAt > now ? held.expiresAt : now);
  });
}

/** A license's box item and their common end. */
interface Held {
  readonly boxItemId: string;
  /** Null: no end. */
  readonly expiresAt: Date | null;
}

/** `newEnd` computes the new end of an existing license; null: no end; undefined: unchanged. */
async function createOrExtend(
  ctx: Context,
  tx: Transaction,
  acquirerId: string,
  terms: AcquisitionTerms,
  newEnd: (held: { readonly boxItemId: string; readonly expiresAt: Date }) => Promise<Date | null | undefined>,
): Promise<string> {
  for (;;) {
    const created = await createHolding(ctx, tx, acquirerId, terms);
    if (created !== undefined) return created;
    const held = await lockHeld(ctx, tx, acquirerId, terms.marketplaceId);
    // Undefined: the box item was deleted after the insert was rejected. The next insert can succeed.
    if (held === undefined) continue;
    const { boxItemId, expiresAt: end } = held;
    const expiresAt = end === null ? undefined : await newEnd({ boxItemId, expiresAt: end });
    if (expiresAt !== undefined) await extend(ctx, tx, held.boxItemId, terms.conditions, expiresAt);
    return held.boxItemId;
  }
}

/** The end of a license that begins at `from`; null: it does not end. */
function endOf({ conditions: { duration, durationUnit } }: AcquisitionTerms, from: Date): Date | null {
  return duration === null || durationUnit === null ? null : endOfPeriod(from, duration, durationUnit);
}

/**
 * Inserts the license and its box item; undefined: the user already has a license of this offer. Of two concurrent
 * acquisitions, the unique index makes the later one wait and insert no row.
 */
async function createHolding(
  ctx: Context,
  tx: Transaction,
  acquirerId: string,
  terms: AcquisitionTerms,
): Promise<string | undefined> {
  const { marketplaceId, issuerId, offeredBoxItemId, conditions } = terms;
  const now = ctx.clock.now();
  const expiresAt = endOf(terms, now);
  const boxItemId = randomUUID();
  const inserted = await ctx.db.change(
    `INSERT INTO acquired_licenses (id, box_item_id, acquirer_id, issuer_id, marketplace_id, offered_box_item_id,
       license_type, cc_type, activation_price_cents, price_per_view_cents, earning_basis_points, duration, duration_unit,
       download, acquired_at, expires_at)
     VALUES ($id, $boxItemId, $acquirerId, $issuerId, $marketplaceId, $offeredBoxItemId,
       $licenseType, $ccType, $activationPriceCents, $pricePerViewCents, $earningBasisPoints, $duration, $durationUnit,
       $download, $now, $expiresAt)
     ON CONFLICT (acquirer_id, marketplace_id) DO NOTHING`,
    {
      id: randomUUID(),
      boxItemId,
      acquirerId,
      issuerId,
      marketplaceId,
      offeredBoxItemId,
      ...conditions,
      now,
      expiresAt,
    },
    tx,
  );
  if (inserted === 0) return undefined;
  const { contentId, title, description, tags, thumbnailId } = terms;
  const item = { id: boxItemId, ownerId: acquirerId, contentId, title, description, tags, thumbnailId, expiresAt };
  await createAcquiredItem(ctx, tx, item);
  return boxItemId;
}

/**
 * Locks the box item's row, the same as its deletion. `expiresAt` is read from this row and not from the license: a
 * statement that has waited for the lock may read an outdated license from its snapshot.
 */
async function lockHeld(
  ctx: Context,
  tx: Transaction,
  acquirerId: string,
  marketplaceId: string,
): Promise<Held | undefined> {
  const [held] = await ctx.db.rows<Held>(
    `SELECT box.id AS box_item_id, box.expires_at
       FROM box_items box JOIN acquired_licenses license ON license.box_item_id = box.id
      WHERE license.acquirer_id = $acquirerId AND license.marketplace_id = $marketplaceId::uuid FOR UPDATE OF box`,
    { acquirerId, marketplaceId },
    tx,
  );
  return held;
}

/**
 * Replaces the conditions and the end. The item's title, description and tags stay, because its owner may have changed
 * them.
 */
async function extend(
  ctx: Context,
  tx: Transaction,
  boxItemId: string,
  conditions: Conditions,
  expiresAt: Date | null,
): Promise<void> {
  const values = { ...conditions, acquiredAt: ctx.clock.now(), expiresAt };
  await ctx.db.model(AcquiredLicense).update(values, { where: { boxItemId }, transaction: tx });
  await setItemExpiry(ctx, tx, boxItemId, expiresAt);
}

/**
 * Ends a license whose payment was reversed. Its new end is computed from the buyer's other active payments for the
 * offer; without any, it ends now. It never ends later than before. The item stays in the box, as with any expired
 * license, and items published from it no longer play.
 */
export async function revokeLicense(ctx: Context, tx: Transaction, payment: PaidPayment): Promise<void> {
  if (payment.buyerId === null) return;
  const held = await lockHeld(ctx, tx, payment.buyerId, payment.itemId);
  if (!held) return;
  const now = ctx.clock.now();
  let end: Date | null = new Date(0);
  for (const { fulfilledAt, terms } of await activePayments(ctx, tx, payment))
    end = end && endOf(acquisitionTerms.read(terms), end > fulfilledAt ? end : fulfilledAt);
  const expiresAt = end && end < now ? now : end;
  if (expiresAt === null || (held.expiresAt !== null && held.expiresAt <= expiresAt)) return;
  const { boxItemId } = held;
  await ctx.db.model(AcquiredLicense).update({ expiresAt }, { where: { boxItemId }, transaction: tx });
  await setItemExpiry(ctx, tx, boxItemId, expiresAt);
}
