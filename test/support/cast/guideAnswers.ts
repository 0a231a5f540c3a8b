import type { CastProgram } from '../../../shared/cast/cast.model.js';
import type { Part } from '../../../shared/cast/playout/part.js';

/** Where no cut is stored, a program ends with the nearest segment of 4 s. */
const toleranceMs = 2_100;

/** What the guide said at a time, in milliseconds since 1970. */
export interface Answer {
  readonly time: number;
  /** Id of the program in the JSON guide; null: none. */
  readonly programId: string | null;
}

/** What is played at a time; null: nothing was decided. */
export function playedAt(parts: readonly Part[], time: number): Part | null {
  const length = ({ durations }: Part): number => durations.reduce((sum, duration) => sum + duration, 0);
  return parts.find((part) => part.startsAt <= time * 1000 && time * 1000 < part.startsAt + length(part)) ?? null;
}

/** Whether the guide lists what is played. It lists a live program also without an encoder, as in this test. */
export function agrees({ programId }: Answer, part: Part | null, programs: readonly CastProgram[]): boolean {
  if (!part) return false;
  if (programId === null) return part.source.kind === 'SLATE';
  const isLive = programs.find(({ id }) => id === programId)?.type === 'LIVE';
  return part.programId === programId && (isLive || part.source.kind !== 'SLATE');
}

export function isNearBoundary(programs: readonly CastProgram[], time: number): boolean {
  return programs.some(({ startsAt, endsAt }) =>
    [startsAt, endsAt].some((boundary) => Math.abs(boundary.getTime() - time) <= toleranceMs),
  );
}
