/* Keyboard keys without a shortcut in media-chrome, and the dialog with all keys. */
import { control, player, video } from './playerPage.js';

/** In seconds; 0 if unknown or infinite. Before the start of a video, the duration in the page is used. */
const duration = () =>
  Number.isFinite(video.duration) ? video.duration : Number(player.getAttribute('defaultduration'));

const jumpSeconds = Number(player.dataset.jump);
const seekTo = (seconds) => new CustomEvent('mediaseekrequest', { detail: seconds });

/** Live streams end at the live edge. */
function seekBy(seconds) {
  const target = video.currentTime + seconds;
  if (duration() > 0) return seekTo(Math.min(Math.max(target, 0), duration()));
  const { seekable } = video;
  const isBeyondEdge = seekable.length > 0 && target > seekable.end(seekable.length - 1);
  return isBeyondEdge ? new CustomEvent('mediaseektoliverequest') : seekTo(target);
}

/** The media-chrome request of a key; undefined if there is none. */
function requestOf(key) {
  if (key === 'j') return seekBy(-jumpSeconds);
  if (key === 'l') return seekBy(jumpSeconds);
  // The start of a live event's rewind range, which only rewind.js knows.
  if (key === 'Home' && player.dataset.live !== undefined) return seekTo(-Infinity);
  if (key === 'Home') return seekTo(video.seekable.length > 0 ? video.seekable.start(0) : 0);
  if (key === 'End' && duration() > 0) return seekTo(Math.max(0, duration() - 0.1));
  if (key === 'End') return new CustomEvent('mediaseektoliverequest');
  return /^\d$/.test(key) && duration() > 0 ? seekTo((duration() * Number(key)) / 10) : undefined;
}

export function listenToKeys() {
  for (const kind of ['keydown', 'keyup']) document.addEventListener(kind, passOn);
  document.addEventListener('keydown', take);
  // Otherwise the hidden button may keep the focus, and receive the keys.
  control.keys.addEventListener(
    'close',
    () => control.keys.contains(document.activeElement) && document.activeElement.blur(),
  );
}

/** media-chrome handles only the keys of focused controls, but a page without a click has no focused element. */
function passOn(event) {
  if (event.target === document.body && !player.inert) player.dispatchEvent(new KeyboardEvent(event.type, event));
}

function take(event) {
  // Ignores the bubbling events that `passOn` has dispatched.
  if (!event.isTrusted) return;
  const isModified = event.ctrlKey || event.metaKey || event.altKey;
  if (isModified || control.keys.open) return;
  // Checked before the shift key, which some keyboards need for `?`.
  if (event.key === '?') return void control.keys.showModal();
  // Sliders and menus handle some keys themselves.
  const usedBy = /^[\djl]$/.test(event.key) ? '[role=menu]' : 'input, [role=menu]';
  if (player.inert || event.shiftKey || event.composedPath().some((element) => element.matches?.(usedBy))) return;
  const request = requestOf(event.key);
  if (!request) return;
  event.preventDefault();
  player.dispatchEvent(request);
}
