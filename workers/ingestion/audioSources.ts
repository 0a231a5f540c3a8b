import { undescribedTrack, audioTrackName, type ContentAudio } from '../../shared/content/audioTracks.js';
import type { SourceAudioTrack } from '../../shared/content/measuredSource.js';
import type { PlannedAudio } from '../../shared/content/plan.js';
import { firstPacketAt } from '../../shared/media/audioPackets.js';
import { chunkAt, type Grid } from '../../shared/media/grid.js';
import {
  hasPositions,
  encodeAudio,
  layOutAudio,
  MediaFault,
  isMediaFailure,
  type AudioSource,
  type EncodedAudio,
  type AudioStream,
  type ProbedSource,
} from '../media/index.js';
import type { IngestContext } from './storeMedia.js';

const [stereoChannels, surroundChannels] = [2, 6];

/** An audio stream of the source, as it was encoded. */
export interface EncodedAudioTrack extends SourceAudioTrack {
  /** Null if the stream cannot be decoded. */
  readonly encoded: EncodedAudio | null;
}

/** Options for opening the audio of a source. */
export interface AudioOpening extends Pick<AudioSource, 'demuxer' | 'originSeconds'> {
  /** Whether audio may be missing. */
  readonly hasVideo: boolean;
}

/**
 * The audio tracks to encode, the default stream first: each stream in stereo, and also in 5.1 if it has surround channels with
 * known positions.
 */
export function sourceAudioTracksOf({ audio, audioStreams }: ProbedSource): SourceAudioTrack[] {
  const isDefault = (stream: AudioStream): number => Number(stream.trackId === audio?.trackId);
  const ordered = audioStreams.toSorted((one, other) => isDefault(other) - isDefault(one));
  return ordered.flatMap(({ index: stream, trackId, channels, layout }) => {
    const from = { channels, layout };
    return [
      { stream, trackId, sound: 'audio' as const, channels: stereoChannels, from },
      ...(channels < surroundChannels || !hasPositions(from)
        ? []
        : [{ stream, trackId, sound: 'surround' as const, channels: surroundChannels, from }]),
    ];
  });
}

/** Encodes audio streams. A stream that cannot be decoded is left out, unless it is the default one, `required`. */
export async function encodeAudioTracks(
  ingest: IngestContext,
  opening: AudioOpening,
  sounds: readonly SourceAudioTrack[],
  required?: SourceAudioTrack,
): Promise<EncodedAudioTrack[]> {
  const all: EncodedAudioTrack[] = [];
  for (const sound of sounds) {
    const encoded = await encodeAudioTrack(ingest, opening, sound);
    if (encoded || sound === required) all.push({ ...sound, encoded });
  }
  return all;
}

/** The labels of the tracks that were not encoded because they cannot be decoded. */
export function leftOutTracks(
  sounds: readonly SourceAudioTrack[],
  encoded: readonly EncodedAudioTrack[],
  tracks: readonly ContentAudio[],
): string[] {
  const inStereo = <One extends SourceAudioTrack>(all: readonly One[]): One[] =>
    all.filter(({ sound }) => sound === 'audio');
  const plays = new Set(inStereo(encoded).flatMap((one) => (one.encoded ? [one.trackId] : [])));
  const lost = new Set(inStereo(sounds).flatMap(({ trackId }) => (plays.has(trackId) ? [] : [trackId])));
  return tracks.filter(({ trackId }) => lost.has(trackId)).map(({ label }) => label);
}

/** Null if the stream cannot be decoded but the source has video. */
async function encodeAudioTrack(
  ingest: IngestContext,
  { hasVideo, ...opening }: AudioOpening,
  { sound, trackId, stream, channels, from }: SourceAudioTrack,
): Promise<EncodedAudio | null> {
  const { ctx, path, run, folder } = ingest;
  try {
    return await encodeAudio(
      ctx.media.runner,
      folder,
      {
        ...{ path, ...opening, stream, channels, name: audioTrackName(sound, trackId), ...(from ? { from } : {}) },
        maxSeconds: ingest.limits.maxDurationSeconds + 1,
        // Gaps of some milliseconds between sections or encoder runs would add up, and their timestamps are exact.
        toleranceSeconds: ingest.isJoined || ingest.content.recorded ? 0.005 : 0.1,
        threads: ctx.config.worker.mediaThreads,
      },
      run,
    );
  } catch (error) {
    if (!isMediaFailure(error)) throw error;
    if (!hasVideo) throw new MediaFault('content.failure.unreadable', error.message);
    ctx.log.warn({ contentId: ingest.content.id, stream, detail: error.message }, 'audio cannot be decoded');
    return null;
  }
}

const silence: EncodedAudioTrack = {
  ...{ stream: 0, trackId: undescribedTrack.trackId, sound: 'audio', channels: stereoChannels, encoded: null },
};

/** The audio of a plan, before it is divided into chunks. */
export interface StoredAudio extends Omit<PlannedAudio, 'offsets'> {
  readonly offsetsOn: (grid: Grid) => readonly number[];
}

/**
 * Stores the audio that the chunk jobs of generations with these grids read; silence if the source has no audio. `tracks`: the
 * audio tracks of the source.
 */
export async function storeAudioTracks(
  ingest: IngestContext,
  grids: readonly [Grid, ...Grid[]],
  sounds: readonly EncodedAudioTrack[],
  tracks: readonly ContentAudio[],
): Promise<StoredAudio[]> {
  const { ctx, folder, run } = ingest;
  const packetCount = firstPacketAt(grids[0].frameCount, grids[0].frameRate);
  const starts = [...new Set(grids.flatMap(packetStarts))].toSorted((left, right) => left - right);
  const stored: StoredAudio[] = [];
  for (const { trackId, sound, channels, encoded } of sounds.length > 0 ? sounds : [silence]) {
    const layout = { packets: packetCount, starts, channels };
    const { body, offsets } = await layOutAudio(ctx.media.runner, folder, encoded, layout, run);
    const name = audioTrackName(sound, trackId);
    const key = `${ingest.storeFolder}/${name}.aac`;
    await ctx.storage.put(key, body, { contentType: 'audio/aac', signal: run.signal });
    const { language, label } = tracks.find((track) => track.trackId === trackId) ?? undescribedTrack;
    const offsetOf = new Map(starts.map((start, index) => [start, offsets[index] ?? 0]));
    const offsetsOn = (grid: Grid): number[] => packetStarts(grid).map((start) => offsetOf.get(start) ?? 0);
    stored.push({ name, language, label, channels, key, packetCount, offsetsOn });
  }
  return stored;
}

/** The audio of a plan, divided by this grid. */
export function audioOn(grid: Grid, audio: readonly StoredAudio[]): PlannedAudio[] {
  return audio.map(({ offsetsOn, ...one }) => ({ ...one, offsets: offsetsOn(grid) }));
}

/** The first packet of each chunk, then the end packet (exclusive). */
function packetStarts(grid: Grid): number[] {
  const starts = Array.from({ length: grid.chunkCount }, (_, position) => chunkAt(grid, position).firstPacket);
  return [...starts, firstPacketAt(grid.frameCount, grid.frameRate)];
}
