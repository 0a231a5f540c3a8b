import { longestMarkedText, type Cue } from './cue.js';

/*
 * How many cues a player may have to show at one time. A few lines are usual; subtitles with effects have a cue for each syllable. Each
 * cue counts for a second at least, so that this also limits how many a part of half a minute has.
 */

export const maxCuesAtOnce = 50;
/** With markup, of all cues that are shown at one time. */
const maxTextAtOnce = 4 * longestMarkedText;
const minCountedMs = 1_000;

/** Divides cues, in the order of their starts, into those that can be shown, and those for which too many others are shown. */
export function divideCrowded(cues: readonly Cue[]): {
  readonly shown: readonly Cue[];
  readonly crowded: readonly Cue[];
} {
  const [shown, crowded]: [Cue[], Cue[]] = [[], []];
  let open: { readonly untilMs: number; readonly length: number }[] = [];
  for (const cue of cues) {
    open = open.filter(({ untilMs }) => untilMs > cue.startMs);
    const length = open.reduce((sum, one) => sum + one.length, cue.text.length);
    if (open.length >= maxCuesAtOnce || length > maxTextAtOnce) crowded.push(cue);
    else {
      shown.push(cue);
      open.push({ untilMs: Math.max(cue.endMs, cue.startMs + minCountedMs), length: cue.text.length });
    }
  }
  return { shown, crowded };
}
