/* Plays a video on demand. */
import { player, say, video, words } from './page.js';
import { open, prepare } from './source.js';

/** Minimum time between two requests for a new playback URL. */
const renewMilliseconds = 30_000;

let renewedAt = -Infinity;

export function playVideo() {
  prepare({ kind: 'video', lost: ({ isRefused }) => isRefused && mayRenew() });
  open(player.dataset.source);
}

function mayRenew() {
  if (performance.now() - renewedAt < renewMilliseconds) return false;
  renewedAt = performance.now();
  void renew();
  return true;
}

/** The playback URL has expired, for example after a long pause: gets a new one and continues at the same position. */
async function renew() {
  const position = video.currentTime;
  try {
    const response = await fetch(player.dataset.renew);
    // The item was deleted: the reloaded page shows the message.
    if (response.status === 404) return location.reload();
    const { playback } = await response.json();
    if (!response.ok || playback.result !== 'PLAY') return say(playback.message || words.broken, true);
    return open(playback.path, position);
  } catch {
    return say(words.broken, true);
  }
}
