import type { Context } from '../platform/context.js';
import type { SearchDocument } from '../platform/search/search.js';

/** License types of acquired box items, for the filter `licenseType` of the box index. Other items have none: null. */
export async function licenseTypesOfBoxItems(
  ctx: Context,
  documents: readonly SearchDocument[],
): Promise<Map<string, { readonly licenseType: string | null }>> {
  const rows = await ctx.db.rows<{ boxItemId: string; licenseType: string }>(
    'SELECT box_item_id, license_type FROM acquired_licenses WHERE box_item_id = ANY ($boxItemIds::uuid[])',
    { boxItemIds: documents.map(({ id }) => id) },
  );
  const types = new Map(rows.map(({ boxItemId, licenseType }) => [boxItemId, licenseType]));
  return new Map(documents.map(({ id }) => [id, { licenseType: types.get(id) ?? null }]));
}
