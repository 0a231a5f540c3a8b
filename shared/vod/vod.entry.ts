import { ownBundles, publishedBundles, type BundleEntry } from '../bundle/bundle.entry.js';
import type { BoxItem } from '../box/box.model.js';
import type { Content } from '../content/content.model.js';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { NotFoundError } from '../platform/errors.js';
import { isUuid } from '../platform/formats/format.js';
import { publisherOf, publishersOf, type Publisher } from '../license/publisher.queries.js';
import type { VodItem } from './vod.model.js';

/** A published item with what it shows of its box item, content and bundle; `docs/contract.md#fields-vod-item`. */
export interface VodEntry
  extends
    Pick<VodItem, 'id' | 'ownerId' | 'boxItemId' | 'licenseType' | 'ccType' | 'public' | 'publishedAt'>,
    Pick<BoxItem, 'title' | 'description' | 'tags'> {
  /** With PAY_PER_VIEW alone. */
  readonly pricePerViewCents: number | null;
  /** With CONTENT_BUNDLE alone. */
  readonly bundle: BundleEntry | null;
  /** The box item's own choice, or the content's picture. */
  readonly thumbnailId: string | null;
  /** When it stops to play: its own end or that of the box item, whichever comes first. */
  readonly expiresAt: Date | null;
  readonly content: Pick<Content, 'id' | 'state' | 'readyGeneration' | 'durationMs'>;
}

/** The same for everybody's eyes. */
export interface PublishedVod {
  readonly entry: VodEntry;
  readonly publisher: Publisher;
}

interface EntryRow extends Omit<VodEntry, 'content' | 'pricePerViewCents' | 'bundle'> {
  readonly bundleId: string | null;
  /** PostgreSQL sends bigint as text. */
  readonly pricePerViewCents: string | null;
  readonly contentId: string;
  readonly contentState: Content['state'];
  readonly readyGeneration: number | null;
  readonly durationMs: number | null;
}

const entries = `
  SELECT vod.id, vod.owner_id, vod.box_item_id, vod.license_type,
         vod.cc_type, vod.price_per_view_cents, vod.bundle_id,
         vod.public, vod.published_at,
         least(vod.expires_at, box.expires_at) AS expires_at, box.title, box.description, box.tags,
         coalesce(box.thumbnail_id, content.thumbnail_id) AS thumbnail_id, content.id AS content_id,
         content.state AS content_state, content.ready_generation, content.duration_ms
    FROM vod_items vod
    JOIN box_items box ON box.id = vod.box_item_id
    JOIN contents content ON content.id = box.content_id`;

/** An item of this owner. Throws NotFoundError, for somebody else's like for one that does not exist. */
export async function ownVod(ctx: Context, ownerId: string, vodId: string, tx?: Transaction): Promise<VodEntry> {
  const [row] = isUuid(vodId)
    ? await ctx.db.rows<EntryRow>(
        `${entries} WHERE vod.id = $vodId AND vod.owner_id = $ownerId`,
        { vodId, ownerId },
        tx,
      )
    : [];
  if (!row) throw new NotFoundError();
  return entryOf(row, await bundlesForOwner(ctx, ownerId, [row], tx));
}

/**
 * An item that anybody may ask to play, and `viewerId` also if it is theirs. `public` false makes an item private
 * altogether, and a disabled publisher has nothing to show; `vodPublic` of the publisher takes items out of search and
 * no further (`docs/contract.md#fields-user`). One that has ended is found: playing it says so. Throws NotFoundError.
 */
export async function visibleVod(ctx: Context, vodId: string, viewerId: string | null): Promise<PublishedVod> {
  const [row] = isUuid(vodId)
    ? await ctx.db.rows<EntryRow>(
        `${entries} JOIN users owner ON owner.id = vod.owner_id
          WHERE vod.id = $vodId AND owner.state = 'ACTIVE' AND (vod.public OR vod.owner_id = $viewerId::uuid)`,
        { vodId, viewerId },
      )
    : [];
  if (!row) throw new NotFoundError();
  const bundles = await bundlesForEverybody(ctx, [row]);
  return { entry: entryOf(row, bundles), publisher: await publisherOf(ctx, row.ownerId) };
}

