import { undescribedTrack } from '../../../shared/content/audioTracks.js';
import { copiedFolder, generationFolder } from '../../../shared/content/storageKeys.js';
import {
  audioInitialisation,
  aacCodec,
  codecsOf,
  frameSizeOf,
  DamagedMediaError,
  singleTrackInitialisation,
  readMp4Tracks,
  type Mp4Track,
} from '../../../shared/media/mp4/index.js';
import { readAll, type SegmentCopy } from './segmentCopy.js';
import { recordedAudioTrackName, type TrackMap, type VideoMap } from './sections.js';

/** A live initialisation segment, divided and stored. */
export interface RecordedMap {
  /** The tracks of the live initialisation segment. */
  readonly tracks: readonly Mp4Track[];
  readonly video: VideoMap;
  /** The initialisation segment of silence if there is no audio. */
  readonly audio: TrackMap;
  readonly hasAudio: boolean;
}

/**
 * Divides live initialisation segments into tracks, and stores each once: live names are derived from the bytes. Throws
 * DamagedMediaError.
 */
export class RecordedMaps {
  readonly #stored = new Map<string, Promise<RecordedMap>>();

  constructor(private readonly copy: SegmentCopy) {}

  /** `mapKey`: storage key of the live initialisation segment. */
  get(mapKey: string): Promise<RecordedMap> {
    const known = this.#stored.get(mapKey) ?? this.#divide(mapKey);
    this.#stored.set(mapKey, known);
    return known;
  }

  async #divide(mapKey: string): Promise<RecordedMap> {
    const init = await readAll(this.copy.ctx, mapKey);
    const tracks = readMp4Tracks(init);
    const { width, height } = frameSizeOf(init);
    if (width === 0 || height === 0) throw new DamagedMediaError(`frames of ${width} x ${height}`);
    const name = mapKey.slice(mapKey.lastIndexOf('/') + 1);
    const video = singleTrackInitialisation(init, 'video');
    const hasAudio = tracks.some(({ kind }) => kind === 'audio');
    const [audioName, audio] = hasAudio
      ? [`${recordedAudioTrackName}-${name}`, singleTrackInitialisation(init, 'audio')]
      : [`${recordedAudioTrackName}-silence.mp4`, audioInitialisation(undescribedTrack.channels)];
    return {
      tracks,
      video: { ...(await this.#store(name, video)), width, height, codecs: codecsOf(video) },
      audio: { ...(await this.#store(audioName, audio)), codecs: aacCodec },
      hasAudio,
    };
  }

  async #store(name: string, init: Buffer): Promise<Pick<TrackMap, 'key' | 'bytes'>> {
    const { ctx, content, signal } = this.copy;
    const key = `${copiedFolder(0, content.attempt)}/${name}`;
    const options = { contentType: 'video/mp4', signal };
    await ctx.storage.put(`${generationFolder(content, content.generation)}/${key}`, init, options);
    return { key, bytes: init.length };
  }
}
