import type { Context } from '../../platform/context.js';
import type { Transaction } from '../../platform/database/database.js';
import type { FieldError } from '../../platform/errors.js';
import type { ProgramType } from '../cast.model.js';
import { isUnairable } from './airable.queries.js';
import { breakSource, newDraft, type Draft, type Source } from './draft.js';
import type { Editor, WantedPrograms } from './edit.js';
import {
  contentOf,
  descriptionOf,
  lockSources,
  unairableError,
  wholeSeconds,
  type Sources,
} from './sources.queries.js';

/** A program that is inserted: `docs/contract.md#cast`. */
export interface SourceItem {
  readonly sourceType: ProgramType;
  /** Except with BREAK. */
  readonly sourceId?: string | undefined;
  /** Except with PRERECORDED, which lasts as long as its content. */
  readonly durationSeconds?: number | undefined;
  /** With PRERECORDED alone. */
  readonly offsetSeconds?: number | undefined;
  readonly title?: string | undefined;
}

/** New programs of these lengths; the caller sets when they start. */
export async function draftsOfItems(
  ctx: Context,
  tx: Transaction,
  { ownerId, language }: Editor,
  items: readonly SourceItem[],
): Promise<WantedPrograms> {
  const wanted = items.map((item) => ({ item, source: sourceOfItem(item) }));
  const sources = await lockSources(
    ctx,
    tx,
    ownerId,
    wanted.map(({ source }) => source),
  );
  const breakTitle = ctx.translate(language, 'cast.break');
  const drafts: Draft[] = [];
  const errors: FieldError[] = [];
  for (const [index, { item, source }] of wanted.entries()) {
    const field = `sourceItems[${index}]`;
    const seconds = secondsOf(sources, source, item, `${field}.sourceId`);
    if (typeof seconds !== 'number') {
      errors.push(seconds);
      continue;
    }
    const shown = descriptionOf(sources, source);
    drafts.push(
      newDraft({
        ...{ field, ...source, startsAt: new Date(0), endsAt: new Date(seconds * 1000), thumbnailId: null },
        title: item.title ?? shown?.title ?? breakTitle,
        description: shown?.description ?? null,
        tags: shown?.tags ?? [],
      }),
    );
  }
  return { drafts, errors };
}

function sourceOfItem({ sourceType: type, sourceId = '', offsetSeconds = 0 }: SourceItem): Source {
  if (type === 'BREAK') return breakSource;
  if (type === 'LIVE') return { ...breakSource, type, streamId: sourceId };
  return { type, boxItemId: sourceId, streamId: null, offsetSeconds };
}

/** How long a new program is, or the error of a content that cannot be aired. */
function secondsOf(
  sources: Sources,
  { boxItemId, offsetSeconds }: Source,
  item: SourceItem,
  field: string,
): number | FieldError {
  if (boxItemId === null) return item.durationSeconds ?? 0;
  const content = contentOf(sources, boxItemId);
  return isUnairable(content) ? unairableError(field, content) : wholeSeconds(content, offsetSeconds);
}
