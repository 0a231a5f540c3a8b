/* Plays a cast channel, and shows its current and next program. castState.js decides which programs these are. */
import { showBehind } from './behind.js';
import { airing, pauseBefore, progressOf, timeOf, viewOf } from './castState.js';
import { begin, follow, now, status } from './follow.js';
import { locale } from './locale.js';
import { control, player, video, words } from './playerPage.js';

let hls = null;

export function playCast() {
  hls = follow({ kind: 'cast', status: JSON.parse(player.dataset.cast), ...{ viewOf, pauseBefore, show } });
  showBehind(hls);
  setInterval(showPrograms, 500);
  begin();
}

function show() {
  const view = viewOf(status);
  control.overlay.hidden = view === 'play';
  player.inert = view !== 'play';
  control.title.textContent = status.title;
  control.overlayText.textContent = status.message ?? '';
  showPrograms();
}

/**
 * The time of the visible frame, so that the title changes with the video. The server's time before playback and after a long
 * pause.
 */
const shownTime = () => (video.played.length > 0 && hls?.playingDate?.getTime()) || now();

function showPrograms() {
  const at = shownTime();
  const { current, next } = airing(status, at);
  const clock = (time) => timeOf(time, { now: now(), language: locale });
  const nothing = next ? words['cast.break'] : words['cast.nothing'];
  write(control.current, current ? current.title : nothing);
  write(control.currentTimes, current ? `${clock(current.startsAt)} – ${clock(current.endsAt)}` : '');
  control.progress.hidden = !current;
  if (current) control.progress.value = progressOf(current, at);
  control.nextProgram.hidden = !next;
  write(control.next, next ? next.title : '');
  write(control.nextTime, next ? clock(next.startsAt) : '');
}

/** Screen readers read an element again whenever its text is set. */
function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
