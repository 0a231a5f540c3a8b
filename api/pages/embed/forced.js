/*
 * Forced captions translate passages that are not in the language of the audio. They are shown while the viewer has chosen no
 * captions, and are not in the captions menu. hls.js writes their cues to hidden tracks of the kind `metadata`, and this page
 * renders them: if such a track had the mode `showing`, Chromium would show captions too.
 */
import { Hls } from 'hls.js';
import { shownCaptions } from './captions.js';
import { forcedTrackFor } from './forcedTrack.js';
import { control, video } from './playerPage.js';

/** Call it before a playlist is loaded. */
export function showForced(hls) {
  const addNodes = () => {
    for (const track of hls.subtitleTracks) if (track.forced) track.trackNode ??= nodeOf(track);
  };
  const choose = () => chooseForced(hls);
  hls.on(Hls.Events.MEDIA_ATTACHING, addNodes);
  hls.on(Hls.Events.SUBTITLE_TRACKS_UPDATED, () => {
    hls.subtitleDisplay = true;
    addNodes();
    // hls.js selects a track after this event.
    queueMicrotask(choose);
  });
  hls.on(Hls.Events.AUDIO_TRACK_SWITCHING, choose);
  video.textTracks.addEventListener('change', choose);
}

/** Replaces the track element of hls.js, whose kind media-chrome would list, and has the same source. */
function nodeOf({ lang = '' }) {
  const node = document.createElement('track');
  Object.assign(node, { kind: 'metadata', label: 'forced', srclang: lang, src: 'data:,WEBVTT' });
  node.track.addEventListener('cuechange', () => show(node.track));
  video.append(node);
  return node;
}

function chooseForced(hls) {
  const forced = hls.subtitleTracks.filter((track) => track.forced);
  if (forced.length === 0) return;
  if (hasChosen(hls)) return control.forced.replaceChildren();
  const track = forcedTrackFor(forced, hls.audioTracks[hls.audioTrack], navigator.languages);
  const id = track ? hls.subtitleTracks.indexOf(track) : -1;
  if (hls.subtitleTrack === id) return;
  control.forced.replaceChildren();
  hls.subtitleDisplay = false;
  hls.subtitleTrack = id;
}

/** Whether other captions are shown, or will be when their track is loaded. */
function hasChosen(hls) {
  const current = hls.subtitleTracks[hls.subtitleTrack];
  const isAwaited = current !== undefined && !current.forced && !current.trackNode;
  return isAwaited || shownCaptions() !== undefined;
}

function show({ activeCues, language, mode }) {
  if (mode === 'disabled') return;
  const cues = [...(activeCues ?? [])];
  control.forced.lang = language;
  control.forced.toggleAttribute('data-top', cues.length > 0 && cues.every(({ line }) => line === 0));
  control.forced.replaceChildren(...cues.map(lineOf));
}

function lineOf(cue) {
  const line = document.createElement('p');
  line.append(cue.getCueAsHTML());
  return line;
}
