import { ValidationError, type FieldError } from '../../platform/errors.js';
import type { TimeZone } from '../../platform/formats/timeZone.js';
import { copiesOf } from './copies.js';
import { daysFrom, type CivilDay, type Day } from './day.js';
import type { Surroundings } from './dayRules.js';
import { keptDraft, type Draft, type RequestedPrograms } from './draft.js';
import { draftsOfEntries, draftsOfItems, type ProgramEntry, type SourceItem } from './entries.js';
import type { Program } from './program.queries.js';
import { programsWithInserted, programsWithMoved, programsWithRemoved } from './programList.js';
import type { NamedSources, Sources } from './sources.queries.js';

/*
 * What each edit makes of the programs of some days (`docs/contract.md#choices-cast`), without database and clock:
 * `edit.service.ts` reads what they need, and checks and writes what they want.
 */

/** What an edit finds. Nothing of this changes until the edit is written. */
export interface FoundDays extends Surroundings {
  readonly days: readonly Day[];
  /** That start in these days, in order. */
  readonly programs: readonly Program[];
  /** Those of `copiedFrom`. */
  readonly copied: readonly Program[];
  /** What airs before is decided. */
  readonly free: Date;
  readonly zone: TimeZone;
  readonly breakTitle: string;
}

/** Throws ValidationError where the edit has no meaning for what is found. */
export interface Change {
  readonly copiedFrom?: { readonly channelId: string; readonly days: readonly Day[] };
  /** All that the wanted programs may play or show. */
  names(found: FoundDays): NamedSources;
  programs(found: FoundDays & { readonly sources: Sources }): RequestedPrograms | Promise<RequestedPrograms>;
}

/** Days that follow each other. */
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
 * Puts new programs before the one at `index`; the later ones move. Without `index` they come last, as with the number of programs. The first
 * programs of a day, and those that are put behind a program that is over, start as early as possible.
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
      const present = kept(found.programs);
      const index = sent ?? present.length;
      assertInRange(outOfRange('index', index, present.length, present.length));
      const { drafts, errors } = draftsOfItems(found, items);
      // Without all of them it is not known when the later ones start.
      if (errors.length > 0) throw new ValidationError(errors);
      return accepted(programsWithInserted(present, index, drafts, lastStart(found)));
    },
  };
}

/** Puts the program at `fromIndex` before the one at `toIndex`, both counted before the move. */
export function moving({ fromIndex, toIndex }: { readonly fromIndex: number; readonly toIndex: number }): Change {
  return {
    names: ({ programs }) => ({ programs }),
    programs({ programs }) {
      const count = programs.length;
      assertInRange(outOfRange('fromIndex', fromIndex, count - 1, count), outOfRange('toIndex', toIndex, count, count));
      return accepted(programsWithMoved(kept(programs), fromIndex, toIndex));
    },
  };
}

/** Takes `count` programs from `index` on out; the later ones move forward. */
export function removing({ index, count }: { readonly index: number; readonly count: number }): Change {
  return {
    names: ({ programs }) => ({ programs }),
    programs({ programs }) {
      const { length } = programs;
      const first = outOfRange('index', index, length - 1, length);
      assertInRange(first, first.length > 0 ? [] : outOfRange('count', count, length - index, length));
      return accepted(programsWithRemoved(kept(programs), index, count));
    },
  };
}

/** Removes all programs. Those that only end in the days stay. */
export const clearing: Change = { names: () => ({}), programs: () => accepted([]) };

/** Replaces all programs by those of days of a channel of the same owner, which repeat until the edited days are full. */
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

function kept(programs: readonly Program[]): Draft[] {
  return programs.map((program, index) => keptDraft(program, `programs[${index}]`));
}

/** When a program starts that is put behind all others of a day. */
function lastStart({ programs, from, until, previousEnd, free }: FoundDays): Date {
  const end = programs.at(-1)?.endsAt ?? (previousEnd && previousEnd > from ? previousEnd : from);
  return end < free && free < until ? free : end;
}

/** The error for a number above `highest`. That it is not below 0 is checked with the request. */
function outOfRange(field: string, given: number, highest: number, count: number): FieldError[] {
  if (given <= highest) return [];
  return [{ field, code: 'outOfRange', key: 'cast.outOfRange', values: { count }, rejectedValue: given }];
}

function assertInRange(...errors: readonly FieldError[][]): void {
  const all = errors.flat();
  if (all.length > 0) throw new ValidationError(all);
}
