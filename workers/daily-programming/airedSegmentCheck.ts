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

/** Numbers of AAC packets of a content; `end` is exclusive. */
export interface PacketRange {
  readonly first: number;
  readonly end: number;
}

/** What a segment must contain. */
export interface ExpectedSegment {
  readonly frameRate: FrameRate;
  readonly firstFrame: number;
  /** Exclusive. */
  readonly endFrame: number;
  /**
   * Without it: any packets that follow each other.
   */
  readonly packets?: PacketRange;
}

/**
 * Checks a segment file against what it must contain: every frame and every audio packet, once, at its time. The file may
 * begin with its initialisation segment, and have one of both alone. Resolves with its audio packets; null: it has none. Throws PreparationFault, also where the bytes are
 * not a segment.
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
      ...(packets || !hasAudio ? [] : ['its audio packets do not follow each other']),
      ...difference('the first packet is', packets?.first, expected.packets?.first),
      ...difference('the last packet is before', packets?.end, expected.packets?.end),
    ];
    if (faults.length > 0) throw new PreparationFault(`${name}: ${faults.join(', ')}`);
    return packets;
  } catch (error) {
    // Numbers of a damaged file lead out of it.
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
    ...(fragments[0]?.startsWithSync ? [] : ['it does not begin with a keyframe']),
  ];
}

/** Null where there are none, or some are missing or not at the time of a packet. */
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
