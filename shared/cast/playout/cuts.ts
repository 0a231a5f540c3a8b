import { extendAirings, type Decided } from './extendAirings.js';
import type { AiringSource } from './airing.js';
import type { AiredContent, AiredCut, AiredProgram, Timetable } from './timetable.js';

/** A cut that the channel will play if it is stored in time. */
export interface RequestedCutOfProgram {
  readonly source: Extract<AiringSource, { kind: 'CUT' }>;
  /** Null: it is not stored. */
  readonly cutId: string | null;
  /** End of its program: microseconds since 1970. */
  readonly programEndsAt: number;
}

const notStored = '';

/**
 * The predictable cuts that a channel will play until `until`: runs `extendAirings` as if all cuts were stored and live
 * programs lasted exactly as long as programmed. A program after a live one begins up to a second earlier or later. The cut
 * at its end depends on that start, and is not included.
 */
export function requestedCuts(timetable: Timetable, decided: Decided, until: number): RequestedCutOfProgram[] {
  const uncertain = programsAfterLive(timetable.programs);
  const isUncertainEnd = (content: AiredContent, endFrame: number): boolean =>
    uncertain.has(content) && endFrame % content.grid.framesPerSegment !== 0 && endFrame !== content.grid.frameCount;
  const airings = extendAirings(
    {
      programs: timetable.programs.map((program) =>
        program.media.kind === 'LIVE' ? { ...program, media: { kind: 'SLATE' } } : program,
      ),
      liveSegments: () => [],
      cut: (content, firstFrame, endFrame) =>
        timetable.cut(content, firstFrame, endFrame) ??
        (isUncertainEnd(content, endFrame) ? null : { cutId: notStored, endFrame }),
      slate: (time) => timetable.slate(time) ?? notStored,
    },
    decided,
    until,
    Number.POSITIVE_INFINITY,
  );
  return airings.flatMap(({ source, programId }) => {
    const program = timetable.programs.find((one) => one.programId === programId);
    if (source.kind !== 'CUT' || !program) return [];
    return [{ source, cutId: source.cutId === notStored ? null : source.cutId, programEndsAt: program.endsAt }];
  });
}

/** The contents of programs that follow a live one. */
function programsAfterLive(programs: readonly AiredProgram[]): ReadonlySet<AiredContent> {
  return new Set(
    programs.flatMap(({ media, startsAt }, index) => {
      const before = programs[index - 1];
      const followsLive = before?.media.kind === 'LIVE' && before.endsAt === startsAt;
      return media.kind === 'CONTENT' && followsLive ? [media.content] : [];
    }),
  );
}

/** A cut whose files are stored. */
export interface StoredCut extends AiredCut {
  readonly contentId: string;
  readonly generation: number;
  readonly firstFrame: number;
}

/** Accepted difference between the requested and the stored end of a cut: the next program's start moves by it. */
const toleranceSeconds = 0.1;

/**
 * The stored cut from `firstFrame` with the nearest end. A cut before a complete segment must end exactly at that segment's start.
 */
export function nearestCut(
  cuts: readonly StoredCut[],
  { contentId, generation, grid }: AiredContent,
  firstFrame: number,
  endFrame: number,
): AiredCut | null {
  const [rate, scale] = grid.frameRate;
  const leadsToSegment = endFrame % grid.framesPerSegment === 0;
  const tolerance = leadsToSegment ? 0 : (toleranceSeconds * rate) / scale;
  const distance = (cut: StoredCut): number => Math.abs(cut.endFrame - endFrame);
  const [nearest] = cuts
    .filter((cut) => cut.contentId === contentId && cut.generation === generation && cut.firstFrame === firstFrame)
    .filter((cut) => distance(cut) <= tolerance)
    .toSorted((left, right) => distance(left) - distance(right));
  return nearest ?? null;
}
