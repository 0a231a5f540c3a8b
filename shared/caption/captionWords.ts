import { yieldToEventLoop, TimeSlices } from '../platform/timeSlices.js';
import { tokenize } from '../platform/search/index.js';
import type { Cue } from './cue.js';
import { plainCueText } from './cueText.js';

/** The index group of captions. Its weight is below those of title, description and publisher. */
export const captionGroup = { fields: ['captionWords'], weight: 0.3 } as const;

/** Maximum length for one caption, in UTF-16 code units. The distinct words of a three-hour film have about 30,000. */
const maxCaptionWords = 60_000;

/**
 * Maximum characters for all captions of a content. Together with the separators of 40 captions, they stay within the limit of
 * a document's long text.
 */
export const maxWordsOfContent = 99_900;

/** Text to process before yielding to the event loop. */
const unitsPerSlice = 32 * 1024;

/** The distinct words of cues in their order: the searchable text. */
export async function captionWordsOf(cues: readonly Cue[]): Promise<string> {
  const words = new Set<string>();
  let length = 0;
  const slices = new TimeSlices(unitsPerSlice);
  for (const { text } of cues) {
    if (slices.isDue(text.length)) await yieldToEventLoop();
    for (const word of tokenize(plainCueText(text))) {
      if (words.has(word)) continue;
      length += word.length + 1;
      if (length > maxCaptionWords) return [...words].join(' ');
      words.add(word);
    }
  }
  return [...words].join(' ');
}
