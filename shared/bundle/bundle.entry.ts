import { publisherOf, publishersOf, type Publisher } from '../license/publisher.queries.js';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { NotFoundError } from '../platform/errors.js';
import { isUuid } from '../platform/formats/format.js';
import { Bundle } from './bundle.model.js';

/** A bundle as it is shown; `docs/contract.md#fields-bundle`. */
export interface BundleEntry extends Pick<
  Bundle,
  'id' | 'ownerId' | 'name' | 'description' | 'priceCents' | 'duration' | 'durationUnit' | 'thumbnailId' | 'tags'
> {
  /** Of its items, those that the audience may see. */
  readonly itemCount: number;
}

/** The same for everybody's eyes. */
export interface PublishedBundle {
  readonly bundle: BundleEntry;
  readonly publisher: Publisher;
}

/**
 * Which items of a bundle everybody may see: a condition over `vod`, `box`, `content` and the bind `$now`. An item that
 * is switched off, has expired or has lost its content is hidden; `vodPublic` of the publisher speaks of VOD search alone.
 */
export const shownToEverybody = `vod.public AND content.state = 'READY'
  AND coalesce(least(vod.expires_at, box.expires_at) > $now::timestamptz, true)`;

const entriesCounting = (items: string) => `
  SELECT bundle.id, bundle.owner_id, bundle.name, bundle.description, bundle.price_cents,
         bundle.duration, bundle.duration_unit, bundle.thumbnail_id, bundle.tags,
         (SELECT count(*)::integer FROM vod_items vod ${items}) AS item_count
    FROM bundles bundle`;

const allItems = entriesCounting('WHERE vod.bundle_id = bundle.id');
const shownItems = entriesCounting(`
  JOIN box_items box ON box.id = vod.box_item_id JOIN contents content ON content.id = box.content_id
  WHERE vod.bundle_id = bundle.id AND ${shownToEverybody}`);

/**
 * Locks a bundle of this owner for the rest of the transaction: whoever changes what is in a bundle holds this lock, so
 * that its places stay one order. Who locks box items too locks those first; who locks two bundles, the lower id first.
 * Subscriptions that refer to it do not wait. Throws NotFoundError, for somebody else's like for one that does not exist.
 */
export async function lockBundle(ctx: Context, tx: Transaction, ownerId: string, bundleId: string): Promise<Bundle> {
  const bundle = isUuid(bundleId)
    ? await ctx.db.model(Bundle).findOne({
        where: { id: bundleId, ownerId, deletedAt: null },
        transaction: tx,
        lock: tx.LOCK.NO_KEY_UPDATE,
      })
    : null;
  if (!bundle) throw new NotFoundError();
  return bundle;
}

/** A bundle of this owner. Throws NotFoundError, for somebody else's like for one that does not exist. */
export async function ownBundle(
  ctx: Context,
  ownerId: string,
  bundleId: string,
  tx?: Transaction,
): Promise<BundleEntry> {
  const bundle = isUuid(bundleId)
    ? (await ownBundles(ctx, ownerId, [bundleId], tx)).get(bundleId.toLowerCase())
    : undefined;
  if (!bundle) throw new NotFoundError();
  return bundle;
}

/** Of these ids, the bundles of this owner. */
export function ownBundles(
  ctx: Context,
  ownerId: string,
  ids: readonly string[],
  tx?: Transaction,
): Promise<Map<string, BundleEntry>> {
  const sql = `${allItems} WHERE bundle.id = ANY ($ids::uuid[]) AND bundle.owner_id = $ownerId AND bundle.deleted_at IS NULL`;
  return read(ctx, sql, { ids, ownerId }, tx);
}

/** A bundle that everybody may see: of an active publisher. Throws NotFoundError. */
export async function visibleBundle(ctx: Context, bundleId: string): Promise<PublishedBundle> {
  const found = isUuid(bundleId) ? (await listedBundles(ctx, [bundleId])).get(bundleId.toLowerCase()) : undefined;
  if (!found) throw new NotFoundError();
  return found;
}

/** Of these ids, the bundles that everybody may see as things are now, whatever the index says. */
export async function listedBundles(ctx: Context, ids: readonly string[]): Promise<Map<string, PublishedBundle>> {
  const bundles = await read(
    ctx,
    `${shownItems} JOIN users owner ON owner.id = bundle.owner_id
      WHERE bundle.id = ANY ($ids::uuid[]) AND bundle.deleted_at IS NULL AND owner.state = 'ACTIVE'`,
    { ids },
  );
  return withPublishers(ctx, bundles);
}

/** Of these ids, all that have ever been: for those who hold a subscription, and whoever shows an item's bundle. */
export async function publishedBundles(ctx: Context, ids: readonly string[]): Promise<Map<string, PublishedBundle>> {
  return withPublishers(ctx, await read(ctx, `${shownItems} WHERE bundle.id = ANY ($ids::uuid[])`, { ids }));
}

/** One that has ever been. Throws NotFoundError. */
export async function publishedBundle(ctx: Context, bundleId: string): Promise<PublishedBundle> {
  const [bundle] = (
    await read(ctx, `${shownItems} WHERE bundle.id = ANY ($ids::uuid[])`, { ids: [bundleId] })
  ).values();
  if (!bundle) throw new NotFoundError();
  return { bundle, publisher: await publisherOf(ctx, bundle.ownerId) };
}

async function read(
  ctx: Context,
  sql: string,
  bind: Record<string, unknown>,
  tx?: Transaction,
): Promise<Map<string, BundleEntry>> {
  // PostgreSQL sends bigint as text.
  const rows = await ctx.db.rows<Omit<BundleEntry, 'priceCents'> & { priceCents: string }>(
    sql,
    { ...bind, now: ctx.clock.now() },
    tx,
  );
  return new Map(rows.map((row) => [row.id, { ...row, priceCents: Number(row.priceCents) }]));
}

async function withPublishers(
  ctx: Context,
  bundles: ReadonlyMap<string, BundleEntry>,
): Promise<Map<string, PublishedBundle>> {
  const owners = [...bundles.values()].map(({ ownerId }) => ownerId);
  const publishers = await publishersOf(ctx, owners);
  return new Map(
    [...bundles.values()].flatMap((bundle) => {
      const publisher = publishers.get(bundle.ownerId);
      return publisher ? [[bundle.id, { bundle, publisher }] as const] : [];
    }),
  );
}
