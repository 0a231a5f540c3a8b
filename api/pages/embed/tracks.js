/* Side tracks of the media: chapters, and preview images of the seek bar. media-chrome finds both by kind and label. */
import { listChapters } from './chapters.js';
import { player, video } from './playerPage.js';

let addresses = {};
let isNeeded = false;

/** Sets the tracks of the current video. They are loaded when the viewer plays it, or moves to the controls. */
export function setTracks({ storyboard, chapters }) {
  addresses = { storyboard, chapters };
  if (isNeeded) load();
}

for (const [target, event] of [
  [player, 'pointerenter'],
  [player, 'focusin'],
  [video, 'playing'],
])
  target.addEventListener(event, loadOnce, { once: true });

function loadOnce() {
  if (isNeeded) return;
  isNeeded = true;
  load();
}

function load() {
  for (const element of video.querySelectorAll('track[data-beside]')) element.remove();
  if (addresses.storyboard) add({ kind: 'metadata', label: 'thumbnails', src: addresses.storyboard });
  if (addresses.chapters) {
    const element = add({ kind: 'chapters', label: 'chapters', src: addresses.chapters });
    element.addEventListener('load', () => listChapters(element.track));
  }
}

function add(attributes) {
  const element = document.createElement('track');
  Object.assign(element, attributes, { default: true });
  element.dataset.beside = '';
  video.append(element);
  element.track.mode = 'hidden';
  return element;
}
