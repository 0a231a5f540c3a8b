import { yieldingBatches } from '../platform/timeSlices.js';
import { maxMarkedText, type Cue } from './cue.js';

/*
 * How many cues a player may have to show at one time. A few lines are usual; subtitles with effects have a cue for each syllable. Each
 * cue counts for a second at least, so that this also limits how many a part of half a minute has.
 */

export const maxCuesAtOnce = 50;
/** With markup, of all cues that are shown at one time. */
const maxTextAtOnce = 4 * maxMarkedText;
const minCountedMs = 1_000;

/** So many cues are looked at before other work of the process gets its turn. */
const sliceCues = 5_000;

export interface DividedCues {
  readonly shown: readonly Cue[];
  readonly crowded: readonly Cue[];
}

/**
 * Divides cues, in the order of their starts, into those that can be shown, and those for which too many others are shown. Other work of
 * the process runs in between.
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
