/* Plays a video on demand. */
import { betterOf, noteOf } from './better.js';
import { locale } from './locale.js';
import { control, player, say, video, words } from './playerPage.js';
import { keepPayment } from './payment.js';
import { open, playOrMute, prepare } from './source.js';
import { setTracks } from './tracks.js';
import { sentTrackingId } from './trackingAddress.js';
import { preferencesOf } from './preferences.js';

/** Minimum time between two requests for a new playback URL. */
const renewMilliseconds = 30_000;
/** Minimum time between two requests for the available qualities. */
const refreshMilliseconds = 10_000;

/** The last playback data from the server, first those in the page. */
const { source, storyboard, chapters } = player.dataset;
let latest = { path: source, storyboard, chapters };
if (player.dataset.preparing) latest.preparing = Number(player.dataset.preparing);
let openedPath = latest.path;
let renewedAt = -Infinity;
/** The page itself counts as a response. */
let requestedAt = performance.now();

export function playVideo() {
  if (sentTrackingId !== null && player.dataset.ask === undefined)
    keepPayment(new URLSearchParams(location.search).get('vod').toLowerCase(), sentTrackingId);
  prepare({ kind: 'video', lost: ({ isRefused }) => isRefused && mayRenew() });
  const preferences = preferencesOf(location.search, Number(player.getAttribute('defaultduration')));
  video.loop = preferences.loop;
  openLatest();
  if (preferences.startSeconds > 0) showAt(preferences.startSeconds);
  if (preferences.autoplay) playOrMute();
  video.addEventListener('play', () => void playBetter());
  control.qualities.addEventListener('toggle', ({ newState }) => {
    if (newState === 'open') void refreshPlayback();
  });
}

/** Has the same effect as a move of the slider before the start: playback starts at this position. */
function showAt(seconds) {
  video.currentTime = seconds;
  video.dispatchEvent(new Event('timeupdate'));
}

function openLatest(position) {
  openedPath = latest.path;
  showBetter();
  setTracks(latest);
  open(latest.path, position);
}

function showBetter() {
  control.better.textContent = noteOf(betterOf(latest, openedPath), latest, words, locale);
}

/** When playback starts or resumes, switches to the qualities that were encoded since the page was loaded. */
async function playBetter() {
  await refreshPlayback();
  if (betterOf(latest, openedPath) === 'ready') openLatest(video.currentTime);
}

/** If the request fails, the current playback continues. */
async function refreshPlayback() {
  if (latest.preparing === undefined || performance.now() - requestedAt < refreshMilliseconds) return;
  requestedAt = performance.now();
  const playback = await requestPlayback().catch(() => null);
  if (playback?.result !== 'PLAY') return;
  latest = playback;
  showBetter();
}

function mayRenew() {
  if (performance.now() - renewedAt < renewMilliseconds) return false;
  renewedAt = performance.now();
  void renew();
  return true;
}

/** Requests a new playback URL after the old one has expired, for example in a long pause. Continues at the same position. */
async function renew() {
  const position = video.currentTime;
  try {
    const playback = await requestPlayback();
    // The item was deleted: the reloaded page shows the message.
    if (playback === null) return location.reload();
    if (playback.result !== 'PLAY') return say(playback.message || words.broken, true);
    latest = playback;
    return openLatest(position);
  } catch {
    return say(words.broken, true);
  }
}

/** Null if the video no longer exists. Rejects if the server does not respond. */
async function requestPlayback() {
  const response = await fetch(player.dataset.renew);
  if (response.status === 404) return null;
  if (!response.ok) throw new Error(String(response.status));
  return (await response.json()).playback;
}
