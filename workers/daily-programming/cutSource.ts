import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { CastCut } from '../../shared/cast/cast.model.js';
import { segmentStart, type Grid } from '../../shared/media/grid.js';
import { firstPacketAt } from '../../shared/media/audioPackets.js';
import { findContent } from '../../shared/content/content.queries.js';
import { renditionSizes, type StoredRenditionSize } from '../../shared/content/rendition.service.js';
import { audioTrackName, undescribedTrack } from '../../shared/content/audioTracks.js';
import type { GenerationFiles, SegmentedRendition } from '../../shared/content/segmentFiles.js';
import { PreparationFault, type PreparationWork } from './preparationWork.js';
import { checkSegment, type PacketRange } from './airedSegmentCheck.js';

/** The frame range of a cut. */
export type Cut = Pick<CastCut, 'contentId' | 'generation' | 'firstFrame' | 'endFrame'>;

/** The stored segments that contain the frames of a cut. */
export interface CutSource {
  readonly grid: Grid;
  readonly renditions: readonly StoredRenditionSize[];
  /** The first frame of the first segment, and the end frame (exclusive) of the last segment. */
  readonly firstFrame: number;
  readonly endFrame: number;
  readonly firstSegment: number;
  readonly endSegment: number;
}

/** A cut spans two segments, or three if it is extended to the minimum length. */
const maxSegments = 3;
/** Far more than a segment at the highest bit rate: a larger file is not one of this service. */
const largestFileBytes = 64 * 1024 ** 2;

/**
 * The segments and renditions that a cut is encoded from. Throws PreparationFault if the content has no such frames, or plays
 * another generation.
 */
export async function cutSource(
  { ctx }: Pick<PreparationWork, 'ctx'>,
  { contentId, generation, firstFrame, endFrame }: Cut,
): Promise<CutSource> {
  const content = await findContent(ctx, contentId);
  const grid = content?.readyGrid;
  if (!grid || content.state !== 'READY' || content.readyGeneration !== generation)
    throw new PreparationFault(`generation ${generation} of the content does not play`);
  if (!(firstFrame >= 0 && firstFrame < endFrame && endFrame <= grid.frameCount))
    throw new PreparationFault(`the content has ${grid.frameCount} frames, not ${firstFrame} to ${endFrame}`);
  const segmentAt = (frame: number): number =>
    Math.min(grid.segmentCount - 1, Math.floor(frame / grid.framesPerSegment));
  const firstSegment = segmentAt(firstFrame);
  const endSegment = segmentAt(endFrame - 1) + 1;
  if (endSegment - firstSegment > maxSegments)
    throw new PreparationFault(`frames ${firstFrame} to ${endFrame} are more than ${maxSegments} segments`);
  return {
    grid,
    renditions: await renditionSizes(ctx, { contentId, generation }),
    firstSegment,
    endSegment,
    firstFrame: segmentStart(grid, firstSegment),
    endFrame: segmentStart(grid, endSegment),
  };
}

/** File name of a rendition's joined segments, after their initialisation segment, in the folder of the rendition. */
export const joinedName = 'joined.mp4';

/** The audio packets of a cut, and the file that contains them. */
export interface CutAudio {
  /** `audioTrackName`. */
  readonly name: string;
  readonly path: string;
  /** The packets in the file. */
  readonly stored: PacketRange;
  readonly packets: PacketRange;
}

/** Joins the segments of each rendition into one file, and checks them against the plan. Throws PreparationFault, NotFoundError. */
export async function fetchVideo(work: PreparationWork, stored: GenerationFiles, source: CutSource): Promise<void> {
  const { grid, renditions, firstFrame, endFrame } = source;
  for (const { name } of renditions) {
    const path = join(work.folder, name, joinedName);
    await mkdir(join(work.folder, name));
    await joinSegments(work, path, fileOfRendition(stored.video, name), source);
    await checkSegment(path, path, { ...grid, firstFrame, endFrame });
  }
}

/**
 * Fetches the audio of the cut in each track. If the content has no separate audio files, the files of each rendition contain its
 * audio. Throws PreparationFault, NotFoundError.
 */
export async function fetchAudio(
  work: PreparationWork,
  stored: GenerationFiles,
  cut: Cut,
  source: CutSource,
): Promise<CutAudio[]> {
  const [lowest] = stored.video;
  const tracks = stored.audio.length > 0 || !lowest ? stored.audio : [{ ...lowest, name: muxedName }];
  const audio: CutAudio[] = [];
  for (const track of tracks) audio.push(await fetchTrack(work, track, cut, source));
  return audio;
}

const muxedName = audioTrackName('audio', undescribedTrack.trackId);

/**
 * If the cut begins or ends at a segment boundary, its audio does too, and is continuous with the adjacent segment. Otherwise the
 * cut has the packets that begin while its frames are shown.
 */
async function fetchTrack(
  work: PreparationWork,
  { name, fileOf }: SegmentedRendition,
  cut: Cut,
  { grid, firstSegment, endSegment, firstFrame, endFrame }: CutSource,
): Promise<CutAudio> {
  const path = join(work.folder, `${name}.mp4`);
  const packetsUntil = async (end: number): Promise<PacketRange> => {
    await joinSegments(work, path, fileOf, { firstSegment, endSegment: end });
    const packets = await checkSegment(path, path, { ...grid, firstFrame, endFrame: segmentStart(grid, end) });
    if (!packets) throw new PreparationFault('the content has no audio');
    return packets;
  };
  const own = await packetsUntil(endSegment);
  const first = cut.firstFrame === firstFrame ? own.first : Math.max(own.first, packetAt(grid, cut.firstFrame));
  const end = cut.endFrame === endFrame ? own.end : packetAt(grid, cut.endFrame);
  // The last packets of the cut may be in the next segment.
  const all = end > own.end && endSegment < grid.segmentCount ? await packetsUntil(endSegment + 1) : own;
  return { name, path, stored: all, packets: { first, end: Math.min(end, all.end) } };
}

function packetAt({ frameRate }: Grid, frame: number): number {
  return firstPacketAt(frame, frameRate);
}

type FileOf = SegmentedRendition['fileOf'];

function fileOfRendition(stored: readonly SegmentedRendition[], name: string): FileOf {
  const rendition = stored.find((one) => one.name === name);
  if (!rendition) throw new PreparationFault(`${name} is not stored`);
  return rendition.fileOf;
}

async function joinSegments(
  { ctx, run }: PreparationWork,
  path: string,
  fileOf: FileOf,
  { firstSegment, endSegment }: Pick<CutSource, 'firstSegment' | 'endSegment'>,
): Promise<void> {
  const files = Array.from({ length: endSegment - firstSegment }, (_, index) => fileOf(firstSegment + index));
  const keys = [...new Set(files.map(({ map }) => map)), ...files.map(({ key }) => key)];
  const parts = async function* parts() {
    for (const key of keys) {
      const stored = await ctx.storage.stat(key);
      if (!stored) throw new PreparationFault(`${key} is missing`);
      if (stored.bytes > largestFileBytes) throw new PreparationFault(`${key} has ${stored.bytes} bytes`);
      yield* await ctx.storage.read(key);
    }
  };
  await pipeline(parts, createWriteStream(path), { signal: run.signal });
}
