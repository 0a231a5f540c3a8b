import { ownItem, type HeldItem } from '../../shared/box/box.queries.js';
import { acquiredLicensesOf, type AcquiredLicense } from '../../shared/marketplace/conditions.js';
import type { Context } from '../../shared/platform/context.js';
import { contentUrn, formatDate, formatDuration } from '../../shared/platform/formats/format.js';
import type { Language } from '../../shared/platform/i18n.js';
import { conditionsView } from '../marketplace/conditions.schemas.js';

/** Who reads: dates and sentences follow it. A request is one. */
export interface Reader {
  readonly ctx: Context;
  readonly language: Language;
  readonly offsetMs: number;
}

/** An item of this owner, as `boxItemView` shows it. Throws NotFoundError. */
export async function ownItemView(reader: Reader & { readonly userId: string }, boxId: string): Promise<object> {
  const [view = {}] = await boxItemViews([await ownItem(reader.ctx, reader.userId, boxId)], reader);
  return view;
}

/** Box items with the licenses they are held under, as `boxItemView` shows them, in the order given. */
export async function boxItemViews(items: readonly HeldItem[], reader: Reader): Promise<object[]> {
  const acquired = items.filter(({ source }) => source === 'MARKET_PLACE').map(({ id }) => id);
  const licenses = await acquiredLicensesOf(reader.ctx, acquired);
  return items.map((item) => boxItemView(item, reader, licenses.get(item.id)));
}

/** Box item of `docs/contract.md#fields-box-item`. An empty optional member is left out; `message` says why a FAILED one failed. */
export function boxItemView(
  item: HeldItem,
  { ctx, language, offsetMs }: Reader,
  license: AcquiredLicense | undefined,
): object {
  const { content } = item;
  return {
    boxId: item.id,
    contentId: contentUrn(ctx.config.service.urnNamespace, content.id),
    title: item.title,
    ...(item.description ? { description: item.description } : {}),
    resourceId: content.id,
    ...(content.durationMs == null ? {} : { duration: formatDuration(content.durationMs) }),
    ...(item.thumbnailId ? { thumbnailId: item.thumbnailId } : {}),
    ...(item.tags.length > 0 ? { tags: item.tags } : {}),
    source: item.source,
    valueDate: formatDate(item.createdAt, offsetMs),
    ...(item.expiresAt ? { expirationDate: formatDate(item.expiresAt, offsetMs) } : {}),
    status: content.state,
    ...(content.state === 'FAILED' && content.failureKey
      ? { message: ctx.translate(language, content.failureKey) }
      : {}),
    vodCount: item.vodCount,
    ...(license ? { marketplaceLicense: licenseView(license) } : {}),
  };
}

/** Marketplace license of `docs/contract.md#fields-marketplace-license`. */
function licenseView(license: AcquiredLicense) {
  const { licenseId, marketplaceId, issuerCode } = license;
  return { licenseId, marketplaceId, issuerCode, ...conditionsView(license) };
}
