/*
 * The audio tracks of hls.js as `media.audioTracks`, with which media-chrome lists and selects them. The language that the viewer
 * has chosen is also used for the next video, if it has an audio track in this language.
 */
import { Hls } from 'hls.js';
import { video } from './playerPage.js';
import { storeText, storedText } from './storage.js';

const key = 'audio-language';
const surroundChannels = 6;

/** Like the `AudioTrackList` of browsers. */
class AudioTrackList extends EventTarget {
  #tracks = [];

  [Symbol.iterator]() {
    return this.#tracks.values();
  }

  get length() {
    return this.#tracks.length;
  }

  replace(tracks) {
    this.#tracks = tracks;
    this.dispatchEvent(new Event('addtrack'));
  }

  changed() {
    this.dispatchEvent(new Event('change'));
  }
}

/** Call it before a playlist is loaded. */
export function listAudioTracks(hls) {
  const list = new AudioTrackList();
  // Safari's elements have a read-only property `audioTracks`.
  Object.defineProperty(video, 'audioTracks', { value: list });
  const language = storedText(key);
  if (language !== null) hls.config.audioPreference = { lang: language };
  hls.on(Hls.Events.AUDIO_TRACKS_UPDATED, () => list.replace(hls.audioTracks.map((track) => audioTrackOf(hls, track))));
  hls.on(Hls.Events.AUDIO_TRACK_SWITCHING, () => list.changed());
}

function audioTrackOf(hls, { id, name, lang }) {
  return {
    ...{ id: String(id), kind: 'main', label: name, language: lang ?? '' },
    get enabled() {
      return hls.nextAudioTrack === id;
    },
    set enabled(isEnabled) {
      if (!isEnabled || hls.nextAudioTrack === id) return;
      // The buffered audio plays until the other track is loaded.
      hls.nextAudioTrack = id;
      storeText(key, lang || null);
    },
  };
}

/**
 * Removes either the stereo or the surround levels of a playlist with surround sound, as this device requires. With both, hls.js
 * would switch between them with the bit rate.
 */
export function keepOneAudioTrack(hls) {
  const hasSurround = ({ audioGroups }) => audioGroups?.includes('surround') ?? false;
  if (!hls.levels.some(hasSurround)) return;
  const context = new AudioContext();
  const playsSurround = context.destination.maxChannelCount >= surroundChannels;
  void context.close();
  for (const [index, level] of [...hls.levels.entries()].toReversed())
    if (hasSurround(level) !== playsSurround) hls.removeLevel(index);
}
