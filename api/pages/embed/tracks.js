/* Tracks beside the media: chapters, and the pictures over the seek bar. media-chrome finds both by kind and label. */
import { listChapters } from './chapters.js';
import { player, video } from './playerPage.js';

let addresses = {};
let isWanted = false;

/** Names the tracks of what plays now. They are loaded when the viewer plays it, or moves to the controls. */
export function setTracks({ storyboard, chapters }) {
  addresses = { storyboard, chapters };
  if (isWanted) load();
}

for (const [target, event] of [
  [player, 'pointerenter'],
  [player, 'focusin'],
  [video, 'playing'],
])
  target.addEventListener(event, want, { once: true });

function want() {
  if (isWanted) return;
  isWanted = true;
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
