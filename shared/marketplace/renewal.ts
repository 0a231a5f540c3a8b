import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { ConflictError } from '../platform/errors.js';
import { holdsSum, mayPublish, type Conditions, type Publication } from './conditions.js';

/**
 * What an expired license has published plays again when it is renewed, so a license under other conditions is refused
 * until nothing stands that it would not have let be published. The box item is locked: nothing is published meanwhile.
 * Published items are a later level, so they are asked for by statement. Throws ConflictError.
 */
export async function assertPermitsPublished(
  ctx: Context,
  tx: Transaction,
  boxItemId: string,
  conditions: Conditions,
): Promise<void> {
  const published = await ctx.db.rows<{ licenseType: Publication; ccType: string | null; priceCents: string | null }>(
    `SELECT DISTINCT license_type, cc_type, price_per_view_cents AS price_cents
       FROM vod_items WHERE box_item_id = $boxItemId`,
    { boxItemId },
    tx,
  );
  const sumCents = conditions.pricePerViewCents ?? 0;
  const isPermitted = published.every(
    ({ licenseType, ccType, priceCents }) =>
      mayPublish(conditions, licenseType, ccType) === undefined && holdsSum(ctx, Number(priceCents ?? 0), sumCents),
  );
  if (!isPermitted) throw new ConflictError({ key: 'marketplace.publishedOtherwise', detail: `box item ${boxItemId}` });
}
