/*
 * The bandwidth of the last playback in this browser: the next one begins in the quality that its line permits. What is kept is one number
 * with its time, and nothing about what was played.
 */
import { Hls } from 'hls.js';
import { firstEstimate, firstLevelOf, isFromCache, keptForm } from './bandwidthEstimate.js';
import { keepText, keptText } from './storage.js';

const key = 'bandwidth';
const timingOf = (address) => performance.getEntriesByName(address).at(-1);

/** For `abrEwmaDefaultEstimate` of hls.js. A viewer who comes for the first time has loaded the script of this page. */
export function bandwidthAtStart() {
  const { connection } = navigator;
  return firstEstimate({ kept: keptText(key), now: Date.now(), file: timingOf(import.meta.url), connection });
}

/** Parts of live segments are too small to measure a line by them. */
export function rememberBandwidth(hls) {
  hls.on(Hls.Events.FRAG_BUFFERED, (_event, { frag, part }) => {
    if (frag.type !== 'main' || frag.sn === 'initSegment' || part || isFromCache(timingOf(frag.url))) return;
    keepText(key, keptForm(hls.bandwidthEstimate, Date.now()));
  });
}

/** The level to begin with, unless the viewer has selected one. */
export function startLevelOf(hls) {
  return firstLevelOf(hls.levels.slice(0, hls.maxAutoLevel + 1), hls.bandwidthEstimate);
}
