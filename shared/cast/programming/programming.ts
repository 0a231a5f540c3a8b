/*
 * The programs of a day as a list, without database and clock: `docs/contract.md#choices-cast`. Programs are in order of time
 * and do not overlap. A change of the list moves the later programs, and leaves the earlier ones where they are.
 */

export interface Times {
  readonly startsAt: Date;
  readonly endsAt: Date;
}

export function lengthOf({ startsAt, endsAt }: Times): number {
  return endsAt.getTime() - startsAt.getTime();
}

/** The same program at another time. */
function shifted<Program extends Times>(program: Program, milliseconds: number): Program {
  if (milliseconds === 0) return program;
  return {
    ...program,
    startsAt: new Date(program.startsAt.getTime() + milliseconds),
    endsAt: new Date(program.endsAt.getTime() + milliseconds),
  };
}

/** The same program from another start on. */
function startingAt<Program extends Times>(program: Program, startsAt: Date): Program {
  return shifted(program, startsAt.getTime() - program.startsAt.getTime());
}

/**
 * Puts programs before the program at `index`, which moves with all later ones; `index` = number of programs puts them last.
 * `last`: when programs start that are put last.
 */
export function programsWithInserted<Program extends Times>(
  programs: readonly Program[],
  index: number,
  added: readonly Program[],
  last: Date,
): Program[] {
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

/** Takes `count` programs from `index` on out. The later ones move forward by the time that these took. */
export function programsWithRemoved<Program extends Times>(
  programs: readonly Program[],
  index: number,
  count: number,
): Program[] {
  const total = programs.slice(index, index + count).reduce((sum, program) => sum + lengthOf(program), 0);
  const later = programs.slice(index + count).map((program) => shifted(program, -total));
  return [...programs.slice(0, index), ...later];
}

/** Puts the program at `fromIndex` before the one at `toIndex`; both count before the move. */
export function programsWithMoved<Program extends Times>(
  programs: readonly Program[],
  fromIndex: number,
  toIndex: number,
): Program[] {
  const program = programs[fromIndex];
  if (!program || toIndex === fromIndex || toIndex === fromIndex + 1) return [...programs];
  const rest = programsWithRemoved(programs, fromIndex, 1);
  const target = toIndex > fromIndex ? toIndex - 1 : toIndex;
  return programsWithInserted(rest, target, [program], rest.at(-1)?.endsAt ?? program.startsAt);
}

/** The times between programs at which nothing runs, none longer than `longestMs`. */
export function gapsIn(programs: readonly Times[], longestMs: number): Times[] {
  return programs.slice(1).flatMap(({ startsAt: until }, index) => {
    const gaps: Times[] = [];
    let from = programs[index]?.endsAt ?? until;
    while (from < until) {
      const endsAt = new Date(Math.min(until.getTime(), from.getTime() + longestMs));
      gaps.push({ startsAt: from, endsAt });
      from = endsAt;
    }
    return gaps;
  });
}

export function byStart(one: Times, other: Times): number {
  return one.startsAt.getTime() - other.startsAt.getTime();
}
