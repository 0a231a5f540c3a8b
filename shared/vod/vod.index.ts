import { withCaptionWords } from '../caption/caption.queries.js';
import { captionGroup } from '../caption/captionWords.js';
import { titledTexts, type TitledTexts } from '../content/describedItem.js';
import type { Context } from '../platform/context.js';
import { idsBy, idsOfRows, defineIndex, type SearchDocument } from '../platform/search/index.js';
import { vodVisibility } from './vod.visibility.js';
import { userColumns, userFields, type UserTexts } from '../user/user.index.js';

interface VodRow extends UserTexts, TitledTexts {
  readonly id: string;
  readonly ownerId: string;
  readonly public: boolean;
  readonly visible: boolean;
  readonly licenseType: string;
  readonly ccType: string | null;
  readonly bundleId: string | null;
  readonly expiresAt: Date | null;
  readonly publishedAt: Date;
  readonly contentId: string;
}

/** The indexed end of an item without an end, in milliseconds since 1970: filters compare numbers. */
const neverEnds = Date.UTC(9999, 11, 31);

/**
 * Published items; `docs/contract.md#vod`. `public` is the item's own switch, for the owner's search. `visible` is for
 * the public search (`vod.visibility.ts`). `expiresAt` is in
 * milliseconds since 1970. The texts of the bundle are added by the bundle domain (`shared/indexes.ts`).
 */
export const vodIndex = defineIndex({
  name: 'vod',
  madeFrom: {
    vod: async (_ctx, _tx, ids) => ids,
    box: idsBy('SELECT id FROM vod_items WHERE box_item_id = ANY ($ids::uuid[])'),
    content: idsBy(
      `SELECT vod.id FROM vod_items vod JOIN box_items box ON box.id = vod.box_item_id
        WHERE box.content_id = ANY ($ids::uuid[])`,
    ),
    caption: idsBy(
      `SELECT vod.id FROM vod_items vod JOIN box_items box ON box.id = vod.box_item_id
        WHERE box.content_id = ANY ($ids::uuid[])`,
    ),
    bundle: idsBy('SELECT id FROM vod_items WHERE bundle_id = ANY ($ids::uuid[])'),
    user: idsBy('SELECT id FROM vod_items WHERE owner_id = ANY ($ids::uuid[])'),
  },
  document: vodDocuments,
  ids: idsOfRows('vod_items'),
  groups: {
    content: { fields: titledTexts, weight: 1 },
    bundle: { fields: ['bundleName', 'bundleDescription', 'bundleTags'], weight: 0.7 },
    publisher: { fields: userFields, weight: 0.5 },
    captions: captionGroup,
  },
  longTexts: captionGroup.fields,
  filters: ['ownerId', 'public', 'visible', 'licenseType', 'ccType', 'bundleId', 'tags', 'expiresAt'],
  sorts: ['publishedAt'],
  columns: { ownerId: 'text', visible: 'flag', publishedAt: 'number', expiresAt: 'number' },
  lists: [
    ['ownerId', 'publishedAt'],
    ['visible', 'publishedAt', 'expiresAt'],
  ],
  publicDocuments: { where: 'visible' },
  owner: { member: 'ownerId', ids: 'SELECT id FROM vod_items WHERE owner_id = $ownerId::uuid' },
});

async function vodDocuments(ctx: Context, ids: readonly string[]): Promise<SearchDocument[]> {
  const rows = await ctx.db.rows<VodRow>(
    `SELECT vod.id, vod.owner_id, vod.public,
            ${vodVisibility.inSearch} AS visible,
            vod.license_type, vod.cc_type, vod.published_at,
            vod.bundle_id, least(vod.expires_at, box.expires_at) AS expires_at,
            box.title, box.description, box.tags, box.content_id,
            ${userColumns('owner')}
     FROM vod_items vod
     JOIN box_items box ON box.id = vod.box_item_id
     JOIN contents content ON content.id = box.content_id
     JOIN users owner ON owner.id = vod.owner_id
     WHERE vod.id = ANY ($ids::uuid[])`,
    { ids },
  );
  return (await withCaptionWords(ctx, rows)).map((row) => ({
    ...row,
    publishedAt: row.publishedAt.getTime(),
    expiresAt: row.expiresAt?.getTime() ?? neverEnds,
  }));
}
