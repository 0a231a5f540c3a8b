import { segmentStart, type Grid } from '../../media/grid.js';
import { type AiredContent, type AiredMedia, shortestRest, type Slot, type Timetable } from './timetable.js';
import type { Airing, NextSegment } from './airing.js';

type ContentMedia = Extract<AiredMedia, { kind: 'CONTENT' }>;

/** A program that begins with a longer delay skips the missed part of its content. */
const maxStartDelay = 1_500_000;
/** If no cut is stored, a complete segment may exceed the end of the program by at most this. */
const maxExcess = 1_000_000;
/** After the slate, a program returns to its content only if it can play at least this much of it. */
const minResumption = 30_000_000;
/** A longer segment would exceed the target duration of the playlists. */
const maxCut = 4_490_000;

/**
 * The next segment of a content: complete segments while they fit, with cuts before and after them. If a cut is not stored,
 * the program starts with the nearest segment, and ends with the slate (null) unless the segment almost fits. Also null if
 * the content is over, and if little time remains after the slate.
 */
export function nextContentSegment(
  timetable: Timetable,
  slot: Slot,
  { content, offsetSeconds }: ContentMedia,
): NextSegment | null {
  const { grid } = content;
  const first = firstFrame(slot, content, offsetSeconds);
  const end = Math.min(grid.frameCount, first + framesIn(grid, slot.rest));
  if (microsecondsOf(grid, end - first) < (isAfterSlate(slot) ? minResumption : shortestRest)) return null;
  const segment = segmentAt(grid, first);
  if (segmentStart(grid, segment) !== first) return headSegment(timetable, slot, content, { first, end, segment });
  if (segmentStart(grid, segment + 1) <= end) return completeSegment(slot, content, segment);
  return cutSegment(timetable, slot, content, first, end) ?? nearlyCompleteSegment(slot, content, segment);
}

/** Whether the program has just shown the slate: its content was over, or could not be played until now. */
function isAfterSlate({ last, program }: Slot): boolean {
  return last?.programId === program.programId && last.source.kind === 'SLATE';
}

/** The next frame of a program. */
function firstFrame(slot: Slot, content: AiredContent, offsetSeconds: number): number {
  const { last, program, time } = slot;
  const { grid } = content;
  if (last?.programId === program.programId) {
    const played = playedFrames(last, content);
    if (played !== null) return played;
  }
  const late = time - program.startsAt;
  const offset = framesIn(grid, offsetSeconds * 1e6);
  return late < maxStartDelay ? offset : nearestStart(grid, offset + framesIn(grid, late));
}

/** The frame of a content after an airing. Null: the airing plays something else. */
function playedFrames({ source, durations }: Airing, { contentId, generation, grid }: AiredContent): number | null {
  if (source.kind !== 'CONTENT' && source.kind !== 'CUT') return null;
  if (source.contentId !== contentId || source.generation !== generation) return null;
  return source.kind === 'CUT' ? source.endFrame : segmentStart(grid, source.first + durations.length);
}

/** For a start inside a segment: a cut up to the next segment. A cut that would be too short also covers the next segment. */
function headSegment(
  timetable: Timetable,
  slot: Slot,
  content: AiredContent,
  { first, end, segment }: { first: number; end: number; segment: number },
): NextSegment | null {
  const cut = cutSegment(timetable, slot, content, first, Math.min(end, headEnd(content, first, segment)));
  return cut ?? nearlyCompleteSegment(slot, content, segmentAt(content.grid, nearestStart(content.grid, first)));
}

/** The end frame of the cut before the first complete segment. */
function headEnd({ grid }: AiredContent, first: number, segment: number): number {
  const next = segmentStart(grid, segment + 1);
  if (microsecondsOf(grid, next - first) >= shortestRest) return next;
  const afterNext = segmentStart(grid, segment + 2);
  return microsecondsOf(grid, afterNext - first) <= maxCut ? afterNext : Math.round((next + afterNext) / 2);
}

/** A complete segment that exceeds the program's end by at most `maxExcess`. */
function nearlyCompleteSegment(slot: Slot, content: AiredContent, segment: number): NextSegment | null {
  const complete = completeSegment(slot, content, segment);
  return complete.duration <= slot.rest + maxExcess ? complete : null;
}

function completeSegment(
  { program }: Slot,
  { contentId, generation, grid }: AiredContent,
  segment: number,
): NextSegment {
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
