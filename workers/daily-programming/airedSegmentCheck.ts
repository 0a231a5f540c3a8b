import { readFile } from 'node:fs/promises';
import { secondsOfFrames, type FrameRate } from '../../shared/media/frameRate.js';
import { samplesPerPacket } from '../../shared/media/audioPackets.js';
import {
  readFragments,
  readMp4Tracks,
  DamagedMediaError,
  type TrackFragment,
  type Mp4Track,
} from '../../shared/media/mp4/index.js';
import { PreparationFault } from './preparationWork.js';

/** Range of AAC packet numbers in a content; `end` is exclusive. */
export interface PacketRange {
  readonly first: number;
  readonly end: number;
}

/** The expected content of a segment. */
export interface ExpectedSegment {
  readonly frameRate: FrameRate;
  readonly firstFrame: number;
  /** Exclusive. */
  readonly endFrame: number;
  /** If absent, any consecutive packets are accepted. */
  readonly packets?: PacketRange;
}

/**
 * Checks that a segment file contains each expected frame and audio packet exactly once, at its time. The file may begin with its
 * initialisation segment, and may contain only video or only audio. Resolves with its audio packets, or null if it has none. Throws
 * PreparationFault, also if the file is not a segment.
 */
export async function checkSegment(
  initPath: string,
  path: string,
  expected: ExpectedSegment,
): Promise<PacketRange | null> {
  const name = path.split('/').slice(-2).join('/');
  try {
    const tracks = readMp4Tracks(await readFile(initPath));
    const fragments = await readFragments(path);
    const fragmentsOf = (kind: Mp4Track['kind']): TrackFragment[] => {
      const track = tracks.find((one) => one.kind === kind);
      return fragments.filter((fragment) => fragment.track === track?.id);
    };
    const video = tracks.find(({ kind }) => kind === 'video');
    const hasAudio = tracks.some(({ kind }) => kind === 'audio');
    const packets = packetsOf(fragmentsOf('audio'));
    const faults = [
      ...(video ? videoFaults(fragmentsOf('video'), video.timescale, expected) : []),
      ...(packets || !hasAudio ? [] : ['audio packets are not consecutive']),
      ...difference('the first packet is', packets?.first, expected.packets?.first),
      ...difference('the last packet is before', packets?.end, expected.packets?.end),
    ];
    if (faults.length > 0) throw new PreparationFault(`${name}: ${faults.join(', ')}`);
    return packets;
  } catch (error) {
    // Offsets in a damaged file may point past its end.
    if (error instanceof DamagedMediaError || error instanceof RangeError)
      throw new PreparationFault(`${name}: ${error.message}`, { cause: error });
    throw error;
  }
}

function videoFaults(
  fragments: readonly TrackFragment[],
  timescale: number,
  { frameRate, firstFrame, endFrame }: ExpectedSegment,
): string[] {
  const ticks = (frames: number): number => Math.round(secondsOfFrames(frames, frameRate) * timescale);
  const frames = endFrame - firstFrame;
  return [
    ...difference('frames', total(fragments, 'samples'), frames),
    ...difference(
      'the first frame is at',
      Math.min(...fragments.map(({ presentationTime }) => presentationTime)),
      ticks(firstFrame),
    ),
    ...difference('the frames last', total(fragments, 'duration'), ticks(frames)),
    ...(fragments[0]?.startsWithSync ? [] : ['no keyframe at the start']),
  ];
}

/** Null if there are no packets, or if a packet is missing or not at its time. */
function packetsOf(fragments: readonly TrackFragment[]): PacketRange | null {
  const [head] = fragments;
  if (!head) return null;
  const first = head.decodeTime / samplesPerPacket;
  let end = first;
  for (const { decodeTime, samples, duration } of fragments) {
    if (decodeTime !== end * samplesPerPacket || duration !== samples * samplesPerPacket) return null;
    end += samples;
  }
  return Number.isInteger(first) ? { first, end } : null;
}

function total(fragments: readonly TrackFragment[], of: 'samples' | 'duration'): number {
  return fragments.reduce((sum, fragment) => sum + fragment[of], 0);
}

function difference(what: string, found: number | undefined, expected: number | undefined): string[] {
  return expected === undefined || found === expected ? [] : [`${what} ${found} instead of ${expected}`];
}
