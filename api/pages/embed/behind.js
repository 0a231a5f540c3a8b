/* How far behind the broadcast the viewer of a live event or a channel is. */
import { formatAsTimePhrase } from 'media-chrome/dist/utils/time.js';
import { clockBehind } from './liveState.js';
import { control, player, video, words } from './playerPage.js';

/** The moment that is on air, in milliseconds since 1970, by the playlist and the time since it has grown; null: not known yet. */
export function momentOnAir(hls) {
  const { fragments = [], age = 0 } = hls?.latestLevelDetails ?? {};
  const last = fragments.at(-1);
  return last?.programDateTime ? last.programDateTime + (last.duration + age) * 1000 : null;
}

/** Seconds behind the broadcast, also while the video is paused; null: not known yet. */
export function secondsBehind(hls) {
  const { seekable, currentTime } = video;
  if (hls?.playingDate) return Math.max(0, (momentOnAir(hls) - hls.playingDate.getTime()) / 1000);
  return hls || seekable.length === 0 ? null : Math.max(0, seekable.end(seekable.length - 1) - currentTime);
}

/** The viewer sees what is on air, as the button beside the text says. */
export const isAtEdge = () => video.played.length === 0 || player.hasAttribute('mediatimeislive');

export const wordsBehind = (seconds) =>
  words['live.behind'].replace('{{time}}', formatAsTimePhrase(Math.floor(seconds)));

/** To be called once. */
export function showBehind(hls) {
  setInterval(() => {
    const seconds = secondsBehind(hls);
    control.behind.hidden = seconds === null || isAtEdge();
    if (control.behind.hidden) return;
    control.behind.textContent = clockBehind(seconds);
    control.behind.setAttribute('aria-label', wordsBehind(seconds));
  }, 500);
}
