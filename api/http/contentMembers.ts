import Joi, { type SchemaMap } from 'joi';
import { contentUrn } from '../../shared/content/contentUrn.js';
import { formatDuration } from '../../shared/platform/formats/format.js';
import { wire } from './fields.js';

/**
 * The members that published items, offers and bundle items take from box item and content:
 * `docs/contract.md#conventions`.
 */
export const contentMembers: SchemaMap = {
  contentId: wire.contentId().required(),
  title: Joi.string().required(),
  description: Joi.string(),
  resourceId: wire.id().required(),
  duration: wire.duration().required(),
  thumbnailId: wire.id(),
  tags: wire.tags(),
};

interface ContentSource {
  readonly title: string;
  readonly description: string | null;
  readonly thumbnailId: string | null;
  readonly tags: readonly string[];
  readonly content: { readonly id: string; readonly durationMs: number | null };
}

export function contentMembersView(
  { title, description, thumbnailId, tags, content }: ContentSource,
  urnNamespace: string,
) {
  return {
    contentId: contentUrn(urnNamespace, content.id),
    title,
    ...(description ? { description } : {}),
    resourceId: content.id,
    duration: formatDuration(content.durationMs ?? 0),
    ...(thumbnailId ? { thumbnailId } : {}),
    ...(tags.length > 0 ? { tags } : {}),
  };
}
