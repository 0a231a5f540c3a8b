/* The elements of media-chrome that the page uses, and the keys that media-chrome has no shortcut for. */
import './styleNonce.js';
import './labels.js';
import 'media-chrome/dist/media-controller.js';
import 'media-chrome/dist/media-control-bar.js';
import 'media-chrome/dist/media-play-button.js';
import 'media-chrome/dist/media-mute-button.js';
import 'media-chrome/dist/media-volume-range.js';
import 'media-chrome/dist/media-time-range.js';
import 'media-chrome/dist/media-time-display.js';
import 'media-chrome/dist/media-fullscreen-button.js';
import 'media-chrome/dist/media-loading-indicator.js';
import 'media-chrome/dist/media-live-button.js';
import 'media-chrome/dist/media-seek-backward-button.js';
import 'media-chrome/dist/menu/media-chrome-menu-item.js';
import 'media-chrome/dist/menu/media-rendition-menu.js';
import 'media-chrome/dist/menu/media-rendition-menu-button.js';
import { player, video } from './page.js';

const requests = {
  Home: () => new CustomEvent('mediaseekrequest', { detail: video.seekable.length > 0 ? video.seekable.start(0) : 0 }),
  End: () =>
    Number.isFinite(video.duration)
      ? new CustomEvent('mediaseekrequest', { detail: Math.max(0, video.duration - 0.1) })
      : new CustomEvent('mediaseektoliverequest'),
};

export function listenToKeys() {
  for (const kind of ['keydown', 'keyup']) document.addEventListener(kind, passOn);
  document.addEventListener('keydown', seek);
}

/** media-chrome handles the keys of focused controls only. A page that was just opened has no focus. */
function passOn(event) {
  if (event.target === document.body && !player.inert) player.dispatchEvent(new KeyboardEvent(event.type, event));
}

function seek(event) {
  const request = requests[event.key];
  const isModified = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey;
  // Sliders and menus use these keys themselves.
  const isUsed = event.composedPath().some((element) => element.matches?.('input, [role=menu]'));
  if (!request || isModified || isUsed || player.inert) return;
  event.preventDefault();
  player.dispatchEvent(request());
}
