import { byDay, type Day } from './day.js';
import { breakSource, byStart, storedDraft, lengthOf, newDraft, type Draft, type Times } from './draft.js';
import { maxProgramMs, type Program } from './program.queries.js';

/*
 * Pure functions on the list of a day's programs: `docs/contract.md#choices-cast`. Programs are in order of time and do not
 * overlap. A change of the list moves the later programs and keeps the times of the earlier ones.
 */

/** The same program, moved by a time. */
function shifted<Timed extends Times>(program: Timed, milliseconds: number): Timed {
  if (milliseconds === 0) return program;
  return {
    ...program,
    startsAt: new Date(program.startsAt.getTime() + milliseconds),
    endsAt: new Date(program.endsAt.getTime() + milliseconds),
  };
}

/** The same program with another start. */
function startingAt<Timed extends Times>(program: Timed, startsAt: Date): Timed {
  return shifted(program, startsAt.getTime() - program.startsAt.getTime());
}

/**
 * Inserts programs before the program at `index`, which moves with all later ones. If `index` is the number of programs, they
 * are appended and start at `last`.
 */
export function programsWithInserted<Timed extends Times>(
  programs: readonly Timed[],
  index: number,
  added: readonly Timed[],
  last: Date,
): Timed[] {
  let time = programs[index]?.startsAt ?? last;
  const placed = added.map((program) => {
    const one = startingAt(program, time);
    time = one.endsAt;
    return one;
  });
  const total = added.reduce((sum, program) => sum + lengthOf(program), 0);
  const later = programs.slice(index).map((program) => shifted(program, total));
  return [...programs.slice(0, index), ...placed, ...later];
}

/** Removes `count` programs from `index`. The later ones move forward by the duration of the removed ones. */
export function programsWithRemoved<Timed extends Times>(
  programs: readonly Timed[],
  index: number,
  count: number,
): Timed[] {
  const total = programs.slice(index, index + count).reduce((sum, program) => sum + lengthOf(program), 0);
  const later = programs.slice(index + count).map((program) => shifted(program, -total));
  return [...programs.slice(0, index), ...later];
}

/** Moves the program at `fromIndex` before the one at `toIndex`. Both indexes count before the move. */
export function programsWithMoved<Timed extends Times>(
  programs: readonly Timed[],
  fromIndex: number,
  toIndex: number,
): Timed[] {
  const program = programs[fromIndex];
  if (!program || toIndex === fromIndex || toIndex === fromIndex + 1) return [...programs];
  const rest = programsWithRemoved(programs, fromIndex, 1);
  const target = toIndex > fromIndex ? toIndex - 1 : toIndex;
  return programsWithInserted(rest, target, [program], rest.at(-1)?.endsAt ?? program.startsAt);
}

/** The gaps between programs, split so that none is longer than `maxMs`. */
export function gapsIn(programs: readonly Times[], maxMs: number): Times[] {
  return programs.slice(1).flatMap(({ startsAt: until }, index) => {
    const gaps: Times[] = [];
    let from = programs[index]?.endsAt ?? until;
    while (from < until) {
      const endsAt = new Date(Math.min(until.getTime(), from.getTime() + maxMs));
      gaps.push({ startsAt: from, endsAt });
      from = endsAt;
    }
    return gaps;
  });
}

/**
 * Adds a break in each gap between two programs of a day (`docs/contract.md#choices-cast`). Programs are in order of time. A
 * stored break that starts at the same time is kept, with its title.
 */
export function withBreaks(
  drafts: readonly Draft[],
  days: readonly Day[],
  stored: readonly Program[],
  title: string,
): Draft[] {
  const draftIds = new Set(drafts.map(({ id }) => id));
  const breaks = stored.filter(({ id, type }) => type === 'BREAK' && !draftIds.has(id));
  const storedAt = new Map(breaks.map((program) => [program.startsAt.getTime(), program]));
  const field = 'programs';
  const added = byDay(days, drafts).flatMap(({ programs }) =>
    gapsIn(programs, maxProgramMs).map((gap) => {
      const present = storedAt.get(gap.startsAt.getTime());
      if (present) return { ...storedDraft(present, field), ...gap };
      const described = { title, description: null, thumbnailId: null, tags: [] };
      return newDraft({ ...gap, ...breakSource, ...described, field });
    }),
  );
  return [...drafts, ...added].toSorted(byStart);
}
