import { segmentStart, type Grid } from '../../media/grid.js';
import { type AiredContent, type AiredMedia, shortestRest, type Slot, type Timetable } from './timetable.js';
import type { Airing, NextSegment } from './airing.js';

type ContentMedia = Extract<AiredMedia, { kind: 'CONTENT' }>;

/** A program that begins later than this begins within its content, where it would be now. */
const latestWholeStart = 1_500_000;
/** Where no cut is stored, a whole segment may last so much longer than the program. */
const maxExcess = 1_000_000;
/** After the slate, a program returns to its content only where it can play this much of it. */
const shortestReturn = 30_000_000;
/** A longer segment would exceed the target duration of the playlists. */
const maxCut = 4_490_000;

/**
 * The next segment of a content. Whole segments while they fit; before and behind them segments that were cut at a
 * frame. Where a cut is not stored: the nearest segment at the beginning, and at the end the slate (null), unless almost
 * all of the segment fits. Null also where the content is over, and for a short rest after the slate.
 */
export function nextContentSegment(
  timetable: Timetable,
  slot: Slot,
  { content, offsetSeconds }: ContentMedia,
): NextSegment | null {
  const { grid } = content;
  const first = firstFrame(slot, content, offsetSeconds);
  const end = Math.min(grid.frameCount, first + framesIn(grid, slot.rest));
  if (microsecondsOf(grid, end - first) < (isAfterSlate(slot) ? shortestReturn : shortestRest)) return null;
  const segment = segmentAt(grid, first);
  if (segmentStart(grid, segment) !== first) return headSegment(timetable, slot, content, { first, end, segment });
  if (segmentStart(grid, segment + 1) <= end) return wholeSegment(slot, content, segment);
  return cutSegment(timetable, slot, content, first, end) ?? nearlyWholeSegment(slot, content, segment);
}

/** The program has shown the slate: its content was over, or could not be played until now. */
function isAfterSlate({ last, program }: Slot): boolean {
  return last?.programId === program.programId && last.source.kind === 'SLATE';
}

/** The frame with which a program goes on. */
function firstFrame(slot: Slot, content: AiredContent, offsetSeconds: number): number {
  const { last, program, time } = slot;
  const { grid } = content;
  if (last?.programId === program.programId) {
    const played = playedFrames(last, content);
    if (played !== null) return played;
  }
  const late = time - program.startsAt;
  const offset = framesIn(grid, offsetSeconds * 1e6);
  return late < latestWholeStart ? offset : nearestStart(grid, offset + framesIn(grid, late));
}

/** Up to which frame an airing has played a content. Null: it plays something else. */
function playedFrames({ source, durations }: Airing, { contentId, generation, grid }: AiredContent): number | null {
  if (source.kind !== 'CONTENT' && source.kind !== 'CUT') return null;
  if (source.contentId !== contentId || source.generation !== generation) return null;
  return source.kind === 'CUT' ? source.endFrame : segmentStart(grid, source.first + durations.length);
}

/** A program that begins between two segments: a cut up to the next one. A cut that would be too short takes the next one too. */
function headSegment(
  timetable: Timetable,
  slot: Slot,
  content: AiredContent,
  { first, end, segment }: { first: number; end: number; segment: number },
): NextSegment | null {
  const cut = cutSegment(timetable, slot, content, first, Math.min(end, headEnd(content, first, segment)));
  return cut ?? nearlyWholeSegment(slot, content, segmentAt(content.grid, nearestStart(content.grid, first)));
}

/** Where the cut before the first whole segment ends. */
function headEnd({ grid }: AiredContent, first: number, segment: number): number {
  const next = segmentStart(grid, segment + 1);
  if (microsecondsOf(grid, next - first) >= shortestRest) return next;
  const afterNext = segmentStart(grid, segment + 2);
  return microsecondsOf(grid, afterNext - first) <= maxCut ? afterNext : Math.round((next + afterNext) / 2);
}

/** A segment that fits into the program, or almost. */
function nearlyWholeSegment(slot: Slot, content: AiredContent, segment: number): NextSegment | null {
  const whole = wholeSegment(slot, content, segment);
  return whole.duration <= slot.rest + maxExcess ? whole : null;
}

function wholeSegment({ program }: Slot, { contentId, generation, grid }: AiredContent, segment: number): NextSegment {
  return {
    programId: program.programId,
    source: { kind: 'CONTENT', contentId, generation, first: segment },
    duration: microsecondsOf(grid, segmentStart(grid, segment + 1) - segmentStart(grid, segment)),
  };
}

function cutSegment(
  timetable: Timetable,
  { program }: Slot,
  content: AiredContent,
  first: number,
  end: number,
): NextSegment | null {
  const { contentId, generation, grid } = content;
  const cut = timetable.cut(content, first, end);
  if (!cut) return null;
  const { cutId, endFrame } = cut;
  return {
    programId: program.programId,
    source: { kind: 'CUT', cutId, contentId, generation, firstFrame: first, endFrame, first: 0 },
    duration: microsecondsOf(grid, endFrame - first),
  };
}

/** The segment that contains a frame. */
function segmentAt(grid: Grid, frame: number): number {
  return Math.min(grid.segmentCount - 1, Math.floor(frame / grid.framesPerSegment));
}

function nearestStart(grid: Grid, frame: number): number {
  const segment = segmentAt(grid, frame);
  const [start, next] = [segmentStart(grid, segment), segmentStart(grid, segment + 1)];
  return frame - start <= next - frame ? start : next;
}

function framesIn({ frameRate: [rate, scale] }: Grid, microseconds: number): number {
  return Math.round((microseconds * rate) / (scale * 1e6));
}

function microsecondsOf({ frameRate: [rate, scale] }: Grid, frames: number): number {
  return Math.round((frames * scale * 1e6) / rate);
}
