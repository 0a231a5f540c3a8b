import { segmentFrames, segmentStart, type Chunk } from '../../shared/media/grid.js';
import { secondsOfFrames } from '../../shared/media/frameRate.js';
import { audioSampleRate, firstPacketAt, samplesPerPacket } from '../../shared/media/audioPackets.js';
import type { ContentPlan } from '../../shared/content/plan.js';
import { type TrackFragment } from '../../shared/media/mp4/fragments.js';
import { readMp4Tracks } from '../../shared/media/mp4/tracks.js';
import { MediaError } from '../media/runner.js';

/** Video and audio of a segment begin at most so many audio packets apart. */
const packetsApart = 1;

/** Checks the segments of one rendition against the plan: every frame and every audio packet of the chunk, once, at its time. */
export interface SegmentCheck {
  /** To be called for each segment, in order. Throws MediaError. */
  segment(segment: number, fragments: readonly TrackFragment[]): void;
  /** To be called after the last segment. Throws MediaError. */
  finish(segments: number): void;
}

export function createSegmentCheck(plan: ContentPlan, chunk: Chunk, rendition: string, init: Buffer): SegmentCheck {
  const wrong = (what: string): never => {
    throw new MediaError(`chunk ${chunk.position}, ${rendition}: ${what}`);
  };
  const tracks = init.length === 0 ? [] : readMp4Tracks(init);
  const video = tracks.find(({ kind }) => kind === 'video');
  const audio = tracks.find(({ kind }) => kind === 'audio');
  let packets = 0;

  function checkVideo(segment: number, fragments: readonly TrackFragment[], timescale: number): void {
    const frames = fragments.reduce((sum, fragment) => sum + fragment.samples, 0);
    const planned = segmentFrames(plan, segment);
    if (frames !== planned) wrong(`segment ${segment} has ${frames} frames instead of ${planned}`);
    const start = Math.round(secondsOfFrames(segmentStart(plan, segment), plan.frameRate) * timescale);
    const presented = Math.min(...fragments.map((fragment) => fragment.presentationTime));
    if (presented !== start) wrong(`segment ${segment} starts at ${presented} instead of ${start} of ${timescale}`);
    const decoded = Math.min(...fragments.map((fragment) => fragment.decodeTime));
    if (decoded < 0) wrong(`segment ${segment} is decoded from ${decoded}, before its timeline begins`);
    if (fragments.some((fragment) => !fragment.uniform)) wrong(`segment ${segment} has frames of unequal length`);
  }

  function checkAudio(segment: number, fragments: readonly TrackFragment[], timescale: number): void {
    if (timescale !== audioSampleRate) wrong(`audio at ${timescale} Hz`);
    const early = firstPacketAt(segmentStart(plan, segment), plan.frameRate) - chunk.firstPacket - packets;
    if (Math.abs(early) > packetsApart)
      wrong(`the audio of segment ${segment} starts ${early} packets before its first frame`);
    for (const fragment of fragments) {
      const start = (chunk.firstPacket + packets) * samplesPerPacket;
      if (fragment.decodeTime !== start)
        wrong(`the audio of segment ${segment} starts at ${fragment.decodeTime} instead of ${start}`);
      if (fragment.duration !== fragment.samples * samplesPerPacket)
        wrong(`segment ${segment} has packets of unequal length`);
      packets += fragment.samples;
    }
  }

  return {
    segment(segment, fragments) {
      if (!video || !audio) return wrong('video or audio is missing');
      checkVideo(
        segment,
        fragments.filter(({ track }) => track === video.id),
        video.timescale,
      );
      checkAudio(
        segment,
        fragments.filter(({ track }) => track === audio.id),
        audio.timescale,
      );
    },
    finish(segments) {
      if (segments !== chunk.segmentCount) wrong(`${segments} segments instead of ${chunk.segmentCount}`);
      if (packets !== chunk.packetCount) wrong(`${packets} audio packets instead of ${chunk.packetCount}`);
    },
  };
}
