import type { Context } from '../platform/context.js';
import type { SearchDocument } from '../platform/search/index.js';
import { AcquiredLicense } from './acquiredLicense.model.js';

/** License types of acquired box items, for the filter `licenseType` of the box index; null for other items. */
export async function licenseTypesOfBoxItems(
  ctx: Context,
  documents: readonly SearchDocument[],
): Promise<Map<string, { readonly licenseType: string | null }>> {
  const where = { boxItemId: documents.map(({ id }) => id) };
  const rows = await ctx.db.model(AcquiredLicense).findAll({ where, attributes: ['boxItemId', 'licenseType'] });
  const types = new Map<string, string>(rows.map(({ boxItemId, licenseType }) => [boxItemId, licenseType]));
  return new Map(documents.map(({ id }) => [id, { licenseType: types.get(id) ?? null }]));
}
