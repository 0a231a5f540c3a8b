/*
 * The audio tracks of hls.js, in the form in which media-chrome reads and selects them (`media.audioTracks`). One that the viewer has
 * chosen plays in the next video too, where it has one in this language.
 */
import { Hls } from 'hls.js';
import { video } from './playerPage.js';
import { keepText, keptText } from './storage.js';

const key = 'audio-language';
const surroundChannels = 6;

/** A list with events, as browsers have one of what they play themselves. */
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

/** To be called before a playlist is loaded. */
export function listAudioTracks(hls) {
  const sounds = new AudioTrackList();
  // Of an element of Safari, the list can only be read.
  Object.defineProperty(video, 'audioTracks', { value: sounds });
  const language = keptText(key);
  if (language !== null) hls.config.audioPreference = { lang: language };
  hls.on(Hls.Events.AUDIO_TRACKS_UPDATED, () =>
    sounds.replace(hls.audioTracks.map((track) => audioTrackOf(hls, track))),
  );
  hls.on(Hls.Events.AUDIO_TRACK_SWITCHING, () => sounds.changed());
}

function audioTrackOf(hls, { id, name, lang }) {
  return {
    ...{ id: String(id), kind: 'main', label: name, language: lang ?? '' },
    get enabled() {
      return hls.nextAudioTrack === id;
    },
    set enabled(isEnabled) {
      if (!isEnabled || hls.nextAudioTrack === id) return;
      // What is buffered plays on until the other track is there.
      hls.nextAudioTrack = id;
      keepText(key, lang || null);
    },
  };
}

/**
 * Of a playlist with surround sound, the levels with as many channels as this device plays: with both, hls.js would change from one to
 * the other with the bit rate.
 */
export function keepOneAudioTrack(hls) {
  const hasSurround = ({ audioGroups }) => audioGroups?.includes('surround') ?? false;
  if (!hls.levels.some(hasSurround)) return;
  const context = new AudioContext();
  const isWanted = context.destination.maxChannelCount >= surroundChannels;
  void context.close();
  for (const [index, level] of [...hls.levels.entries()].toReversed())
    if (hasSurround(level) !== isWanted) hls.removeLevel(index);
}
