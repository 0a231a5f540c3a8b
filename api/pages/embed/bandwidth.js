/*
 * The bandwidth of the last playback in this browser: the next one begins in the quality that it permits. The browser keeps one number
 * and its time, and nothing about the video.
 */
import { Hls } from 'hls.js';
import { firstEstimate, firstLevelOf, isFromCache, keptForm, progressOf } from './bandwidthEstimate.js';
import { keepText, keptText } from './storage.js';

const key = 'bandwidth';
/** How long the first segment may take before it is looked at. */
const patienceMilliseconds = 2500;
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

/**
 * hls.js gives up a segment that is loaded too slowly only when something is buffered. The first one of a viewer whose line has become slower since
 * the last playback would take a long time: `restart` is called with the level to load instead.
 */
export function giveUpSlowStart(hls, restart) {
  hls.on(Hls.Events.FRAG_LOADING, (_event, { frag, part }) => {
    if (frag.type !== 'main' || frag.sn === 'initSegment' || part) return;
    setTimeout(() => giveUp(hls, frag, restart), patienceMilliseconds);
  });
}

/** hls.js replaces `stats` when it sends the request. */
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
