/* Loads a stream with hls.js, or with the browser's own HLS if hls.js is not supported. */
import { Hls } from 'hls.js';
import { offerToReceivers } from './airplay.js';
import { bandwidthAtStart, giveUpSlowStart, rememberBandwidth, startLevelOf } from './bandwidth.js';
import { rememberCaptions } from './captions.js';
import { closedCaptions } from './closedCaptions.js';
import { showForced } from './forced.js';
import { player, say, video, words } from './playerPage.js';
import { listQualities } from './qualities.js';
import { keepOneAudioTrack, listAudioTracks } from './audioTrackList.js';

/** Maximum number of consecutive media errors that are recovered. */
const maxMediaErrors = 3;

/** Disables unused parts of hls.js: encrypted media, and interstitials. */
const withoutUnused = { emeController: undefined, interstitialsController: undefined };

/** No media is loaded before the viewer starts to play. */
const videoSettings = { ...withoutUnused, autoStartLoad: false, capLevelToPlayerSize: true, backBufferLength: 60 };

const settings = {
  video: videoSettings,
  /** hls.js loads the parts of a playlist, if it has any. A player that has fallen behind catches up. */
  live: {
    ...{ ...videoSettings, ...closedCaptions, lowLatencyMode: true, liveDurationInfinity: true },
    maxLiveSyncPlaybackRate: 1.1,
  },
  /** Channels are never played faster. Their playlist, and thus the back buffer, covers half a minute. */
  cast: { ...videoSettings, lowLatencyMode: false, liveDurationInfinity: true, backBufferLength: 30 },
};

/**
 * Distance to the end of a playlist without parts, in segments. Live (2 s each): the playing one and one in reserve. Channels
 * (4 s each): one more, because some segments are shorter.
 */
const segmentsBehind = { live: 2, cast: 3 };

/** Less than the media that a decoder buffers before its first frame. */
const finalSeconds = 1;

let hls = null;
let isStarted = false;
/** The video was playing when another playlist was opened, which interrupts it. */
let resumes = false;
let openAddress = '';
/** Start position in seconds; -1: the start, or the live edge. */
let beginAt = -1;
let mediaErrors = 0;
/** The viewer has not paused the video. A failing decoder pauses it too, which does not count. */
let isWatched = false;
/** Called when the stream cannot be loaded; see `prepare`. */
let onLost = () => false;

/**
 * Call it once. `kind` is `video`, `live`, or `cast` for a channel with programs. `lost` is called with `isRefused: true` when the
 * server refuses a request, and with false when loading has failed; it returns whether it requests another address.
 */
export function prepare({ kind, lost }) {
  onLost = lost;
  if (!Hls.isSupported()) return prepareNative();
  hls = new Hls({ ...settings[kind], abrEwmaDefaultEstimate: bandwidthAtStart() });
  // Not in the constructor's options, which would also override the distance that a playlist with parts requests.
  if (kind in segmentsBehind) hls.config.liveSyncDurationCount = segmentsBehind[kind];
  player.hls = hls;
  rememberCaptions(hls);
  showForced(hls);
  listAudioTracks(hls);
  if (kind !== 'live') rememberBandwidth(hls);
  giveUpSlowStart(hls, restart);
  hls.on(Hls.Events.MANIFEST_PARSED, () => {
    keepOneAudioTrack(hls);
    listQualities(hls);
    if (isStarted) begin();
    else listTracks();
  });
  hls.on(Hls.Events.MEDIA_ATTACHED, () => offerToReceivers(openAddress));
  hls.on(Hls.Events.FRAG_BUFFERED, completeNearEnd);
  video.addEventListener('seeking', completeNearEnd);
  hls.on(Hls.Events.ERROR, recover);
  hls.attachMedia(video);
  video.addEventListener('play', start);
  video.addEventListener('playing', () => (mediaErrors = 0));
  video.addEventListener('error', () => hasGivenUp() && skipDamage());
  video.addEventListener('play', () => (isWatched = true));
  video.addEventListener('pause', () => (isWatched = video.error !== null && isWatched));
  return hls;
}

