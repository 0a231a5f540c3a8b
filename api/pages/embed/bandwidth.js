/*
 * The bandwidth of the last playback in this browser: the next one begins in the quality that its line permits. What is kept is one number
 * with its time, and nothing about what was played.
 */
import { Hls } from 'hls.js';
import { firstEstimate, firstLevelOf, isFromCache, keptForm } from './bandwidthEstimate.js';
import { keepText, keptText } from './storage.js';

const key = 'bandwidth';
/** A first segment that takes longer than this is given up if a smaller one comes earlier. */
const patienceMilliseconds = 2000;
const timingOf = (address) => performance.getEntriesByName(address).at(-1);

/** For `abrEwmaDefaultEstimate` of hls.js. A viewer who comes for the first time has loaded the script of this page. */
export function bandwidthAtStart() {
  return firstEstimate({ kept: keptText(key), now: Date.now(), file: timingOf(import.meta.url) });
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

const hasPicture = (hls) => hls.media?.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA;

/**
 * hls.js gives up a segment that is loaded too slowly only when it has a buffer. The first one of a viewer whose line has become slower since the
 * last playback would take a long time: `restart` is called when a smaller one comes earlier.
 */
export function giveUpSlowStart(hls, restart) {
  hls.on(Hls.Events.FRAG_LOADING, (_event, { frag, part }) => {
    if (frag.type !== 'main' || frag.sn === 'initSegment' || part || frag.level === 0 || hasPicture(hls)) return;
    setTimeout(() => {
      const { stats } = frag;
      if (!hls.autoLevelEnabled || hasPicture(hls) || stats.aborted || stats.loading.end > 0) return;
      const rate = (stats.loaded * 8000) / (performance.now() - stats.loading.start);
      const missingBits = hls.levels[frag.level].bitrate * frag.duration - stats.loaded * 8;
      const level = firstLevelOf(hls.levels, rate);
      if (level >= frag.level || missingBits < hls.levels[level].bitrate * frag.duration) return;
      hls.bandwidthEstimate = rate;
      hls.stopLoad();
      restart();
    }, patienceMilliseconds);
  });
}
