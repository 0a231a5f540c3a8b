/* The viewer's delay behind the broadcast of a live event or a channel. */
import { formatAsTimePhrase } from 'media-chrome/dist/utils/time.js';
import { clockBehind } from './liveState.js';
import { control, player, video, words } from './playerPage.js';

/** The time on air, in milliseconds since 1970, calculated from the playlist and the time since its last segment; null: unknown. */
export function momentOnAir(hls) {
  const { fragments = [], age = 0 } = hls?.latestLevelDetails ?? {};
  const last = fragments.at(-1);
  return last?.programDateTime ? last.programDateTime + (last.duration + age) * 1000 : null;
}

/** Seconds behind the broadcast, also while the video is paused; null: unknown. */
export function secondsBehind(hls) {
  const { seekable, currentTime } = video;
  if (hls?.playingDate) return Math.max(0, (momentOnAir(hls) - hls.playingDate.getTime()) / 1000);
  return hls || seekable.length === 0 ? null : Math.max(0, seekable.end(seekable.length - 1) - currentTime);
}

/** Whether the viewer is at the live edge, consistent with the LIVE button. */
export const isAtEdge = () => video.played.length === 0 || player.hasAttribute('mediatimeislive');

export const wordsBehind = (seconds) =>
  words['live.behind'].replace('{{time}}', formatAsTimePhrase(Math.floor(seconds)));

/** Call it once. */
export function showBehind(hls) {
  setInterval(() => {
    const seconds = secondsBehind(hls);
    control.behind.hidden = seconds === null || isAtEdge();
    if (control.behind.hidden) return;
    control.behind.textContent = clockBehind(seconds);
    control.behind.setAttribute('aria-label', wordsBehind(seconds));
  }, 500);
}
