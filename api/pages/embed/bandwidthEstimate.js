/*
 * The bandwidth, in bits per second, that decides the first quality of a playback. Pure functions: no clock, no page, no storage.
 */

/** Older estimates may be from another network. */
const maxAgeMilliseconds = 7 * 86_400_000;
/** The time of smaller files depends more on the server than on the bandwidth. */
const measurableBytes = 50_000;
/** Used without a measurement. */
const defaultEstimate = 3_000_000;
const [lowestEstimate, highestEstimate] = [100_000, 1_000_000_000];
/** A segment of four seconds is loaded in two seconds. */
const bandwidthFactor = 0.5;

/** The text that the browser stores: the estimate in bits per second, and its time in milliseconds since 1970. */
export function storedForm(estimate, at) {
  return `${Math.round(estimate)} ${Math.round(at)}`;
}

/** The estimate in a stored text; null if it is too old, or the text is malformed. */
function estimateIn(text, now) {
  const [, estimate, at] = /^(\d{1,12}) (\d{1,15})$/.exec(text ?? '') ?? [];
  const age = now - Number(at);
  return age >= 0 && age <= maxAgeMilliseconds ? Number(estimate) : null;
}

/** Speed of a file's download; null if it is from a cache, is too small, or its server hides its size. */
function measuredBy({ transferSize = 0, responseStart = 0, responseEnd = 0 } = {}) {
  const seconds = (responseEnd - responseStart) / 1000;
  return transferSize >= measurableBytes && responseStart > 0 && seconds > 0 ? (transferSize * 8) / seconds : null;
}

/**
 * The browser's estimate of a connection slower than 4G. It reports 4G for all faster ones, often with a number that is too low.
 */
function reportedBy({ effectiveType = '4g', downlink = 0 } = {}) {
  return effectiveType !== '4g' && downlink > 0 ? downlink * 1_000_000 : null;
}

/**
 * The minimum of three estimates: the last playback (`stored`), the download of a file of the page (a resource timing entry), and the
 * browser's report of a slow connection (`navigator.connection`). The network may have changed since the last playback.
 */
export function firstEstimate({ stored, now, file, connection }) {
  const known = [estimateIn(stored, now), measuredBy(file), reportedBy(connection)].filter(
    (estimate) => estimate !== null,
  );
  const lowest = known.length > 0 ? Math.min(...known) : defaultEstimate;
  return Math.min(highestEstimate, Math.max(lowestEstimate, lowest));
}

/** Whether a file is from the browser's cache, so that its time does not measure the connection. */
export function isFromCache({ transferSize, responseStart } = {}) {
  return transferSize === 0 && responseStart > 0;
}

/** The index of the first level. `levels`: the levels of hls.js, by bit rate, up to the largest that the player can show. */
export function firstLevelOf(levels, estimate) {
  return Math.max(
    0,
    levels.findLastIndex(({ bitrate }) => bitrate <= estimate * bandwidthFactor),
  );
}

/**
 * The speed of a running download, and the time until its end. `stats`: the statistics of hls.js, whose `total` is zero until the
 * response has started, and also without a `Content-Length`.
 */
export function progressOf({ loaded, total, loading }, { now, expectedBytes }) {
  const rate = loaded / (now - loading.start);
  const missingBytes = Math.max(0, (total || expectedBytes) - loaded);
  return {
    estimate: Math.max(lowestEstimate, rate * 8000),
    missingMilliseconds: rate > 0 ? missingBytes / rate : Infinity,
  };
}
