/*
 * The bandwidth that the first quality of a playback is chosen by, in bits per second. Pure functions: no clock, no page, no storage.
 */

/** An older estimate may be that of another line. */
const keptMilliseconds = 7 * 86_400_000;
/** The time of a smaller file says more about the server than about the line. */
const measurableBytes = 50_000;
/** If nothing is known. */
const defaultEstimate = 3_000_000;
const [lowestEstimate, highestEstimate] = [100_000, 1_000_000_000];
/** A segment of four seconds is then loaded in two. */
const bandwidthFactor = 0.5;

/** The text that the browser keeps of a playback: its estimate in bits per second, and its time in milliseconds since 1970. */
export function keptForm(estimate, at) {
  return `${Math.round(estimate)} ${Math.round(at)}`;
}

/** The estimate in a kept text; null: it is too old, or the text is none of `keptForm`. */
function estimateIn(text, now) {
  const [, estimate, at] = /^(\d{1,12}) (\d{1,15})$/.exec(text ?? '') ?? [];
  const age = now - Number(at);
  return age >= 0 && age <= keptMilliseconds ? Number(estimate) : null;
}

/** How fast a file was loaded; null: it came from a cache, is too small, or its server does not permit to read its size. */
function measuredBy({ transferSize = 0, responseStart = 0, responseEnd = 0 } = {}) {
  const seconds = (responseEnd - responseStart) / 1000;
  return transferSize >= measurableBytes && responseStart > 0 && seconds > 0 ? (transferSize * 8) / seconds : null;
}

/** What the browser says of a line that is slower than 4G. It says 4G of faster ones too, and its number for them is often too low. */
function saidBy({ effectiveType = '4g', downlink = 0 } = {}) {
  return effectiveType !== '4g' && downlink > 0 ? downlink * 1_000_000 : null;
}

/**
 * The lowest of the estimate of the last playback (`kept`), of how fast a file of the page was loaded (an entry of the resource timing), and of
 * what the browser says of a slow line (`navigator.connection`): the line may be another one than that of the last playback.
 */
export function firstEstimate({ kept, now, file, connection }) {
  const known = [estimateIn(kept, now), measuredBy(file), saidBy(connection)].filter((estimate) => estimate !== null);
  const lowest = known.length > 0 ? Math.min(...known) : defaultEstimate;
  return Math.min(highestEstimate, Math.max(lowestEstimate, lowest));
}

/** Whether a file came from the cache of the browser: its time says nothing about the line. */
export function isFromCache({ transferSize, responseStart } = {}) {
  return transferSize === 0 && responseStart > 0;
}

/** The index of the level to begin with. `levels` are those of hls.js up to the largest one that the player can show, by bit rate. */
export function firstLevelOf(levels, estimate) {
  return Math.max(
    0,
    levels.findLastIndex(({ bitrate }) => bitrate <= estimate * bandwidthFactor),
  );
}

/**
 * How fast a file is being loaded, and how long its rest will take. `stats` are those of hls.js, whose `total` is zero until the response has begun
 * and where it does not say its length.
 */
export function progressOf({ loaded, total, loading }, { now, expectedBytes }) {
  const rate = loaded / (now - loading.start);
  const missingBytes = Math.max(0, (total || expectedBytes) - loaded);
  return {
    estimate: Math.max(lowestEstimate, rate * 8000),
    missingMilliseconds: rate > 0 ? missingBytes / rate : Infinity,
  };
}