/** The same for reading and buying: one that has ended, like what was acquired for a time, is hidden. Throws NotFoundError. */
export async function readableVod(ctx: Context, vodId: string, viewerId: string | null): Promise<PublishedVod> {
  const published = await visibleVod(ctx, vodId, viewerId);
  if (hasEnded(ctx, published.entry)) throw new NotFoundError();
  return published;
}

/** Whether something that may end has ended: from that moment on nobody plays it, its owner neither. */
export function hasEnded(ctx: Context, { expiresAt }: Pick<VodEntry, 'expiresAt'>): boolean {
  return expiresAt !== null && expiresAt <= ctx.clock.now();
}

/** Of these ids, the items of this owner. */
export async function ownVods(ctx: Context, ownerId: string, ids: readonly string[]): Promise<Map<string, VodEntry>> {
  const rows = await ctx.db.rows<EntryRow>(`${entries} WHERE vod.id = ANY ($ids::uuid[]) AND vod.owner_id = $ownerId`, {
    ids,
    ownerId,
  });
  const bundles = await bundlesForOwner(ctx, ownerId, rows);
  return new Map(rows.map((row) => [row.id, entryOf(row, bundles)]));
}

/** Of these ids, the items that a public search may show as things are now, whatever the index says. */
export async function listedVods(ctx: Context, ids: readonly string[]): Promise<Map<string, PublishedVod>> {
  const rows = await ctx.db.rows<EntryRow>(
    `${entries} JOIN users owner ON owner.id = vod.owner_id
      WHERE vod.id = ANY ($ids::uuid[]) AND vod.public AND content.state = 'READY' AND owner.state = 'ACTIVE'
        AND owner.vod_public AND coalesce(least(vod.expires_at, box.expires_at) > $now::timestamptz, true)`,
    { ids, now: ctx.clock.now() },
  );
  const bundles = await bundlesForEverybody(ctx, rows);
  const publishers = await publishersOf(
    ctx,
    rows.map(({ ownerId }) => ownerId),
  );
  const listed = rows.flatMap((row) => {
    const publisher = publishers.get(row.ownerId);
    return publisher ? [[row.id, { entry: entryOf(row, bundles), publisher }] as const] : [];
  });
  return new Map(listed);
}

type Bundles = ReadonlyMap<string, BundleEntry>;

const noBundles: Bundles = new Map();

/** Most items are in no bundle, and for these nothing is asked, nor waited for. */
function bundlesForOwner(
  ctx: Context,
  ownerId: string,
  rows: readonly EntryRow[],
  tx?: Transaction,
): Bundles | Promise<Bundles> {
  const ids = bundleIdsOf(rows);
  return ids.length === 0 ? noBundles : ownBundles(ctx, ownerId, ids, tx);
}

/** With the counts of what everybody may see. */
async function bundlesForEverybody(ctx: Context, rows: readonly EntryRow[]): Promise<Bundles> {
  const ids = bundleIdsOf(rows);
  if (ids.length === 0) return noBundles;
  const published = await publishedBundles(ctx, ids);
  return new Map([...published].map(([id, { bundle }]) => [id, bundle]));
}

function bundleIdsOf(rows: readonly EntryRow[]): string[] {
  return rows.flatMap(({ bundleId }) => bundleId ?? []);
}

function entryOf(row: EntryRow, bundles: Bundles): VodEntry {
  const { contentId, contentState, readyGeneration, durationMs, bundleId, pricePerViewCents, ...entry } = row;
  return {
    ...entry,
    pricePerViewCents: pricePerViewCents === null ? null : Number(pricePerViewCents),
    bundle: bundleId === null ? null : (bundles.get(bundleId) ?? null),
    content: { id: contentId, state: contentState, readyGeneration, durationMs },
  };
}
