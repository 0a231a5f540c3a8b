/*
 * The bandwidth of the last playback in this browser decides the first quality of the next one. The browser stores only this number
 * and its time, and no data about the video.
 */
import { Hls } from 'hls.js';
import { firstEstimate, firstLevelOf, isFromCache, storedForm, progressOf } from './bandwidthEstimate.js';
import { storeText, storedText } from './storage.js';

const key = 'bandwidth';
/** Time after which the progress of the first segment is checked. */
const patienceMilliseconds = 2500;
const timingOf = (address) => performance.getEntriesByName(address).at(-1);

/** For `abrEwmaDefaultEstimate` of hls.js. On the first visit, the download of this script is measured. */
export function bandwidthAtStart() {
  const { connection } = navigator;
  return firstEstimate({ stored: storedText(key), now: Date.now(), file: timingOf(import.meta.url), connection });
}

/** Stores the estimate after each segment. Parts of live segments are too small for a measurement. */
export function rememberBandwidth(hls) {
  hls.on(Hls.Events.FRAG_BUFFERED, (_event, { frag, part }) => {
    if (frag.type !== 'main' || frag.sn === 'initSegment' || part || isFromCache(timingOf(frag.url))) return;
    storeText(key, storedForm(hls.bandwidthEstimate, Date.now()));
  });
}

/** The first level, unless the viewer has selected one. */
export function startLevelOf(hls) {
  return firstLevelOf(hls.levels.slice(0, hls.maxAutoLevel + 1), hls.bandwidthEstimate);
}

/**
 * Calls `restart` with a lower level if the first segment loads too slowly, because the connection has become slower since the last
 * playback. hls.js itself aborts slow segments only after media were buffered.
 */
export function giveUpSlowStart(hls, restart) {
  hls.on(Hls.Events.FRAG_LOADING, (_event, { frag, part }) => {
    if (frag.type !== 'main' || frag.sn === 'initSegment' || part) return;
    setTimeout(() => giveUp(hls, frag, restart), patienceMilliseconds);
  });
}

/** Reads `stats` from `frag` at this time, because hls.js replaces it when it sends the request. */
function giveUp(hls, { level, stats, duration }, restart) {
  const isFirst = hls.media?.readyState === HTMLMediaElement.HAVE_NOTHING;
  const hasLower = hls.autoLevelEnabled && level > hls.minAutoLevel;
  if (!isFirst || !hasLower || stats.aborted || stats.loading.end > 0) return;
  const expectedBytes = (hls.levels[level].bitrate * duration) / 8;
  const { estimate, missingMilliseconds } = progressOf(stats, { now: performance.now(), expectedBytes });
  if (missingMilliseconds < patienceMilliseconds) return;
  const lower = firstLevelOf(hls.levels.slice(0, level), estimate);
  if ((hls.levels[lower].bitrate * duration * 1000) / estimate > missingMilliseconds) return;
  hls.bandwidthEstimate = estimate;
  restart(lower);
}
