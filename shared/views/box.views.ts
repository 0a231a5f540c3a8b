import { ownItem, type BoxItemWithContent } from '../box/box.queries.js';
import { acquiredLicensesOf, type BoxItemLicense } from '../marketplace/acquiredLicense.queries.js';
import { contentUrn } from '../content/contentUrn.js';
import type { ContentProgress } from '../content/contentState.queries.js';
import { maxChapters } from '../content/chapters.js';
import { leftOutMessage } from '../content/leftOutSubtitles.js';
import type { SourceFaults } from '../content/sourceFaults.js';
import { qualityOf, type ContentQuality } from '../content/quality.queries.js';
import { formatDate, formatDuration } from '../platform/formats/format.js';
import type { MessageValues } from '../platform/i18n.js';
import { vodCountsOf } from '../vod/boxItemUses.queries.js';
import { titledView } from './describedItem.views.js';
import type { ResponseReader } from './responseReader.js';
import { conditionsView } from './conditions.views.js';

/** The response of a box item of this owner. Throws NotFoundError. */
export async function ownItemView(
  reader: ResponseReader & { readonly userId: string },
  boxId: string,
): Promise<object> {
  const [view = {}] = await boxItemViews([await ownItem(reader.ctx, reader.userId, boxId)], reader);
  return view;
}

/** Box items with their licenses and numbers of VOD items, in the same order. */
export async function boxItemViews(items: readonly BoxItemWithContent[], reader: ResponseReader): Promise<object[]> {
  const acquired = items.filter(({ source }) => source === 'MARKET_PLACE').map(({ id }) => id);
  const [licenses, qualities, vodCounts] = await Promise.all([
    acquiredLicensesOf(reader.ctx, acquired),
    qualityOf(
      reader.ctx,
      items.map(({ content }) => content.id),
    ),
    vodCountsOf(
      reader.ctx,
      items.map(({ id }) => id),
    ),
  ]);
  return items.map((item) =>
    boxItemView(item, reader, {
      license: licenses.get(item.id),
      quality: qualities.get(item.content.id),
      vodCount: vodCounts.get(item.id) ?? 0,
    }),
  );
}

/** Data of a box item from other tables: its marketplace license, its renditions, the number of VOD items published from it. */
interface BoxItemUse {
  readonly quality: ContentQuality | undefined;
  readonly license: BoxItemLicense | undefined;
  readonly vodCount: number;
}

/** Box item of `docs/contract.md#fields-box-item`. Empty optional members are omitted; `message` contains its error, if any. */
export function boxItemView(
  item: BoxItemWithContent,
  { ctx, language, zone }: ResponseReader,
  { license, quality, vodCount }: BoxItemUse,
): object {
  const { content } = item;
  return {
    boxId: item.id,
    contentId: contentUrn(ctx.config.service.urnNamespace, content.id),
    ...titledView(item),
    resourceId: content.id,
    ...(content.durationMs == null ? {} : { duration: formatDuration(content.durationMs) }),
    source: item.source,
    valueDate: formatDate(item.createdAt, zone),
    ...(item.expiresAt ? { expirationDate: formatDate(item.expiresAt, zone) } : {}),
    status: content.state,
    ...(quality?.renditions.length ? { renditions: quality.renditions } : {}),
    ...(quality?.preparing == null ? {} : { preparing: quality.preparing }),
    ...failureMessage({ ...content, status: content.state, hasFailed: quality?.hasFailed ?? false }, (key, values) =>
      ctx.translate(language, key, values),
    ),
    vodCount,
    ...(license ? { marketplaceLicense: licenseView(license) } : {}),
  };
}

/**
 * The reason why a content or its remaining renditions could not be processed, or the parts that a playing content lacks: its end,
 * or audio, subtitles or chapters of its source. Empty if there is no error.
 */
export function failureMessage(
  { status, hasFailed, ...faults }: SourceFaults & Pick<ContentProgress, 'status' | 'hasFailed'>,
  translate: (key: string, values?: MessageValues) => string,
): { message?: string } {
  const { failureKey, missingEndSeconds, leftOutAudio, leftOutSubtitles, leftOutChapters } = faults;
  if (failureKey && status === 'FAILED') return { message: translate(failureKey) };
  if (failureKey && status === 'READY') {
    const key = hasFailed ? 'content.renditionsFailed' : 'content.notReprocessed';
    return { message: translate(key, { reason: translate(failureKey) }) };
  }
  if (status !== 'READY') return {};
  const notices = [
    ...(missingEndSeconds === 0 ? [] : [translate('content.endMissing', { seconds: Math.round(missingEndSeconds) })]),
    ...(leftOutAudio === null ? [] : [translate('content.audioLeftOut', { list: leftOutAudio.join(', ') })]),
    ...(leftOutSubtitles === null ? [] : [leftOutMessage(leftOutSubtitles, translate)]),
    ...(leftOutChapters === 0
      ? []
      : [translate('content.chaptersLeftOut', { count: leftOutChapters, limit: maxChapters })]),
  ];
  return notices.length === 0 ? {} : { message: notices.join(' ') };
}

/** Marketplace license of `docs/contract.md#fields-marketplace-license`. */
function licenseView(license: BoxItemLicense) {
  const { licenseId, marketplaceId, issuerCode } = license;
  return { licenseId, marketplaceId, issuerCode, ...conditionsView(license) };
}
