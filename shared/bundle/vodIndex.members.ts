import type { Context } from '../platform/context.js';
import { Bundle } from './bundle.model.js';
import type { SearchDocument, SearchValue } from '../platform/search/index.js';

interface BundleTexts extends Readonly<Record<string, SearchValue>> {
  readonly bundleName: string | null;
  readonly bundleDescription: string | null;
  readonly bundleTags: readonly string[] | null;
}

const noBundle: BundleTexts = { bundleName: null, bundleDescription: null, bundleTags: null };

/** Bundle texts of each VOD item, for the group `bundle` of the VOD index. */
export async function bundleTextsOfVods(
  ctx: Context,
  documents: readonly SearchDocument[],
): Promise<Map<string, BundleTexts>> {
  const bundleIds = [...new Set(documents.flatMap(({ bundleId }) => (typeof bundleId === 'string' ? bundleId : [])))];
  if (bundleIds.length === 0) return new Map(documents.map(({ id }) => [id, noBundle]));
  const attributes = ['id', 'name', 'description', 'tags'] as const;
  const rows = await ctx.db.model(Bundle).findAll({ where: { id: bundleIds }, attributes });
  const texts = new Map<string, BundleTexts>(
    rows.map(({ id, name, description, tags }) => [
      id,
      { bundleName: name, bundleDescription: description, bundleTags: tags },
    ]),
  );
  return new Map(documents.map(({ id, bundleId }) => [id, texts.get(String(bundleId)) ?? noBundle]));
}
