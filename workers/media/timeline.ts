import { fileAddress, openingOptions } from './demuxers.js';
import { MediaFault } from './mediaFault.js';
import { isRefusal, type MediaRunner } from './runner.js';

/** Times of so many keyframes are kept, for the choice of a thumbnail. */
const keptKeyframes = 2_000;
/** The usual distance of frames is read off so many of them. */
const measuredFrames = 5_000;

/** What the packets of a video stream truly are, whatever the container's headers claim. Seconds in source time. */
export interface Timeline {
  readonly packets: number;
  readonly startSeconds: number;
  /** End of the last frame. */
  readonly endSeconds: number;
  readonly framesPerSecond: number;
  readonly bits: number;
  readonly keyframeSeconds: readonly number[];
}

/** Reads the index of every packet, decoding nothing. Throws MediaFault where there is no packet, or where it never ends. */
export async function readTimeline(
  runner: MediaRunner,
  source: { readonly path: string; readonly demuxer: string; readonly stream: number; readonly timeBase: number },
  limits: { readonly maximumDurationSeconds: number; readonly stallSeconds: number },
  signal: AbortSignal,
): Promise<Timeline> {
  const reader = createTimelineReader(source.timeBase, limits.maximumDurationSeconds);
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
      stallSeconds: limits.stallSeconds,
      onLine(line) {
        if (!reader.read(line))
          throw new MediaFault('content.failure.tooLong', `longer than ${limits.maximumDurationSeconds} s`);
      },
    });
  } catch (error) {
    // A file that breaks off somewhere is worth what could be read of it.
    if (!isRefusal(error) || reader.packets() === 0) throw asFault(error);
  }
  return reader.timeline();
}

function asFault(error: unknown): unknown {
  return isRefusal(error) ? new MediaFault('content.failure.unreadable', error.message) : error;
}

interface TimelineReader {
  /** Takes one packet; false where the stream is longer than allowed. */
  read(line: string): boolean;
  packets(): number;
  timeline(): Timeline;
}

/** Packets come in decoding order; those that an edit list takes out (flag D) count for nothing. */
export function createTimelineReader(timeBase: number, maximumSeconds: number): TimelineReader {
  let packets = 0;
  let bytes = 0;
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  let lastDuration = 0;
  const keyframes: number[] = [];
  const measured: number[] = [];
  const numeric = (text: string | undefined): number =>
    text === undefined || text === '' || text === 'N/A' ? Number.NaN : Number(text);
  return {
    read(line) {
      const [pts, dts, duration, size, flags = ''] = line.split(',');
      const tick = Number.isNaN(numeric(pts)) ? numeric(dts) : numeric(pts);
      if (Number.isNaN(tick) || flags.includes('D')) return true;
      packets += 1;
      bytes += numeric(size) || 0;
      if (measured.length < measuredFrames) measured.push(tick);
      if (tick < first) first = tick;
      if (tick >= last) [last, lastDuration] = [tick, numeric(duration) || 0];
      if (flags.includes('K') && keyframes.length < keptKeyframes) keyframes.push(tick * timeBase);
      return (last - first) * timeBase <= maximumSeconds;
    },
    packets: () => packets,
    timeline() {
      if (packets === 0) throw new MediaFault('content.failure.unreadable', 'no packet of video');
      const span = (last - first) * timeBase;
      const usual = packets > 1 && span > 0 ? span / (packets - 1) : 0.04;
      // A last frame may be shown for long (slides), but not for as long as a broken header says.
      const ending = Math.min(Math.max(lastDuration * timeBase, usual), Math.max(usual, 10));
      const seconds = span + ending;
      return {
        packets,
        startSeconds: first * timeBase,
        endSeconds: last * timeBase + ending,
        framesPerSecond: paceOf(1 / usual, 1 / (usualGap(measured) * timeBase)),
        bits: (bytes * 8) / seconds,
        keyframeSeconds: keyframes,
      };
    },
  };
}

/** Frames a second: the average, unless most frames follow one another faster, as where a camera leaves some out. */
function paceOf(average: number, usual: number): number {
  return Number.isFinite(usual) && usual > average * 1.05 ? usual : average;
}

/** The usual distance between neighbours: the mean of those near the middle one, since containers round; NaN where there is none. */
function usualGap(ticks: readonly number[]): number {
  const sorted = ticks.toSorted((left, right) => left - right);
  const gaps = sorted.slice(1).map((tick, index) => tick - (sorted[index] as number));
  const middle = gaps.toSorted((left, right) => left - right)[Math.floor(gaps.length / 2)] ?? Number.NaN;
  const near = gaps.filter((gap) => Math.abs(gap - middle) <= middle * 0.25);
  return near.reduce((sum, gap) => sum + gap, 0) / near.length;
}
