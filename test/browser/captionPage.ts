import { expect } from 'chai';
import type { Page } from 'playwright-core';

const cueCount = 14;
/** One cue of a second every three seconds, also across the joins between parts. */
const cueAt = (number: number): readonly [start: number, end: number] => [number * 3 + 1.2, number * 3 + 2.2];
const time = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(11, 23);
/** A WebVTT file with one word per cue. */
export const captionFile = (word: string): string =>
  [
    'WEBVTT\n',
    ...Array.from({ length: cueCount }, (_, number) => {
      const [start, end] = cueAt(number);
      return `${time(start)} --> ${time(end)}\n${word} ${number}\n`;
    }),
  ].join('\n');

/** Evaluated in the page: records the video time at which cues are first seen, and the last time at which they were not. */
export const watchCaptions = `(() => {
  const video = document.querySelector('video');
  window.seen = [];
  let before = '';
  let lookedAt = video.currentTime;
  const look = () => {
    const tracks = [...video.textTracks].filter(({ kind, mode }) => kind !== 'metadata' && kind !== 'chapters' && mode === 'showing');
    const cues = tracks.flatMap(({ activeCues }) => [...(activeCues ?? [])]);
    const now = cues.map(({ text }) => text).join();
    const at = video.currentTime;
    if (now !== before) window.seen.push({ text: now, at, notAt: lookedAt, startTime: cues[0]?.startTime });
    before = now;
    lookedAt = at;
    setTimeout(look, 10);
  };
  look();
})()`;

export async function chooseCaptions(page: Page, label: string): Promise<void> {
  await page.getByRole('button', { name: 'Captions' }).click();
  await page.getByRole('menuitemradio', { name: label, exact: true }).click();
}

/**
 * The delay in seconds of each cue of `captionFile` after `from`, as recorded by `watchCaptions`. Each cue must have the time
 * of the file. On a busy machine, observations are far apart: a cue that was due between two observations counts as
 * punctual.
 */
export async function latenessOfCues(page: Page, from: number): Promise<readonly number[]> {
  const seen =
    await page.evaluate<
      { readonly text: string; readonly at: number; readonly notAt: number; readonly startTime: number }[]
    >('window.seen');
  return seen
    .filter(({ text, at }) => text !== '' && at > from)
    .map(({ text, at, notAt, startTime }) => {
      const [start] = cueAt(Number(text.split(' ')[1]));
      expect(startTime, text).to.be.closeTo(start, 0.05);
      return at < start ? at - start : Math.max(0, notAt - start);
    });
}
