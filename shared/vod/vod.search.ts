import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/db.js';
import { defineIndex, type SearchDocument } from '../platform/search/search.js';

interface VodRow {
  readonly id: string;
  readonly ownerId: string;
  readonly public: boolean;
  readonly visible: boolean;
  readonly licenseType: string;
  readonly ccType: string | null;
  readonly publishedAt: Date;
  readonly title: string;
  readonly description: string | null;
  readonly tags: string[];
  readonly userCode: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly pageTitle: string | null;
  readonly pageDescription: string | null;
}

/**
 * Published items: `interface.md 4.5`. `public` is the item's own switch, for its owner's search; `visible` says
 * whether anybody else may find it: public item, ready content, active publisher whose items are public at all.
 */
export const vodIndex = defineIndex({
  name: 'vod',
  madeFrom: {
    vod: async (_ctx, _tx, ids) => ids,
    box: (ctx, tx, ids) => vodIds(ctx, tx, 'SELECT id FROM vod_items WHERE box_item_id = ANY ($ids::uuid[])', ids),
    content: (ctx, tx, ids) =>
      vodIds(
        ctx,
        tx,
        `SELECT vod.id FROM vod_items vod JOIN box_items box ON box.id = vod.box_item_id
         WHERE box.content_id = ANY ($ids::uuid[])`,
        ids,
      ),
    user: (ctx, tx, ids) => vodIds(ctx, tx, 'SELECT id FROM vod_items WHERE owner_id = ANY ($ids::uuid[])', ids),
  },
  document: vodDocuments,
  ids: allVodIds,
  groups: {
    content: { fields: ['title', 'description', 'tags'], weight: 1 },
    publisher: { fields: ['userCode', 'firstName', 'lastName', 'pageTitle', 'pageDescription'], weight: 0.5 },
  },
  filters: ['ownerId', 'public', 'visible', 'licenseType', 'ccType', 'tags', 'userCode'],
  sorts: ['publishedAt'],
});

async function vodIds(ctx: Context, tx: Transaction, sql: string, ids: readonly string[]): Promise<string[]> {
  const rows = await ctx.db.rows<{ id: string }>(sql, { ids }, tx);
  return rows.map(({ id }) => id);
}

async function vodDocuments(ctx: Context, ids: readonly string[]): Promise<SearchDocument[]> {
  const rows = await ctx.db.rows<VodRow>(
    `SELECT vod.id, vod.owner_id AS "ownerId", vod.public,
            vod.public AND content.state = 'READY' AND owner.state = 'ACTIVE' AND owner.vod_public AS visible,
            vod.license_type AS "licenseType", vod.cc_type AS "ccType", vod.published_at AS "publishedAt",
            box.title, box.description, box.tags,
            owner.user_code AS "userCode", owner.first_name AS "firstName", owner.last_name AS "lastName",
            owner.page_title AS "pageTitle", owner.page_description AS "pageDescription"
     FROM vod_items vod
     JOIN box_items box ON box.id = vod.box_item_id
     JOIN contents content ON content.id = box.content_id
     JOIN users owner ON owner.id = vod.owner_id
     WHERE vod.id = ANY ($ids::uuid[])`,
    { ids },
  );
  return rows.map((row) => ({ ...row, publishedAt: row.publishedAt.getTime() }));
}

async function allVodIds(ctx: Context, afterId: string | null, limit: number): Promise<string[]> {
  const rows = await ctx.db.rows<{ id: string }>(
    'SELECT id FROM vod_items WHERE ($afterId::uuid IS NULL OR id > $afterId::uuid) ORDER BY id LIMIT $limit::int',
    { afterId, limit },
  );
  return rows.map(({ id }) => id);
}
