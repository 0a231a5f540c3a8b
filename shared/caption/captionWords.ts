import { yieldToEventLoop, TimeSlices } from '../platform/timeSlices.js';
import { tokenize } from '../platform/search/index.js';
import type { Cue } from './cue.js';
import { plainCueText } from './cueText.js';

/** The group of captions in the indexes of items with a content: below title, description and publisher in weight. */
export const captionGroup = { fields: ['captionWords'], weight: 0.3 } as const;

/** In UTF-16 code units. The words of a film of three hours are about 30,000. */
const maxCaptionWords = 60_000;

/** Of all captions of a content together, of which there may be 40: with the spaces between them no more than a long text of a document. */
export const maxWordsOfContent = 99_900;

/** So much text is read before other work of the process gets its turn. */
const unitsPerSlice = 32 * 1024;

/** Every word of some cues once, in the order in which they are said: what a search finds of them. */
export async function captionWordsOf(cues: readonly Cue[]): Promise<string> {
  const words = new Set<string>();
  let length = 0;
  const turns = new TimeSlices(unitsPerSlice);
  for (const { text } of cues) {
    if (turns.isDue(text.length)) await yieldToEventLoop();
    for (const word of tokenize(plainCueText(text))) {
      if (words.has(word)) continue;
      length += word.length + 1;
      if (length > maxCaptionWords) return [...words].join(' ');
      words.add(word);
    }
  }
  return [...words].join(' ');
}
