import { publisherOf, publishersOf, type Publisher } from '../license/publisher.queries.js';
import type { Context } from '../platform/context.js';
import { ownRows, type Transaction } from '../platform/database/database.js';
import { orNotFound } from '../platform/errors.js';
import { isOwnerActive } from '../user/user.visibility.js';
import { itemCountsOf, type Audience } from '../vod/vod.queries.js';
import type { Bundle } from './bundle.model.js';

/** A bundle as shown to users; `docs/contract.md#fields-bundle`. */
export interface BundleDetails extends Pick<
  Bundle,
  'id' | 'ownerId' | 'name' | 'description' | 'priceCents' | 'duration' | 'durationUnit' | 'thumbnailId' | 'tags'
> {
  /** All items in the owner's view; playable items in public views. */
  readonly itemCount: number;
}

/** A bundle with its publisher, in the public view. */
export interface PublishedBundle {
  readonly bundle: BundleDetails;
  readonly publisher: Publisher;
}

const details = `
  SELECT bundle.id, bundle.owner_id, bundle.name, bundle.description, bundle.price_cents,
         bundle.duration, bundle.duration_unit, bundle.thumbnail_id, bundle.tags
    FROM bundles bundle`;

/** A bundle of this owner. Throws NotFoundError if it does not exist or belongs to another user. */
export async function ownBundle(
  ctx: Context,
  ownerId: string,
  bundleId: string,
  tx?: Transaction,
): Promise<BundleDetails> {
  return orNotFound((await ownBundles(ctx, ownerId, [bundleId], tx)).get(bundleId));
}

/** The bundles with these ids that belong to this owner, by id. */
export function ownBundles(
  ctx: Context,
  ownerId: string,
  ids: readonly string[],
  tx?: Transaction,
): Promise<Map<string, BundleDetails>> {
  const sql = `${details} WHERE ${ownRows('bundle')} AND bundle.deleted_at IS NULL`;
  return read(ctx, sql, { ids, ownerId }, 'owner', tx);
}

/** A public bundle: not deleted, of an active publisher. Throws NotFoundError. */
export async function visibleBundle(ctx: Context, bundleId: string): Promise<PublishedBundle> {
  return orNotFound((await listedBundles(ctx, [bundleId])).get(bundleId));
}

/** The public bundles with these ids, by id. Read from the current rows, not from the index. */
export async function listedBundles(ctx: Context, ids: readonly string[]): Promise<Map<string, PublishedBundle>> {
  const sql = `${details} JOIN users owner ON owner.id = bundle.owner_id
    WHERE bundle.id = ANY ($ids::uuid[]) AND bundle.deleted_at IS NULL AND ${isOwnerActive}`;
  return withPublishers(ctx, await read(ctx, sql, { ids }, 'everybody'));
}

/**
 * The bundles with these ids in their public view, by id, including deleted bundles and those of disabled publishers.
 * For subscribers, and for items in a bundle.
 */
export function anyBundles(ctx: Context, ids: readonly string[]): Promise<Map<string, BundleDetails>> {
  return read(ctx, `${details} WHERE bundle.id = ANY ($ids::uuid[])`, { ids }, 'everybody');
}

/** `anyBundles`, with publishers. */
export async function anyPublishedBundles(ctx: Context, ids: readonly string[]): Promise<Map<string, PublishedBundle>> {
  return withPublishers(ctx, await anyBundles(ctx, ids));
}

/** A bundle in its public view, also if it is deleted or its publisher is disabled. Throws NotFoundError. */
export async function anyPublishedBundle(ctx: Context, bundleId: string): Promise<PublishedBundle> {
  const bundle = orNotFound((await anyBundles(ctx, [bundleId])).get(bundleId));
  return { bundle, publisher: await publisherOf(ctx, bundle.ownerId) };
}

async function read(
  ctx: Context,
  sql: string,
  bind: Record<string, unknown>,
  audience: Audience,
  tx?: Transaction,
): Promise<Map<string, BundleDetails>> {
  const rows = await ctx.db.rows<Omit<BundleDetails, 'itemCount'>>(sql, bind, tx);
  if (rows.length === 0) return new Map();
  const ids = rows.map(({ id }) => id);
  const counts = await itemCountsOf(ctx, ids, audience, tx);
  return new Map(rows.map((row) => [row.id, { ...row, itemCount: counts.get(row.id) ?? 0 }]));
}

async function withPublishers(
  ctx: Context,
  bundles: ReadonlyMap<string, BundleDetails>,
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
