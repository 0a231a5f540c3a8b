import type { HeldItem } from '../../shared/box/box.item.js';
import type { Context } from '../../shared/platform/context.js';
import { contentUrn, formatDate, formatDuration } from '../../shared/platform/format.js';
import type { Language } from '../../shared/platform/i18n.js';

/** Who reads: dates and sentences follow it. A request is one. */
export interface Reader {
  readonly ctx: Context;
  readonly language: Language;
  readonly offsetMs: number;
}

/** Box item of `interface.md 2`. An empty optional member is left out; `message` says why a FAILED one failed. */
export function boxItemView(item: HeldItem, { ctx, language, offsetMs }: Reader): object {
  const { content } = item;
  return {
    boxId: item.id,
    contentId: contentUrn(ctx.config.service.urnNamespace, content.id),
    title: item.title,
    ...(item.description ? { description: item.description } : {}),
    resourceId: content.id,
    ...(content.durationMs == null ? {} : { duration: formatDuration(Number(content.durationMs)) }),
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
  };
}
