import { segmentFrames, segmentStart, type Chunk, type Grid } from '../../shared/media/grid.js';
import { secondsOfFrames } from '../../shared/media/frameRate.js';
import { readMp4Tracks, type TrackFragment } from '../../shared/media/mp4/index.js';
import { MediaError } from '../media/index.js';

/**
 * Checks the segments of one rendition against the plan: they contain each frame of the chunk exactly once, at its planned time.
 */
export interface SegmentCheck {
  /** Called for each segment, in order. Throws MediaError. */
  segment(segment: number, fragments: readonly TrackFragment[]): void;
  /** Called after the last segment. Throws MediaError. */
  finish(segments: number): void;
}

export function createSegmentCheck(plan: Grid, chunk: Chunk, rendition: string, init: Buffer): SegmentCheck {
  const wrong = (what: string): never => {
    throw new MediaError(`chunk ${chunk.position}, ${rendition}: ${what}`);
  };
  const tracks = init.length === 0 ? [] : readMp4Tracks(init);
  const video = tracks.find(({ kind }) => kind === 'video');

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

  return {
    segment(segment, fragments) {
      if (!video) return wrong('video is missing');
      checkVideo(
        segment,
        fragments.filter(({ track }) => track === video.id),
        video.timescale,
      );
    },
    finish(segments) {
      if (segments !== chunk.segmentCount) wrong(`${segments} segments instead of ${chunk.segmentCount}`);
    },
  };
}
