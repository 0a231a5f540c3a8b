import type { FieldError } from '../../platform/errors.js';
import { readTimes, type SentTimes } from '../../platform/formats/localTimes.js';
import type { TimeZone } from '../../platform/formats/timeZone.js';
import type { ProgramType } from '../cast.model.js';
import { isUnairable } from './airable.queries.js';
import { programError } from './dayRules.js';
import {
  breakSource,
  matchKey,
  newDraft,
  type Draft,
  type Source,
  type Times,
  type RequestedPrograms,
} from './draft.js';
import type { Program } from './program.queries.js';
import {
  contentOf,
  descriptionOf,
  unairableError,
  wholeSeconds,
  type ProgramSourceDescription,
  type Sources,
} from './sources.queries.js';

/*
 * What a request says of programs becomes drafts. What it does not say comes from the stored program, or from what is played.
 */

/** What a program that is saved or inserted plays, as a request names it. */
interface SentSource {
  readonly type: ProgramType;
  readonly sourceId: string;
  readonly offsetSeconds: number;
}

/** A program of a day that is saved: `docs/contract.md#cast`. What is left out stays as it is, where `programId` is given. */
export interface ProgramEntry extends SentTimes {
  readonly programId?: string | undefined;
  readonly type?: ProgramType | undefined;
  readonly sourceId?: string | undefined;
  readonly offsetSeconds?: number | undefined;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly thumbnailId?: string | undefined;
  readonly tags?: readonly string[] | undefined;
}

interface ReadEntry extends Times, Source {
  readonly entry: ProgramEntry;
  readonly field: string;
  /** The stored program that it is. */
  program: Program | undefined;
}

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

/**
 * The programs of a day as a request sends them. An entry without `programId` that starts and plays as a stored program does is
 * that program, so that programs keep their ids also with clients that do not send them.
 */
export function draftsOfEntries(
  {
    zone,
    breakTitle,
    programs,
    sources,
  }: {
    readonly zone: TimeZone;
    readonly breakTitle: string;
    readonly programs: readonly Program[];
    readonly sources: Sources;
  },
  entries: readonly ProgramEntry[],
): RequestedPrograms {
  const { read, errors } = readEntries(zone, programs, entries);
  const drafts: Draft[] = [];
  for (const one of read) {
    const shown = descriptionOf(sources, one);
    const thumbnailId = thumbnailOf(sources, one, shown);
    if (thumbnailId === undefined) errors.push(programError(`${one.field}.thumbnailId`, 'box.thumbnailUnknown'));
    else drafts.push(draftOf(one, shown, thumbnailId, breakTitle));
  }
  return { drafts, errors };
}

function readEntries(
  zone: TimeZone,
  programs: readonly Program[],
  entries: readonly ProgramEntry[],
): { readonly read: readonly ReadEntry[]; readonly errors: FieldError[] } {
  const unclaimed = new Map(programs.map((program) => [program.id, program]));
  const ids = new Set(unclaimed.keys());
  const errors: FieldError[] = [];
  const read: ReadEntry[] = [];
  for (const [index, entry] of entries.entries()) {
    const field = `programs[${index}]`;
    const program = entry.programId === undefined ? undefined : unclaimed.get(entry.programId);
    if (entry.programId !== undefined && !program) {
      const key = ids.has(entry.programId) ? 'cast.programTwice' : 'cast.programUnknown';
      errors.push(programError(`${field}.programId`, key));
      continue;
    }
    if (program) unclaimed.delete(program.id);
    const one = readEntry(zone, { entry, field, program }, read.at(-1)?.endsAt);
    if ('code' in one) errors.push(one);
    else read.push(one);
  }
  matchOthers(read, [...unclaimed.values()]);
  return { read, errors };
}

function readEntry(
  zone: TimeZone,
  { entry, field, program }: Pick<ReadEntry, 'entry' | 'field' | 'program'>,
  previousEnd: Date | undefined,
): ReadEntry | FieldError {
  const { startsAt, endsAt } = readTimes(zone, entry, program, previousEnd);
  if (!startsAt) return programError(`${field}.startDate`, 'validation.noSuchTime');
  if (!endsAt) return programError(`${field}.endDate`, 'validation.noSuchTime');
  const source = readSource(entry, program);
  if (typeof source === 'string') return programError(`${field}.${source}`, 'validation.required');
  return { entry, field, program, startsAt, endsAt, ...source };
}

/** What an entry plays, or the name of the member that is missing. */
function readSource(entry: ProgramEntry, program: Program | undefined): Source | 'programType' | 'sourceId' {
  const type = entry.type ?? program?.type;
  if (type === undefined) return 'programType';
  if (type === 'BREAK') return breakSource;
  const stored = program?.type === type ? (program.boxItemId ?? program.streamId) : null;
  const sourceId = entry.sourceId ?? stored;
  if (sourceId === null) return 'sourceId';
  const offsetSeconds = entry.offsetSeconds ?? (sourceId === stored ? program?.offsetSeconds : undefined) ?? 0;
  return sourceFrom({ type, sourceId, offsetSeconds });
}

/** Gives entries without a program those stored ones that start at the same time and play the same. */
function matchOthers(read: readonly ReadEntry[], programs: readonly Program[]): void {
  const unclaimed = new Map(programs.map((program) => [matchKey(program), program]));
  for (const one of read) {
    if (one.program) continue;
    const key = matchKey(one);
    one.program = unclaimed.get(key);
    unclaimed.delete(key);
  }
}

/**
 * The chosen thumbnail; null: that of the source is shown, which clients send back as they have read it. Undefined: it is not
 * the owner's.
 */
function thumbnailOf(
  { thumbnails }: Sources,
  { entry: { thumbnailId: sent }, program }: ReadEntry,
  shown: ProgramSourceDescription | null,
): string | null | undefined {
  if (sent === undefined || sent === program?.thumbnailId) return program?.thumbnailId ?? null;
  if (sent === shown?.thumbnailId) return null;
  return thumbnails.has(sent.toLowerCase()) ? sent : undefined;
}

function draftOf(
  { entry, field, program, startsAt, endsAt, type, boxItemId, streamId, offsetSeconds }: ReadEntry,
  shown: ProgramSourceDescription | null,
  thumbnailId: string | null,
  breakTitle: string,
): Draft {
  const draft = newDraft({
    ...{ field, startsAt, endsAt, type, boxItemId, streamId, offsetSeconds, thumbnailId },
    title: entry.title ?? program?.title ?? shown?.title ?? breakTitle,
    description: entry.description ?? (program ?? shown)?.description ?? null,
    tags: entry.tags ?? (program ?? shown)?.tags ?? [],
  });
  return program ? { ...draft, id: program.id, failureKey: program.failureKey } : draft;
}

function sourceFrom({ type, sourceId, offsetSeconds }: SentSource): Source {
  if (type === 'BREAK') return breakSource;
  if (type === 'LIVE') return { ...breakSource, type, streamId: sourceId };
  return { type, boxItemId: sourceId, streamId: null, offsetSeconds };
}

/** New programs of these lengths; the caller sets when they start. */
export function draftsOfItems(
  { breakTitle, sources }: { readonly breakTitle: string; readonly sources: Sources },
  items: readonly SourceItem[],
): RequestedPrograms {
  const drafts: Draft[] = [];
  const errors: FieldError[] = [];
  for (const [index, item] of items.entries()) {
    const field = `sourceItems[${index}]`;
    const { sourceType: type, sourceId = '', offsetSeconds = 0 } = item;
    const source = sourceFrom({ type, sourceId, offsetSeconds });
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
