import type { SchemaMap } from 'joi';
import { contentUrn } from '../../shared/content/contentUrn.js';
import type { TitledItem } from '../../shared/content/describedItem.js';
import { formatDuration } from '../../shared/platform/formats/format.js';
import { titledResponse, titledView } from './describedItem.js';
import { wire } from './fields.js';

/**
 * The members that published items, offers and bundle items take from box item and content:
 * `docs/contract.md#conventions`.
 */
export const contentMembers: SchemaMap = {
  contentId: wire.contentId().required(),
  ...titledResponse,
  resourceId: wire.id().required(),
  duration: wire.duration().required(),
};

interface ContentSource extends TitledItem {
  readonly content: { readonly id: string; readonly durationMs: number | null };
}

export function contentMembersView({ content, ...item }: ContentSource, urnNamespace: string) {
  return {
    contentId: contentUrn(urnNamespace, content.id),
    ...titledView(item),
    resourceId: content.id,
    duration: formatDuration(content.durationMs ?? 0),
  };
}
