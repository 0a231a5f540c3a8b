/* The keys that media-chrome has no shortcut for, and the dialog that shows all of them. */
import { control, player, video } from './playerPage.js';

/** In seconds; 0 where it is not known, or there is none. A video that was not started has that of the page. */
const duration = () =>
  Number.isFinite(video.duration) ? video.duration : Number(player.getAttribute('defaultduration'));

const jumpSeconds = Number(player.dataset.jump);
const seekTo = (seconds) => new CustomEvent('mediaseekrequest', { detail: seconds });

/** What is live ends where it is on air. */
function seekBy(seconds) {
  const target = video.currentTime + seconds;
  if (duration() > 0) return seekTo(Math.min(Math.max(target, 0), duration()));
  const { seekable } = video;
  const isBeyondEdge = seekable.length > 0 && target > seekable.end(seekable.length - 1);
  return isBeyondEdge ? new CustomEvent('mediaseektoliverequest') : seekTo(target);
}

/** What a key asks media-chrome for; undefined: nothing. */
function requestOf(key) {
  if (key === 'j') return seekBy(-jumpSeconds);
  if (key === 'l') return seekBy(jumpSeconds);
  // To the first moment of a live event that can be seen, which only its page knows.
  if (key === 'Home' && player.dataset.live !== undefined) return seekTo(-Infinity);
  if (key === 'Home') return seekTo(video.seekable.length > 0 ? video.seekable.start(0) : 0);
  if (key === 'End' && duration() > 0) return seekTo(Math.max(0, duration() - 0.1));
  if (key === 'End') return new CustomEvent('mediaseektoliverequest');
  return /^\d$/.test(key) && duration() > 0 ? seekTo((duration() * Number(key)) / 10) : undefined;
}

export function listenToKeys() {
  for (const kind of ['keydown', 'keyup']) document.addEventListener(kind, passOn);
  document.addEventListener('keydown', take);
  // Else the hidden button keeps the focus where nothing had it before, and the keys with it.
  control.keys.addEventListener(
    'close',
    () => control.keys.contains(document.activeElement) && document.activeElement.blur(),
  );
}

/** media-chrome handles the keys of focused controls only. A page that was just opened has no focus. */
function passOn(event) {
  if (event.target === document.body && !player.inert) player.dispatchEvent(new KeyboardEvent(event.type, event));
}

function take(event) {
  // What `passOn` has dispatched bubbles, too.
  if (!event.isTrusted) return;
  const isModified = event.ctrlKey || event.metaKey || event.altKey;
  if (isModified || control.keys.open) return;
  // On some keyboards it needs the shift key.
  if (event.key === '?') return void control.keys.showModal();
  // Sliders and menus use some keys themselves.
  const usedBy = /^[\djl]$/.test(event.key) ? '[role=menu]' : 'input, [role=menu]';
  if (player.inert || event.shiftKey || event.composedPath().some((element) => element.matches?.(usedBy))) return;
  const request = requestOf(event.key);
  if (!request) return;
  event.preventDefault();
  player.dispatchEvent(request);
}
