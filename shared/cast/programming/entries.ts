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
  fullSecondsAfter,
  type ProgramSourceDescription,
  type Sources,
} from './sources.queries.js';

/*
 * Converts requested programs to drafts. Omitted members come from the stored program, or else from the program's source.
 */

/** The source of a saved or inserted program, as the request names it. */
interface SentSource {
  readonly type: ProgramType;
  readonly sourceId: string;
  readonly offsetSeconds: number;
}

/** A program of a saved day: `docs/contract.md#cast`. With `programId`, omitted members keep their stored values. */
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
  /** The matching stored program. */
  program: Program | undefined;
}

/** An inserted program: `docs/contract.md#cast`. */
export interface SourceItem {
  readonly sourceType: ProgramType;
  /** Required except with BREAK. */
  readonly sourceId?: string | undefined;
  /** Not used with PRERECORDED, which lasts as long as its content. */
  readonly durationSeconds?: number | undefined;
  /** Only with PRERECORDED. */
  readonly offsetSeconds?: number | undefined;
  readonly title?: string | undefined;
}

/**
 * Converts the entries of a saved day. An entry without `programId` is matched with the stored program of the same start and
 * source, so that programs keep their ids also with clients that do not send them.
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

/** The source of an entry, or the name of the missing member. */
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

/** Matches entries without a program with stored programs of the same start and source. */
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
 * The chosen thumbnail. Null: the source's thumbnail is shown; clients may send its id, as they have read it. Undefined: the
 * sent thumbnail does not belong to the owner.
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

/** Drafts of inserted programs with their durations; the caller sets their starts. */
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

/** Duration of an inserted program, or the error of a content that cannot be aired. */
function secondsOf(
  sources: Sources,
  { boxItemId, offsetSeconds }: Source,
  item: SourceItem,
  field: string,
): number | FieldError {
  if (boxItemId === null) return item.durationSeconds ?? 0;
  const content = contentOf(sources, boxItemId);
  return isUnairable(content) ? unairableError(field, content) : fullSecondsAfter(content, offsetSeconds);
}
