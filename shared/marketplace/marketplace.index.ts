import { withCaptionWords } from '../caption/caption.queries.js';
import { captionGroup } from '../caption/captionWords.js';
import { titledTexts, type TitledTexts } from '../content/describedItem.js';
import type { Context } from '../platform/context.js';
import { idsBy, idsOfRows, defineIndex, type SearchDocument } from '../platform/search/index.js';
import { userColumns, userFields, type UserTexts } from '../user/user.index.js';
import { isOwnerActive } from '../user/user.visibility.js';

interface OfferRow extends UserTexts, TitledTexts {
  readonly id: string;
  readonly ownerId: string;
  readonly visible: boolean;
  readonly licenseType: string;
  readonly ccType: string | null;
  readonly download: boolean;
  readonly publishedAt: Date;
  readonly contentId: string;
}

/** SQL: the offer is public and can be acquired: its content is READY and its seller active. */
export const isOfferVisible = `content.state = 'READY' AND ${isOwnerActive}`;

/** Offers; `docs/contract.md#marketplace`. `visible` is for the public search. */
export const marketplaceIndex = defineIndex({
  name: 'marketplace',
  madeFrom: {
    marketplace: async (_ctx, _tx, ids) => ids,
    box: idsBy('SELECT id FROM marketplace_items WHERE box_item_id = ANY ($ids::uuid[])'),
    content: idsBy(
      `SELECT offer.id FROM marketplace_items offer JOIN box_items box ON box.id = offer.box_item_id
        WHERE box.content_id = ANY ($ids::uuid[])`,
    ),
    caption: idsBy(
      `SELECT offer.id FROM marketplace_items offer JOIN box_items box ON box.id = offer.box_item_id
        WHERE box.content_id = ANY ($ids::uuid[])`,
    ),
    user: idsBy('SELECT id FROM marketplace_items WHERE owner_id = ANY ($ids::uuid[])'),
  },
  document: offerDocuments,
  ids: idsOfRows('marketplace_items'),
  groups: {
    content: { fields: titledTexts, weight: 1 },
    seller: { fields: userFields, weight: 0.7 },
    captions: captionGroup,
  },
  longTexts: captionGroup.fields,
  filters: ['ownerId', 'visible', 'licenseType', 'ccType', 'download', 'tags'],
  sorts: ['publishedAt'],
  columns: { ownerId: 'text', visible: 'flag', publishedAt: 'number' },
  lists: [
    ['ownerId', 'publishedAt'],
    ['visible', 'publishedAt'],
  ],
  publicDocuments: { where: 'visible' },
  owner: { member: 'ownerId', ids: 'SELECT id FROM marketplace_items WHERE owner_id = $ownerId::uuid' },
});

async function offerDocuments(ctx: Context, ids: readonly string[]): Promise<SearchDocument[]> {
  const rows = await ctx.db.rows<OfferRow>(
    `SELECT offer.id, offer.owner_id, ${isOfferVisible} AS visible,
            offer.license_type, offer.cc_type, offer.download,
            offer.published_at, box.title, box.description, box.tags, box.content_id,
            ${userColumns('owner')}
     FROM marketplace_items offer
     JOIN box_items box ON box.id = offer.box_item_id
     JOIN contents content ON content.id = box.content_id
     JOIN users owner ON owner.id = offer.owner_id
     WHERE offer.id = ANY ($ids::uuid[])`,
    { ids },
  );
  return (await withCaptionWords(ctx, rows)).map((row) => ({
    ...row,
    publishedAt: row.publishedAt.getTime(),
  }));
}
