/*
 * Shows captions above the visible controls. Blink and WebKit have a container of all captions, which the page's style moves up, so
 * that only captions at the top need another line. In other browsers, captions at the bottom get another line.
 */
import { lineWithControls } from './captionLine.js';
import { player, video } from './playerPage.js';

const isLifted = CSS.supports('selector(video::-webkit-media-text-track-container)');
/** Minimum height of a caption line, as a share of the video's smaller side. */
const lineShare = 0.05;
/** The original lines of the cues. */
const ownLines = new WeakMap();

/** Call it once. */
export function placeCaptions() {
  // media-chrome sets the attribute after this event.
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
      // Chromium redraws a visible cue only if it is added again.
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
