import type { Context } from '../platform/context.js';
import type { SearchDocument, SearchValue } from '../platform/search/search.js';

interface BundleTexts extends Readonly<Record<string, SearchValue>> {
  readonly bundleName: string | null;
  readonly bundleDescription: string | null;
  readonly bundleTags: readonly string[] | null;
}

const noBundle: BundleTexts = { bundleName: null, bundleDescription: null, bundleTags: null };

/** Texts of the bundle of each VOD item, for the group `bundle` of the VOD index. */
export async function bundleTextsOfVods(
  ctx: Context,
  documents: readonly SearchDocument[],
): Promise<Map<string, BundleTexts>> {
  const bundleIds = [...new Set(documents.flatMap(({ bundleId }) => (typeof bundleId === 'string' ? bundleId : [])))];
  if (bundleIds.length === 0) return new Map(documents.map(({ id }) => [id, noBundle]));
  const rows = await ctx.db.rows<BundleTexts & { readonly id: string }>(
    `SELECT id, name AS bundle_name, description AS bundle_description, tags AS bundle_tags
       FROM bundles WHERE id = ANY ($bundleIds::uuid[])`,
    { bundleIds },
  );
  const texts = new Map(rows.map(({ id, ...members }) => [id, members]));
  return new Map(documents.map(({ id, bundleId }) => [id, texts.get(String(bundleId)) ?? noBundle]));
}
