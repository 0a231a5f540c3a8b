import type { BoxItem } from '../box/box.model.js';
import type { Content } from '../content/content.model.js';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/db.js';
import { NotFoundError } from '../platform/errors.js';
import { isUuid } from '../platform/format.js';
import { User } from '../user/user.model.js';
import type { VodItem } from './vod.model.js';

/** A published item with what it shows of its box item and content; `interface.md 2 (VOD item)`. */
export interface VodEntry
  extends
    Pick<VodItem, 'id' | 'ownerId' | 'boxItemId' | 'licenseType' | 'ccType' | 'public' | 'publishedAt'>,
    Pick<BoxItem, 'title' | 'description' | 'tags'> {
  /** The box item's own choice, or the content's picture. */
  readonly thumbnailId: string | null;
  /** When it stops to play: its own end or that of the box item, whichever comes first. */
  readonly expiresAt: Date | null;
  readonly content: Pick<Content, 'id' | 'state' | 'readyGeneration' | 'durationMs'>;
}

/** The same for everybody's eyes. */
export interface PublishedVod {
  readonly entry: VodEntry;
  readonly publisher: User;
}

interface EntryRow extends Omit<VodEntry, 'content'> {
  readonly contentId: string;
  readonly contentState: Content['state'];
  readonly readyGeneration: number | null;
  readonly durationMs: string | null;
}

const entries = `
  SELECT vod.id, vod.owner_id AS "ownerId", vod.box_item_id AS "boxItemId", vod.license_type AS "licenseType",
         vod.cc_type AS "ccType", vod.public, vod.published_at AS "publishedAt",
         least(vod.expires_at, box.expires_at) AS "expiresAt", box.title, box.description, box.tags,
         coalesce(box.thumbnail_id, content.thumbnail_id) AS "thumbnailId", content.id AS "contentId",
         content.state AS "contentState", content.ready_generation AS "readyGeneration", content.duration_ms AS "durationMs"
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
  return entryOf(row);
}

/**
 * An item that anybody may see, and `viewerId` also if it is theirs. `public` false makes an item private altogether,
 * and a disabled publisher has nothing to show; `vodPublic` of the publisher takes items out of search and no further
 * (`interface.md 2 (User)`). Throws NotFoundError.
 */
export async function visibleVod(ctx: Context, vodId: string, viewerId: string | null): Promise<PublishedVod> {
  const [row] = isUuid(vodId)
    ? await ctx.db.rows<EntryRow>(
        `${entries} JOIN users owner ON owner.id = vod.owner_id
          WHERE vod.id = $vodId AND owner.state = 'ACTIVE' AND (vod.public OR vod.owner_id = $viewerId::uuid)`,
        { vodId, viewerId },
      )
    : [];
  const publisher = row && (await User.findByPk(row.ownerId));
  if (!row || !publisher) throw new NotFoundError();
  return { entry: entryOf(row), publisher };
}

/** Of these ids, the items of this owner. */
export async function ownVods(ctx: Context, ownerId: string, ids: readonly string[]): Promise<Map<string, VodEntry>> {
  const rows = await ctx.db.rows<EntryRow>(`${entries} WHERE vod.id = ANY ($ids::uuid[]) AND vod.owner_id = $ownerId`, {
    ids,
    ownerId,
  });
  return new Map(rows.map((row) => [row.id, entryOf(row)]));
}

/** Of these ids, the items that a public search may show as things are now, whatever the index says. */
export async function listedVods(ctx: Context, ids: readonly string[]): Promise<Map<string, PublishedVod>> {
  const rows = await ctx.db.rows<EntryRow>(
    `${entries} JOIN users owner ON owner.id = vod.owner_id
      WHERE vod.id = ANY ($ids::uuid[]) AND vod.public AND content.state = 'READY' AND owner.state = 'ACTIVE' AND owner.vod_public`,
    { ids },
  );
  const publishers = await User.findAll({ where: { id: [...new Set(rows.map(({ ownerId }) => ownerId))] } });
  const byId = new Map(publishers.map((publisher) => [publisher.id, publisher]));
  const listed = rows.flatMap((row) => {
    const publisher = byId.get(row.ownerId);
    return publisher ? [[row.id, { entry: entryOf(row), publisher }] as const] : [];
  });
  return new Map(listed);
}

function entryOf({ contentId, contentState, readyGeneration, durationMs, ...entry }: EntryRow): VodEntry {
  return { ...entry, content: { id: contentId, state: contentState, readyGeneration, durationMs } };
}
