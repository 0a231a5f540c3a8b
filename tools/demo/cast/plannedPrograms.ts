import type { BoxItem } from '../../../client/index.js';

/** A clip that can be programmed. */
export type ProgrammableClip = Pick<BoxItem, 'boxId' | 'title' | 'duration'>;

/** A program that the demo adds to a channel. Times are milliseconds since 1970. */
export interface PlannedProgram {
  readonly startsAt: number;
  readonly endsAt: number;
  readonly programType: 'PRERECORDED' | 'BREAK';
  readonly title: string;
  readonly sourceId?: string;
  /** Seconds. */
  readonly offset?: number;
}

/** The repeated sequence of programs: index of the clip, `null` for a break; seconds. */
const sequence: readonly { readonly clip: number | null; readonly seconds: number; readonly offset?: number }[] = [
  { clip: 0, seconds: 24 },
  { clip: 1, seconds: 40 },
  { clip: null, seconds: 16 },
  { clip: 2, seconds: 30 },
  { clip: 1, seconds: 25, offset: 15 },
];
const maxPrograms = 60;

/** Programs from one time until another; the last one may end later. No program is longer than the rest of its clip. */
export function plannedPrograms(clips: readonly ProgrammableClip[], from: number, until: number): PlannedProgram[] {
  const programs: PlannedProgram[] = [];
  let startsAt = from;
  while (startsAt < until && programs.length < maxPrograms) {
    for (const { clip, seconds, offset = 0 } of sequence) {
      const item = clip === null ? undefined : clips[clip];
      const length = item ? Math.min(seconds, secondsOf(item) - offset) : seconds;
      if (length < 1 || startsAt >= until) continue;
      const endsAt = startsAt + length * 1000;
      programs.push(item ? { startsAt, endsAt, ...shown(item, offset) } : { startsAt, endsAt, ...pause });
      startsAt = endsAt;
    }
  }
  return programs;
}

const pause = { programType: 'BREAK', title: 'Break' } as const;

function shown({ boxId, title }: ProgrammableClip, offset: number): Omit<PlannedProgram, 'startsAt' | 'endsAt'> {
  const programType = 'PRERECORDED';
  if (offset === 0) return { programType, title, sourceId: boxId };
  return { programType, title: `${title}, from second ${offset}`, sourceId: boxId, offset };
}

/** `duration` is minutes and seconds: `1:05`. */
function secondsOf({ duration = '0:00' }: ProgrammableClip): number {
  const [minutes = 0, seconds = 0] = duration.split(':').map(Number);
  return minutes * 60 + seconds;
}
