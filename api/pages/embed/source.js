/* Where the film comes from: hls.js, or the browser itself where that is all there is. */
import { control, happened, player, video, words } from './page.js';
import { say } from './view.js';

const { Hls } = window;

/** An address that stops working is asked for anew, but not more often than this. */
const renewMilliseconds = 30_000;
/** Faults of the media in a row that are worth another try. */
const mostMediaFaults = 3;

let hls = null;
/** Where to begin, in seconds; -1: at the start. */
let beginAt = -1;
let renewedAt = -Infinity;
let mediaFaults = 0;

/** Makes ready to play. */
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
    if (happened.asked) begin();
  });
  hls.on(Hls.Events.LEVEL_SWITCHED, nameAutomaticQuality);
  hls.on(Hls.Events.ERROR, recover);
  hls.attachMedia(video);
  hls.loadSource(address);
  video.addEventListener('playing', () => (mediaFaults = 0));
  player.hls = hls;
}

export function play() {
  const first = !happened.asked;
  happened.asked = true;
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

/** A refusal will not pass by itself, so it is not waited out; of other faults only the fatal ones concern us. */
function recover(_event, fault) {
  const status = fault.response ? fault.response.code : 0;
  if ([403, 404, 410].includes(status) && mayRenew()) return void renew();
  if (!fault.fatal) return undefined;
  if (fault.type === Hls.ErrorTypes.MEDIA_ERROR && mediaFaults < mostMediaFaults) {
    mediaFaults += 1;
    return hls.recoverMediaError();
  }
  return say(words.broken, true);
}

function mayRenew() {
  return performance.now() - renewedAt > renewMilliseconds;
}

/** The address has ended, as after a long pause: gets another, and goes on from where it was. */
async function renew() {
  renewedAt = performance.now();
  const position = video.currentTime;
  try {
    const answer = await fetch(player.dataset.renew);
    // Not there any more: the page itself knows how to say that.
    if (answer.status === 404) return location.reload();
    const { playback } = await answer.json();
    if (!answer.ok || playback.result !== 'PLAY') return say(playback.message || words.broken, true);
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

/** By the short side, as everywhere, so that an upright film has the same names. */
function nameOf(level) {
  const lines = Math.min(level.height, level.width) || level.height;
  return lines ? `${lines}p` : `${Math.round(level.bitrate / 1000)} kbit/s`;
}

function nameAutomaticQuality(_event, { level }) {
  const [automatic] = control.quality.options;
  const name = hls.autoLevelEnabled ? `${words.automatic} (${nameOf(hls.levels[level])})` : words.automatic;
  if (automatic) automatic.textContent = name;
}
