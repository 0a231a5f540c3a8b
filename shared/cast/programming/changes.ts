import { ValidationError, type FieldError } from '../../platform/errors.js';
import type { TimeZone } from '../../platform/formats/timeZone.js';
import { copiesOf } from './copies.js';
import { daysFrom, type CivilDay, type Day } from './day.js';
import type { Surroundings } from './dayRules.js';
import { storedDraft, type Draft, type RequestedPrograms } from './draft.js';
import { draftsOfEntries, draftsOfItems, type ProgramEntry, type SourceItem } from './entries.js';
import type { Program } from './program.queries.js';
import { programsWithInserted, programsWithMoved, programsWithRemoved } from './programList.js';
import type { NamedSources, Sources } from './sources.queries.js';

/*
 * Pure functions that apply each kind of edit to the programs of some days (`docs/contract.md#choices-cast`).
 * `edit.service.ts` reads their input, and checks and writes their result.
 */

/** The stored days before an edit. They are locked until the edit is written. */
export interface FoundDays extends Surroundings {
  readonly days: readonly Day[];
  /** Programs that start in these days, in order. */
  readonly programs: readonly Program[];
  /** Programs of the `copiedFrom` days. */
  readonly copied: readonly Program[];
  /** Playout before this time is decided or frozen. */
  readonly free: Date;
  readonly zone: TimeZone;
  readonly breakTitle: string;
}

/** An edit. Throws ValidationError if it does not fit the stored days. */
export interface Change {
  readonly copiedFrom?: { readonly channelId: string; readonly days: readonly Day[] };
  /** The sources and thumbnails that the requested programs may use. */
  names(found: FoundDays): NamedSources;
  programs(found: FoundDays & { readonly sources: Sources }): RequestedPrograms | Promise<RequestedPrograms>;
}

/** Consecutive days. */
export interface CivilDays {
  readonly first: CivilDay;
  readonly count: number;
}

/** Replaces all programs. */
export function replacing(entries: readonly ProgramEntry[]): Change {
  return {
    names: ({ programs }) => ({
      programs,
      sourceIds: entries.flatMap(({ sourceId }) => sourceId ?? []),
      thumbnailIds: entries.flatMap(({ thumbnailId }) => thumbnailId ?? []),
    }),
    programs: (found) => draftsOfEntries(found, entries),
  };
}

/**
 * Inserts new programs before the one at `index` and moves the later ones. If `index` is undefined or the number of programs, the
 * new ones are appended. The first programs of a day, and programs after an ended one, start as early as possible.
 */
export function inserting({
  index: sent,
  items,
}: {
  readonly index?: number | undefined;
  readonly items: readonly SourceItem[];
}): Change {
  return {
    names: ({ programs }) => ({ programs, sourceIds: items.flatMap(({ sourceId }) => sourceId ?? []) }),
    programs(found) {
      const present = storedDrafts(found.programs);
      const index = sent ?? present.length;
      assertInRange(outOfRange('index', index, present.length, present.length));
      const { drafts, errors } = draftsOfItems(found, items);
      // The starts of later programs depend on all new ones.
      if (errors.length > 0) throw new ValidationError(errors);
      return accepted(programsWithInserted(present, index, drafts, lastStart(found)));
    },
  };
}

/** Moves the program at `fromIndex` before the one at `toIndex`. Both indexes count before the move. */
export function moving({ fromIndex, toIndex }: { readonly fromIndex: number; readonly toIndex: number }): Change {
  return {
    names: ({ programs }) => ({ programs }),
    programs({ programs }) {
      const count = programs.length;
      assertInRange(outOfRange('fromIndex', fromIndex, count - 1, count), outOfRange('toIndex', toIndex, count, count));
      return accepted(programsWithMoved(storedDrafts(programs), fromIndex, toIndex));
    },
  };
}

/** Removes `count` programs from `index`; the later ones move forward. */
export function removing({ index, count }: { readonly index: number; readonly count: number }): Change {
  return {
    names: ({ programs }) => ({ programs }),
    programs({ programs }) {
      const { length } = programs;
      const first = outOfRange('index', index, length - 1, length);
      assertInRange(first, first.length > 0 ? [] : outOfRange('count', count, length - index, length));
      return accepted(programsWithRemoved(storedDrafts(programs), index, count));
    },
  };
}

/** Removes all programs that start in the days. */
export const clearing: Change = { names: () => ({}), programs: () => accepted([]) };

/**
 * Replaces all programs with copies from days of a channel of the same owner. The copied days repeat until all edited days are
 * filled.
 */
export function copying(
  zone: TimeZone,
  { channelId, first, count }: CivilDays & { readonly channelId: string },
): Change {
  const days = daysFrom(zone, first, count);
  return {
    copiedFrom: { channelId, days },
    names: ({ copied }) => ({ programs: copied }),
    programs: async (found) => accepted(await copiesOf(found, days)),
  };
}

function accepted(drafts: readonly Draft[]): RequestedPrograms {
  return { drafts, errors: [] };
}

function storedDrafts(programs: readonly Program[]): Draft[] {
  return programs.map((program, index) => storedDraft(program, `programs[${index}]`));
}

/** Start of a program that is appended to a day. */
function lastStart({ programs, from, until, previousEnd, free }: FoundDays): Date {
  const end = programs.at(-1)?.endsAt ?? (previousEnd && previousEnd > from ? previousEnd : from);
  return end < free && free < until ? free : end;
}

/** The error for a number above `highest`. The request schema rejects negative numbers. */
function outOfRange(field: string, sent: number, highest: number, count: number): FieldError[] {
  if (sent <= highest) return [];
  return [{ field, code: 'outOfRange', key: 'cast.outOfRange', values: { count }, rejectedValue: sent }];
}

function assertInRange(...errors: readonly FieldError[][]): void {
  const all = errors.flat();
  if (all.length > 0) throw new ValidationError(all);
}
