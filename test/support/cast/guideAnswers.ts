import type { CastProgram } from '../../../shared/cast/cast.model.js';
import type { Airing } from '../../../shared/cast/playout/index.js';

/** Where no cut is stored, a program ends with the nearest segment of 4 s. */
const toleranceMs = 2_100;

/** What the guide said at a time, in milliseconds since 1970. */
export interface Answer {
  readonly time: number;
  /** Id of the program in the JSON guide; null: none. */
  readonly programId: string | null;
}

/** What is played at a time; null: nothing was decided. */
export function playedAt(airings: readonly Airing[], time: number): Airing | null {
  const length = ({ durations }: Airing): number => durations.reduce((sum, duration) => sum + duration, 0);
  return (
    airings.find((airing) => airing.startsAt <= time * 1000 && time * 1000 < airing.startsAt + length(airing)) ?? null
  );
}

/** Whether the guide lists what is played. It lists a live program also without an encoder, as in this test. */
export function agrees({ programId }: Answer, airing: Airing | null, programs: readonly CastProgram[]): boolean {
  if (!airing) return false;
  if (programId === null) return airing.source.kind === 'SLATE';
  const isLive = programs.find(({ id }) => id === programId)?.type === 'LIVE';
  return airing.programId === programId && (isLive || airing.source.kind !== 'SLATE');
}

export function isNearBoundary(programs: readonly CastProgram[], time: number): boolean {
  return programs.some(({ startsAt, endsAt }) =>
    [startsAt, endsAt].some((boundary) => Math.abs(boundary.getTime() - time) <= toleranceMs),
  );
}
