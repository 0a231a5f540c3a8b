import type { Content, PlayableContent } from '../content/content.model.js';
import type { TitledItem } from '../content/describedItem.js';

/** The public details of a box item, also shown by the VOD and marketplace items created from it. */
export interface ShownBoxItem extends TitledItem {
  /** The box item's thumbnail, or else the content's. */
  readonly thumbnailId: string | null;
  readonly content: PlayableContent;
}

/** A row with `shownBoxItemColumns`. */
export interface ShownBoxItemRow extends Omit<ShownBoxItem, 'content'> {
  readonly contentId: string;
  readonly contentFolder: string;
  readonly contentState: Content['state'];
  readonly readyGeneration: number | null;
  readonly readyAttempt: number | null;
  readonly durationMs: number | null;
  readonly hasStoryboard: boolean;
  readonly hasChapters: boolean;
}

/** SQL: the columns of `ShownBoxItemRow`, read from the aliases `box` and `content`. */
export const shownBoxItemColumns = `
         box.title, box.description, box.tags, coalesce(box.thumbnail_id, content.thumbnail_id) AS thumbnail_id,
         content.id AS content_id, content.folder AS content_folder, content.state AS content_state,
         content.ready_generation, content.ready_attempt, content.duration_ms,
         content.storyboard IS NOT NULL AS has_storyboard, coalesce(jsonb_array_length(content.chapters), 0) > 0 AS has_chapters`;

/** Moves the content's columns into the member `content`. */
export function shownBoxItemOf<Row extends ShownBoxItemRow>(row: Row) {
  const {
    contentId,
    contentFolder,
    contentState,
    readyGeneration,
    readyAttempt,
    durationMs,
    hasStoryboard,
    hasChapters,
    ...item
  } = row;
  const content = { id: contentId, folder: contentFolder, state: contentState };
  return { ...item, content: { ...content, readyGeneration, readyAttempt, durationMs, hasStoryboard, hasChapters } };
}
