import type { TimeZone } from '../../platform/formats/timeZone.js';
import { yieldingBatches } from '../../platform/timeSlices.js';
import { byDay, sameTimeOn, startsIn, type Day } from './day.js';
import { lengthOf, matchKey, newDraft, sourceOf, type Draft } from './draft.js';
import type { Program } from './program.queries.js';

/** Programs that are compared between two turns of the event loop. */
const programsPerBatch = 1_000;

/**
 * The programs of `copiedDays` on some days: the copied days repeat. A copy that starts and plays as a stored program does
 * replaces it under its id.
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
 * The programs of a day at the same local times of another day. Where clocks change in one of them, a program ends at the start
 * of the next one at the latest, and one for which no time is left is not copied.
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
