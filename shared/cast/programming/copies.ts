import type { TimeZone } from '../../platform/formats/timeZone.js';
import { yieldingBatches } from '../../platform/timeSlices.js';
import { byDay, sameTimeOn, startsIn, type Day } from './day.js';
import { lengthOf, matchKey, newDraft, sourceOf, type Draft } from './draft.js';
import type { Program } from './program.queries.js';

/** Programs that are compared before the function yields to the event loop. */
const programsPerBatch = 1_000;

/**
 * Copies the programs of `copiedDays`, repeatedly, to `days`. A copy with the start and source of a stored program replaces
 * it and keeps its id.
 */
export async function copiesOf(
  {
    zone,
    days,
    programs,
    copied,
  }: {
    readonly zone: TimeZone;
    readonly days: readonly Day[];
    readonly programs: readonly Program[];
    readonly copied: readonly Program[];
  },
  copiedDays: readonly Day[],
): Promise<Draft[]> {
  const stored = new Map<string, Program>();
  for await (const part of yieldingBatches(programs, programsPerBatch))
    for (const program of part) stored.set(matchKey(program), program);
  const sources = byDay(copiedDays, copied);
  const copies: Draft[] = [];
  for await (const [target] of yieldingBatches([...days.entries()], 1)) {
    if (!target) break;
    const [index, day] = target;
    const source = sources[index % sources.length];
    if (!source) continue;
    for (const copy of copiesOn(zone, source, day, `dailyProgrammings[${index}]`)) {
      const present = stored.get(matchKey(copy));
      copies.push(present ? { ...copy, id: present.id, failureKey: present.failureKey } : copy);
    }
  }
  return copies;
}

/**
 * Copies the programs of a day to the same local times of another day. If the UTC offset changes in one of the days, a program
 * ends at the latest when the next one starts, and a program without remaining time is not copied.
 */
export function copiesOn(
  zone: TimeZone,
  { day, programs }: { readonly day: Day; readonly programs: readonly Program[] },
  target: Day,
  field: string,
): Draft[] {
  const starts = programs.map(({ startsAt }) => sameTimeOn(zone, startsAt, day, target));
  return programs.flatMap((program, index) => {
    const [startsAt, next] = [starts[index], starts[index + 1]];
    if (!startsAt || !startsIn(target, startsAt)) return [];
    const end = startsAt.getTime() + lengthOf(program);
    const endsAt = new Date(next ? Math.min(end, next.getTime()) : end);
    if (endsAt <= startsAt) return [];
    const { title, description, thumbnailId, tags } = program;
    return newDraft({
      ...{ startsAt, endsAt, ...sourceOf(program), title, description, thumbnailId, tags },
      field: `${field}.programs[${index}]`,
    });
  });
}
