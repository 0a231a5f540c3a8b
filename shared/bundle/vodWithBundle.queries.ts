import { publisherOf, publishersOf, type Publisher } from '../license/publisher.queries.js';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { NotFoundError } from '../platform/errors.js';
import type { Page } from '../platform/formats/page.js';
import { hasEnded, ownVodItem, soldVodItem, visibleVodItem, type VodDetails } from '../vod/vod.queries.js';
import {
  searchListedVodItems,
  searchOwnVodItems,
  type ListedVodSearch,
  type OwnVodSearch,
} from '../vod/vodSearch.queries.js';
import { anyBundles, ownBundles, type BundleDetails } from './bundle.queries.js';

/** A VOD item with its bundle; `docs/contract.md#fields-vod-item`. */
export interface VodWithBundle extends VodDetails {
  /** With CONTENT_BUNDLE, otherwise null. */
  readonly bundle: BundleDetails | null;
}

/** A VOD item in its public view. Its publisher is also the publisher of its bundle. */
export interface PublishedVod {
  readonly item: VodWithBundle;
  readonly publisher: Publisher;
}

/** An item of this owner. Throws NotFoundError if it does not exist or belongs to another user. */
export async function ownVod(ctx: Context, ownerId: string, vodId: string, tx?: Transaction): Promise<VodWithBundle> {
  const item = await ownVodItem(ctx, ownerId, vodId, tx);
  return withBundle(item, await ownBundlesOf(ctx, ownerId, [item], tx));
}

/**
 * An item for anyone who has its id. Expired items are also found: playing one returns a message. Throws NotFoundError.
 */
export async function visibleVod(ctx: Context, vodId: string): Promise<PublishedVod> {
  return published(ctx, await visibleVodItem(ctx, vodId));
}

/** An item for viewers who have paid for it, also if it is not public (`soldVodItem`). Throws NotFoundError. */
export async function soldVod(ctx: Context, vodId: string): Promise<PublishedVod> {
  return published(ctx, await soldVodItem(ctx, vodId));
}

async function published(ctx: Context, item: VodDetails): Promise<PublishedVod> {
  const bundles = await publicBundlesOf(ctx, [item]);
  return { item: withBundle(item, bundles), publisher: await publisherOf(ctx, item.ownerId) };
}

/** `visibleVod` for reading and paying: throws NotFoundError also for an expired item. */
export async function readableVod(ctx: Context, vodId: string): Promise<PublishedVod> {
  const visible = await visibleVod(ctx, vodId);
  if (hasEnded(ctx, visible.item)) throw new NotFoundError();
  return visible;
}

/** Searches an owner's items: `docs/contract.md#vod`. */
export async function searchOwnVods(ctx: Context, ownerId: string, search: OwnVodSearch): Promise<Page<VodWithBundle>> {
  const page = await searchOwnVodItems(ctx, ownerId, search);
  const bundles = await ownBundlesOf(ctx, ownerId, page.items);
  return { ...page, items: page.items.map((item) => withBundle(item, bundles)) };
}

/** Searches the public items: `docs/contract.md#vod`. */
export async function searchListedVods(ctx: Context, search: ListedVodSearch): Promise<Page<PublishedVod>> {
  const page = await searchListedVodItems(ctx, search);
  const bundles = await publicBundlesOf(ctx, page.items);
  const publishers = await publishersOf(
    ctx,
    page.items.map(({ ownerId }) => ownerId),
  );
  const items = page.items.flatMap((item) => {
    const publisher = publishers.get(item.ownerId);
    return publisher ? [{ item: withBundle(item, bundles), publisher }] : [];
  });
  return { ...page, items };
}

type Bundles = ReadonlyMap<string, BundleDetails>;

function withBundle(item: VodDetails, bundles: Bundles): VodWithBundle {
  return { ...item, bundle: bundles.get(item.bundleId ?? '') ?? null };
}

/** The items' bundles in their owner's view. */
async function ownBundlesOf(
  ctx: Context,
  ownerId: string,
  items: readonly VodDetails[],
  tx?: Transaction,
): Promise<Bundles> {
  const ids = bundleIdsOf(items);
  return ids.length === 0 ? new Map() : ownBundles(ctx, ownerId, ids, tx);
}

/** The items' bundles in their public view. */
async function publicBundlesOf(ctx: Context, items: readonly VodDetails[]): Promise<Bundles> {
  const ids = bundleIdsOf(items);
  return ids.length === 0 ? new Map() : anyBundles(ctx, ids);
}

function bundleIdsOf(items: readonly VodDetails[]): string[] {
  return [...new Set(items.flatMap(({ bundleId }) => bundleId ?? []))];
}
