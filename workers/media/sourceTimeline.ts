import type { DeclaredEnds } from './declaredEnd.js';
import { fileAddress, openingOptions } from './demuxers.js';
import { FramePaceMeter, type FramePace } from './framePace.js';
import { MediaFault } from './mediaFault.js';
import { isMediaFailure, type MediaRunner } from './runner.js';

/** Maximum duration of the last frame if the container does not declare the end of the video: the longest delay of a GIF. */
const maxLastFrameSeconds = 656;
/** Maximum duration of the last frame if the container declares an earlier end: a damaged header can contain any duration. */
const doubtfulLastFrameSeconds = 10;
/** Maximum distance between the end of the last frame and the declared end. */
const endToleranceSeconds = 1;

/** Maximum of keyframe times in memory, for choosing a thumbnail. */
const maxKeyframes = 2_000;

/** Measurements from the packets of a video stream, because container headers can be wrong. Times are in source seconds. */
export interface SourceTimeline extends FramePace {
  readonly packets: number;
  readonly startSeconds: number;
  /** End of the last frame. */
  readonly endSeconds: number;
  /** End of the last frame with the duration that the file declares for it, without a limit. */
  readonly lastPacketEndSeconds: number;
  /** Bits per second. */
  readonly bits: number;
  readonly keyframeSeconds: readonly number[];
}

/**
 * Reads the times and sizes of all packets, without decoding. Throws MediaFault if there are none, or if the stream is too long.
 */
export async function readSourceTimeline(
  runner: MediaRunner,
  source: { readonly path: string; readonly demuxer: string; readonly stream: number; readonly timeBase: number },
  limits: { readonly maxDurationSeconds: number },
  signal: AbortSignal,
  declared: DeclaredVideoEnd = { video: Number.NaN, isLastFrameKnown: true },
): Promise<SourceTimeline> {
  const reader = createSourceTimelineReader(source.timeBase, limits.maxDurationSeconds);
  const options = [
    '-select_streams',
    String(source.stream),
    '-show_entries',
    'packet=pts,dts,duration,size,flags',
    '-of',
    'csv=p=0',
  ];
  try {
    await runner.inspect([...openingOptions(source.demuxer), ...options, fileAddress(source.path)], {
      signal,
      onLine(line) {
        if (!reader.read(line))
          throw new MediaFault('content.failure.tooLong', `longer than ${limits.maxDurationSeconds} s`);
      },
    });
  } catch (error) {
    // The readable part of a truncated file is processed.
    if (!isMediaFailure(error) || reader.packets() === 0) throw asMediaFault(error);
  }
  return reader.timeline(declared);
}

/** The end of a video that the container declares. */
type DeclaredVideoEnd = Pick<DeclaredEnds, 'video' | 'isLastFrameKnown'>;

function asMediaFault(error: unknown): unknown {
  return isMediaFailure(error) ? new MediaFault('content.failure.unreadable', error.message) : error;
}

interface SourceTimelineReader {
  /** Reads one packet; false if the stream is too long. */
  read(line: string): boolean;
  packets(): number;
  timeline(declared: DeclaredVideoEnd): SourceTimeline;
}

/** Packets are read in decoding order. Those that an edit list removes (flag D) do not count. */
export function createSourceTimelineReader(timeBase: number, maxSeconds: number): SourceTimelineReader {
  let packets = 0;
  let bytes = 0;
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  let lastDuration = 0;
  const keyframes: number[] = [];
  const meter = new FramePaceMeter();
  const numeric = (text: string | undefined): number =>
    text === undefined || text === '' || text === 'N/A' ? Number.NaN : Number(text);
  return {
    read(line) {
      const [pts, dts, duration, size, flags = ''] = line.split(',');
      const tick = Number.isNaN(numeric(pts)) ? numeric(dts) : numeric(pts);
      if (Number.isNaN(tick) || flags.includes('D')) return true;
      packets += 1;
      bytes += numeric(size) || 0;
      meter.add(tick);
      if (tick < first) first = tick;
      if (tick >= last) [last, lastDuration] = [tick, numeric(duration) || 0];
      if (flags.includes('K') && keyframes.length < maxKeyframes) keyframes.push(tick * timeBase);
      return (last - first) * timeBase <= maxSeconds;
    },
    packets: () => packets,
    timeline(declared) {
      if (packets === 0) throw new MediaFault('content.failure.unreadable', 'no packet of video');
      const span = (last - first) * timeBase;
      const usual = packets > 1 && span > 0 ? span / (packets - 1) : 0.04;
      const claimed = declared.isLastFrameKnown ? Math.max(lastDuration * timeBase, usual) : usual;
      const ending = Math.min(claimed, Math.max(usual, maxEnding(last * timeBase + claimed, declared.video)));
      const seconds = span + ending;
      return {
        packets,
        startSeconds: first * timeBase,
        endSeconds: last * timeBase + ending,
        lastPacketEndSeconds: last * timeBase + claimed,
        ...meter.pace(usual, timeBase),
        bits: (bytes * 8) / seconds,
        keyframeSeconds: keyframes,
      };
    },
  };
}

function maxEnding(claimedEnd: number, declaredEnd: number): number {
  if (Number.isNaN(declaredEnd)) return maxLastFrameSeconds;
  return claimedEnd <= declaredEnd + endToleranceSeconds ? Number.POSITIVE_INFINITY : doubtfulLastFrameSeconds;
}