/** Selects a level, so that hls.js lists its captions and audio tracks. Their playlists are loaded when playback starts. */
function listTracks() {
  hls.nextLoadLevel = startLevelOf(hls);
}

function prepareNative() {
  if (!video.canPlayType('application/vnd.apple.mpegurl')) say(words.unsupported);
  video.addEventListener('error', () => onLost({ isRefused: true }) || say(words.broken, true));
  return null;
}

/** Loads a playlist. A running playback continues at `position` of the new playlist. */
export function open(address, position = -1) {
  resumes = !video.paused;
  beginAt = position;
  openAddress = address;
  if (hls) return hls.loadSource(address);
  video.src = address;
  if (position > 0) video.currentTime = position;
  if (resumes) video.play().catch(() => {});
  return undefined;
}

/**
 * Browsers refuse to play audio on a page without a user gesture: the video is muted then. They also abort the start if a new
 * source interrupts it: it is repeated then.
 */
export function playOrMute() {
  video.play().catch((error) => {
    if (error.name === 'AbortError') video.addEventListener('canplay', playOrMute, { once: true });
    if (error.name !== 'NotAllowedError') return;
    video.muted = true;
    video.play().catch(() => {});
  });
}

/** The viewer may have moved the slider before the start. */
function start() {
  if (isStarted) return;
  isStarted = true;
  if (video.currentTime > 0) beginAt = video.currentTime;
  if (hls.levels.length > 0) begin();
}

function begin() {
  if (hls.autoLevelEnabled) hls.startLevel = startLevelOf(hls);
  hls.startLoad(beginAt);
  if (resumes) video.play().catch(() => {});
}

/** After the first segment request, hls.js ignores `startLevel` and uses the level that was set last. */
function restart(level) {
  hls.stopLoad();
  hls.nextLoadLevel = level;
  hls.startLoad(video.currentTime > 0 ? video.currentTime : beginAt);
}

/**
 * Signals the end of the stream for a seek to its last frames: otherwise the decoder waits for more media. hls.js signals it only
 * after the first frame of an audio track was played, so both would wait indefinitely.
 */
function completeNearEnd() {
  const { buffered, currentTime, duration, seeking } = video;
  const isBuffered = buffered.length > 0 && buffered.end(buffered.length - 1) > duration - 0.1;
  if (seeking && isBuffered && currentTime > duration - finalSeconds && hls.latestLevelDetails?.live === false)
    hls.trigger(Hls.Events.BUFFER_EOS, {});
}

/** hls.js itself recovers from errors that are not fatal, except rejected requests. */
function recover(_event, error) {
  if (hasGivenUp()) return skipDamage();
  const isRefused = [403, 404, 410].includes(error.response?.code);
  if ((isRefused || error.fatal) && onLost({ isRefused })) return;
  if (!error.fatal) return;
  if (error.type === Hls.ErrorTypes.MEDIA_ERROR && mediaErrors < maxMediaErrors) {
    mediaErrors += 1;
    hls.recoverMediaError();
  } else say(words.broken, true);
}

/** The decoder stops at a damaged frame. hls.js only notices that it cannot append more media. */
const hasGivenUp = () => video.error?.code === MediaError.MEDIA_ERR_DECODE;

/** Continues with the next segment, because each one starts with a keyframe. */
function skipDamage() {
  const { fragments = [], live = false } = hls.latestLevelDetails ?? {};
  const next = fragments.find((fragment) => fragment.start > video.currentTime);
  if ((!next && !live) || mediaErrors >= maxMediaErrors) return say(words.broken, true);
  mediaErrors += 1;
  resumes = isWatched;
  beginAt = next ? next.start : -1;
  hls.recoverMediaError();
  begin();
}
