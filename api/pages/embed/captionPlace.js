/*
 * Captions are shown above the controls while these are shown. Blink and WebKit have an element around all captions, which the style of the
 * page moves up: only those at the top need another line then. In other browsers, those at the bottom get another line.
 */
import { lineWithControls } from './captionLine.js';
import { player, video } from './playerPage.js';

const isLifted = CSS.supports('selector(video::-webkit-media-text-track-container)');
/** Of the smaller side of the video: browsers show larger lines. */
const lineShare = 0.05;
/** The lines that the files of the cues say. */
const ownLines = new WeakMap();

/** To be called once. */
export function placeCaptions() {
  // The attribute is set after this event.
  player.addEventListener('userinactivechange', () => setTimeout(place));
  for (const kind of ['play', 'pause', 'resize']) video.addEventListener(kind, place);
  video.textTracks.addEventListener('change', place);
  video.textTracks.addEventListener('addtrack', ({ track }) => track.addEventListener('cuechange', place));
}

function place() {
  for (const track of video.textTracks) {
    if (track.mode !== 'showing' || !['captions', 'subtitles'].includes(track.kind)) continue;
    for (const cue of [...(track.activeCues ?? [])]) {
      const line = lineOf(cue);
      if (cue.line === line) continue;
      // Chromium draws a cue that it shows already only when it is added again.
      track.removeCue(cue);
      cue.line = line;
      track.addCue(cue);
    }
  }
}

function lineOf(cue) {
  if (!ownLines.has(cue)) ownLines.set(cue, cue.line);
  const own = { line: ownLines.get(cue), snapToLines: cue.snapToLines, text: cue.text };
  const areControlsShown = video.paused || !player.hasAttribute('userinactive');
  const controlLines = Math.ceil(controlHeight() / (lineShare * Math.min(video.clientWidth, video.clientHeight)));
  return areControlsShown ? lineWithControls(own, { controlLines, isLifted }) : own.line;
}

function controlHeight() {
  const highest = player.querySelector('media-time-range, .window, .row');
  return player.getBoundingClientRect().bottom - highest.getBoundingClientRect().top;
}
