/* Loads the stream: with hls.js, or with the browser's own HLS where hls.js is not supported. */
import { control, state, player, video, words } from './page.js';
import { say } from './view.js';

const { Hls } = window;

/** Minimum time between two requests for a new playback URL. */
const renewMilliseconds = 30_000;
/** Media errors in a row that are recovered from. */
const maximumMediaErrors = 3;

let hls = null;
/** Where to begin, in seconds; -1: at the start. */
let beginAt = -1;
let renewedAt = -Infinity;
let mediaErrors = 0;

/** Prepares to play. */
export function open(address) {
  if (Hls && Hls.isSupported()) return openWithHls(address);
  if (!video.canPlayType('application/vnd.apple.mpegurl')) return say(words.unsupported);
  video.src = address;
  video.addEventListener('error', () => (mayRenew() ? void renew() : say(words.broken, true)));
  return undefined;
}

function openWithHls(address) {
  hls = new Hls({ autoStartLoad: false, capLevelToPlayerSize: true, backBufferLength: 60 });
  hls.on(Hls.Events.MANIFEST_PARSED, () => {
    listQualities();
    if (state.started) begin();
  });
  hls.on(Hls.Events.LEVEL_SWITCHED, nameAutomaticQuality);
  hls.on(Hls.Events.ERROR, recover);
  hls.attachMedia(video);
  hls.loadSource(address);
  video.addEventListener('playing', () => (mediaErrors = 0));
  player.hls = hls;
}

export function play() {
  const first = !state.started;
  state.started = true;
  if (first && hls && hls.levels.length > 0) begin();
  else video.play().catch(() => {});
}

export function toggle() {
  if (video.paused) play();
  else video.pause();
}

function begin() {
  hls.startLoad(beginAt);
  video.play().catch(() => {});
}

/** A rejected request needs a new playback URL. hls.js recovers from all other errors that are not fatal. */
function recover(_event, error) {
  const status = error.response ? error.response.code : 0;
  if ([403, 404, 410].includes(status) && mayRenew()) return void renew();
  if (!error.fatal) return undefined;
  if (error.type === Hls.ErrorTypes.MEDIA_ERROR && mediaErrors < maximumMediaErrors) {
    mediaErrors += 1;
    return hls.recoverMediaError();
  }
  return say(words.broken, true);
}

function mayRenew() {
  return performance.now() - renewedAt > renewMilliseconds;
}

/** The playback URL has expired, for example after a long pause: gets a new one and continues at the same position. */
async function renew() {
  renewedAt = performance.now();
  const position = video.currentTime;
  try {
    const response = await fetch(player.dataset.renew);
    // The item was deleted: the reloaded page shows the message.
    if (response.status === 404) return location.reload();
    const { playback } = await response.json();
    if (!response.ok || playback.result !== 'PLAY') return say(playback.message || words.broken, true);
    beginAt = position;
    if (hls) return hls.loadSource(playback.path);
    video.src = playback.path;
    video.currentTime = position;
    return await video.play();
  } catch {
    return say(words.broken, true);
  }
}

/** Takes effect with the next segment, without a break. */
export function chooseQuality() {
  hls.nextLevel = Number(control.quality.value);
}

function listQualities() {
  const select = control.quality;
  const chosen = select.value || '-1';
  const levels = hls.levels.map((level, index) => ({ level, value: String(index) }));
  levels.sort((one, other) => other.level.height - one.level.height || other.level.bitrate - one.level.bitrate);
  const options = levels.map(({ level, value }) => new Option(nameOf(level), value));
  select.replaceChildren(new Option(words.automatic, '-1'), ...options);
  select.value = chosen;
  if (chosen !== '-1') chooseQuality();
  select.hidden = hls.levels.length < 2;
}

/** By the shorter side, so that renditions of portrait videos have the same names. */
function nameOf(level) {
  const lines = Math.min(level.height, level.width) || level.height;
  return lines ? `${lines}p` : `${Math.round(level.bitrate / 1000)} kbit/s`;
}

function nameAutomaticQuality(_event, { level }) {
  const [automatic] = control.quality.options;
  const name = hls.autoLevelEnabled ? `${words.automatic} (${nameOf(hls.levels[level])})` : words.automatic;
  if (automatic) automatic.textContent = name;
}
