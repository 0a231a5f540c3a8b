import { yieldingBatches } from '../platform/timeSlices.js';
import { maxMarkedText, type Cue } from './cue.js';

/*
 * The limit of cues shown at the same time. A few lines are usual; subtitles with effects have a cue for each syllable.
 * Each cue counts for at least a second, so that the limit also bounds the number of cues in a part of half a minute.
 */

export const maxCuesAtOnce = 50;
/** Text with markup of all cues shown at the same time. */
const maxTextAtOnce = 4 * maxMarkedText;
const minCountedMs = 1_000;

/** Cues to process before yielding to the event loop. */
const sliceCues = 5_000;

export interface DividedCues {
  readonly shown: readonly Cue[];
  readonly crowded: readonly Cue[];
}

/**
 * Divides cues, ordered by start, into those that are shown and those that exceed the limit (`crowded`). Yields to the
 * event loop between slices.
 */
export async function divideCrowded(cues: readonly Cue[]): Promise<DividedCues> {
  const [shown, crowded]: [Cue[], Cue[]] = [[], []];
  let open: { readonly untilMs: number; readonly length: number }[] = [];
  let openLength = 0;
  let firstEndMs = Number.POSITIVE_INFINITY;
  const take = (cue: Cue): void => {
    if (firstEndMs <= cue.startMs) {
      open = open.filter(({ untilMs }) => untilMs > cue.startMs);
      openLength = open.reduce((sum, { length }) => sum + length, 0);
      firstEndMs = Math.min(...open.map(({ untilMs }) => untilMs));
    }
    const { length } = cue.text;
    if (open.length >= maxCuesAtOnce || openLength + length > maxTextAtOnce) return void crowded.push(cue);
    const untilMs = Math.max(cue.endMs, cue.startMs + minCountedMs);
    shown.push(cue);
    open.push({ untilMs, length });
    openLength += length;
    firstEndMs = Math.min(firstEndMs, untilMs);
  };
  for await (const slice of yieldingBatches(cues, sliceCues)) slice.forEach(take);
  return { shown, crowded };
}
