import type { Content } from '../content/content.model.js';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { NotFoundError } from '../platform/errors.js';
import { isUuid } from '../platform/formats/format.js';
import type { BoxItem } from './box.model.js';

/** A box item with what it shows of its content; `docs/contract.md#fields-box-item`. */
export interface HeldItem extends Pick<
  BoxItem,
  'id' | 'ownerId' | 'source' | 'title' | 'description' | 'tags' | 'createdAt' | 'expiresAt'
> {
  /** The item's own choice, or the content's picture. */
  readonly thumbnailId: string | null;
  readonly vodCount: number;
  readonly content: Pick<Content, 'id' | 'state' | 'readyGeneration' | 'durationMs' | 'failureKey'>;
}

interface HeldRow extends Omit<HeldItem, 'content'> {
  readonly contentId: string;
  readonly state: Content['state'];
  readonly readyGeneration: number | null;
  readonly durationMs: number | null;
  readonly failureKey: string | null;
}

const items = `
  SELECT box.id, box.owner_id, box.source, box.title, box.description, box.tags,
         box.created_at, box.expires_at,
         coalesce(box.thumbnail_id, content.thumbnail_id) AS thumbnail_id,
         (SELECT count(*)::integer FROM vod_items vod WHERE vod.box_item_id = box.id) AS vod_count,
         content.id AS content_id, content.state, content.ready_generation,
         content.duration_ms, content.failure_key
    FROM box_items box JOIN contents content ON content.id = box.content_id`;

/** An item of this owner. Throws NotFoundError, for somebody else's like for one that does not exist. */
export async function ownItem(ctx: Context, ownerId: string, boxId: string, tx?: Transaction): Promise<HeldItem> {
  const [row] = isUuid(boxId)
    ? await ctx.db.rows<HeldRow>(`${items} WHERE box.id = $boxId AND box.owner_id = $ownerId`, { boxId, ownerId }, tx)
    : [];
  if (!row) throw new NotFoundError();
  return itemOf(row);
}

/** Of these ids, the items of this owner. */
export async function ownItems(ctx: Context, ownerId: string, ids: readonly string[]): Promise<Map<string, HeldItem>> {
  const rows = await ctx.db.rows<HeldRow>(`${items} WHERE box.id = ANY ($ids::uuid[]) AND box.owner_id = $ownerId`, {
    ids,
    ownerId,
  });
  return new Map(rows.map((row) => [row.id, itemOf(row)]));
}

function itemOf({ contentId, state, readyGeneration, durationMs, failureKey, ...item }: HeldRow): HeldItem {
  return { ...item, content: { id: contentId, state, readyGeneration, durationMs, failureKey } };
}
