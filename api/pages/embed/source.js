/* Loads a stream: with hls.js, or with the browser's own HLS where hls.js is not supported. */
import { Hls } from 'hls.js';
import { offerToReceivers } from './airplay.js';
import { bandwidthAtStart, giveUpSlowStart, rememberBandwidth, startLevelOf } from './bandwidth.js';
import { rememberCaptions } from './captions.js';
import { closedCaptions } from './closedCaptions.js';
import { showForced } from './forced.js';
import { player, say, video, words } from './playerPage.js';
import { listQualities } from './qualities.js';
import { keepOneAudioTrack, listAudioTracks } from './audioTrackList.js';

/** Media errors in a row that are recovered from. */
const maxMediaErrors = 3;

/** Parts of hls.js that nothing here uses: encrypted media, and other videos inside of this one. */
const withoutUnused = { emeController: undefined, interstitialsController: undefined };

/** No media is loaded before the viewer starts to play. */
const videoSettings = { ...withoutUnused, autoStartLoad: false, capLevelToPlayerSize: true, backBufferLength: 60 };

const settings = {
  video: videoSettings,
  /** Where the playlist has parts, hls.js reads them. A player that has fallen behind catches up. */
  live: {
    ...{ ...videoSettings, ...closedCaptions, lowLatencyMode: true, liveDurationInfinity: true },
    maxLiveSyncPlaybackRate: 1.1,
  },
  /** Nothing that airs by a timetable is played faster. The list goes back for half a minute, as far as a viewer can. */
  cast: { ...videoSettings, lowLatencyMode: false, liveDurationInfinity: true, backBufferLength: 30 },
};

/**
 * Segments behind the end of a playlist without parts. Live, of 2 s: one that plays, one in reserve. Of a channel, of 4 s:
 * one more, because some are shorter.
 */
const segmentsBehind = { live: 2, cast: 3 };

/** Less than a decoder holds back before it gives its first frame. */
const finalSeconds = 1;

let hls = null;
let isStarted = false;
/** The video was playing when another playlist was opened, which stops it. */
let resumes = false;
let openAddress = '';
/** Where to begin, in seconds; -1: at the start, or at the live edge. */
let beginAt = -1;
let mediaErrors = 0;
/** The viewer has not paused. A decoder that gives up pauses the video too. */
let isWatched = false;
/** Called when the stream cannot be loaded; see `prepare`. */
let onLost = () => false;

/**
 * To be called once. `kind` is `video`, `live`, or `cast` for a channel with programs. `lost` is called with
 * `isRefused: true` when the server refuses a request, and with false when loading has failed; it returns whether it looks
 * for another address.
 */
export function prepare({ kind, lost }) {
  onLost = lost;
  if (!Hls.isSupported()) return prepareNative();
  hls = new Hls({ ...settings[kind], abrEwmaDefaultEstimate: bandwidthAtStart() });
  // A value that the constructor gets would also replace the distance that a playlist with parts asks for.
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

/** hls.js lists the captions and audio tracks of a level when it is chosen. Its playlists are loaded when playback begins. */
function listTracks() {
  hls.nextLoadLevel = startLevelOf(hls);
}

function prepareNative() {
  if (!video.canPlayType('application/vnd.apple.mpegurl')) say(words.unsupported);
  video.addEventListener('error', () => onLost({ isRefused: true }) || say(words.broken, true));
  return null;
}

/** Loads a playlist. What is playing goes on at `position` in the new one. */
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
 * Browsers refuse to play with audio on a page that the viewer has not touched, and give up where a new source interrupts
 * the start.
 */
export function playOrMute() {
  video.play().catch((error) => {
    if (error.name === 'AbortError') video.addEventListener('canplay', playOrMute, { once: true });
    if (error.name !== 'NotAllowedError') return;
    video.muted = true;
    video.play().catch(() => {});
  });
}

/** The viewer may have moved the slider before. */
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

/** After a segment was requested, hls.js does not use `startLevel` again, but the level that was set last. */
function restart(level) {
  hls.stopLoad();
  hls.nextLoadLevel = level;
  hls.startLoad(video.currentTime > 0 ? video.currentTime : beginAt);
}

/**
 * A seek to the last frames ends only when the stream is known to be complete: until then the decoder waits for more. hls.js says so
 * only after the first frame of an audio track was played, so both would wait for ever.
 */
function completeNearEnd() {
  const { buffered, currentTime, duration, seeking } = video;
  const isBuffered = buffered.length > 0 && buffered.end(buffered.length - 1) > duration - 0.1;
  if (seeking && isBuffered && currentTime > duration - finalSeconds && hls.latestLevelDetails?.live === false)
    hls.trigger(Hls.Events.BUFFER_EOS, {});
}

/** hls.js recovers from all errors that are not fatal, except rejected requests. */
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

/** The decoder ends at a frame that is damaged. hls.js notices only that it cannot load more. */
const hasGivenUp = () => video.error?.code === MediaError.MEDIA_ERR_DECODE;

/** Each segment begins with a keyframe: what plays goes on with the next one. */
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
