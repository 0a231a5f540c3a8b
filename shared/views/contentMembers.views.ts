import { contentUrn } from '../content/contentUrn.js';
import type { TitledItem } from '../content/describedItem.js';
import { formatDuration } from '../platform/formats/format.js';
import { titledView } from './describedItem.views.js';

interface ContentSource extends TitledItem {
  readonly content: { readonly id: string; readonly durationMs: number | null };
}

/** The members of box item and content in published items, offers and bundle items: `docs/contract.md#conventions`. */
export function contentMembersView({ content, ...item }: ContentSource, urnNamespace: string) {
  return {
    contentId: contentUrn(urnNamespace, content.id),
    ...titledView(item),
    resourceId: content.id,
    duration: formatDuration(content.durationMs ?? 0),
  };
}
