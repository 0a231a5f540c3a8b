import type { CastProgram } from '../../../shared/cast/cast.model.js';
import type { Airing } from '../../../shared/cast/playout/index.js';

/** Without a stored cut, a program ends with the nearest segment of 4 s. */
const toleranceMs = 2_100;

/** The guide's current program at a time, in milliseconds since 1970. */
export interface Answer {
  readonly time: number;
  /** Id of the program in the JSON guide, or null. */
  readonly programId: string | null;
}

/** The airing at a time, or null before any decision. */
export function playedAt(airings: readonly Airing[], time: number): Airing | null {
  const length = ({ durations }: Airing): number => durations.reduce((sum, duration) => sum + duration, 0);
  return (
    airings.find((airing) => airing.startsAt <= time * 1000 && time * 1000 < airing.startsAt + length(airing)) ?? null
  );
}

/** Whether the guide agrees with the airing. The guide also lists a live program without an encoder, as in this test. */
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
