import { expect } from 'chai';
import { segmentStart } from '../../../shared/media/grid.js';
import {
  windowSeconds,
  extendAirings,
  nearestCut,
  requestedCuts,
  airingEnd,
  type StoredCut,
  type Airing,
  type AiredProgram,
  type Timetable,
} from '../../../shared/cast/playout/index.js';
import type { Random } from './random.js';
import { second, SimulatedPrograms, type StoredLiveSegment } from './simulatedPrograms.js';

/* Times are microseconds since 1970. Durations are those of the default settings. */

export const delay = 10 * second;
export const freeze = 120 * second;
const ahead = 90 * second;
const prepared = 600 * second;
const maxBacklog = 180 * second;

interface Row {
  readonly airing: Airing;
  readonly endsAt: number;
}

/** The state that all processes share: programs, cuts and rows. */
export class SimulatedChannel {
  readonly #random: Random;
  readonly #hasCuts: boolean;
  readonly programs: SimulatedPrograms;
  readonly #cuts = new Map<string, (StoredCut & { readonly storedAt: number })[]>();
  readonly rows: Row[] = [];
  #until = 0;
  #nearest = 0;
  /** The delay of each program's start after its programmed time, in microseconds. */
  readonly startErrors = new Map<string, number>();
  /** Contents with a cut that was not stored in time. */
  readonly missedCuts = new Set<string>();

  constructor(random: Random, hasCuts: boolean) {
    this.#random = random;
    this.#hasCuts = hasCuts;
    this.programs = new SimulatedPrograms(random);
  }

  /** Replaces all programs from a time on. */
  edit(now: number, from: number, until: number): void {
    expect(this.#until, 'nothing that may be edited is decided').to.be.at.most(now + freeze);
    this.programs.replace(from, until);
    this.#nearest = 0;
  }

  /** The part of the job that requests cuts, without `extend`. */
  prepare(now: number): void {
    if (!this.#hasCuts) return;
    const decided = { last: this.rows.at(-1)?.airing ?? null, until: this.#until };
    for (const { source, cutId } of requestedCuts(
      this.#timetable(now, now + prepared, () => {}),
      decided,
      now + prepared,
    )) {
      if (cutId !== null) continue;
      const cuts = this.#cuts.get(source.contentId) ?? [];
      this.#cuts.set(source.contentId, cuts);
      const isRequested = cuts.some((cut) => cut.firstFrame === source.firstFrame && cut.endFrame === source.endFrame);
      const storedAt = now + this.#random.between(2, 20) * second;
      if (!isRequested) cuts.push({ ...source, cutId: `cut${source.firstFrame}-${source.endFrame}`, storedAt });
    }
  }

  /** Extends the airings, as the job and any web process do. */
  extend(now: number): void {
    const shown = now - delay;
    if (this.#until < shown - maxBacklog) this.#until = shown - windowSeconds * second;
    const decided = { last: this.rows.at(-1)?.airing ?? null, until: this.#until };
    for (const airing of extendAirings(this.#timetable(now, now + ahead), decided, now + ahead, shown + second))
      this.#store(airing);
  }

  #store(airing: Airing): void {
    const last = this.rows.at(-1);
    if (last?.airing.sequence === airing.sequence) {
      const { durations } = last.airing;
      if (durations.some((duration, index) => airing.durations[index] !== duration))
        expect.fail(`airing ${airing.sequence} has changed`);
      expect({ ...airing, durations }).to.deep.equal(last.airing);
      this.rows.pop();
    } else this.#checkNext(last, airing);
    const longest = Math.max(...airing.durations);
    expect(Math.round(longest / second), 'the target duration').to.be.at.most(4);
    this.rows.push({ airing, endsAt: airingEnd(airing) });
    this.#until = airingEnd(airing);
  }

  #checkNext(last: Row | undefined, airing: Airing): void {
    if (last) {
      expect(airing.sequence).to.equal(last.airing.sequence + last.airing.durations.length);
      expect(airing.discontinuity - last.airing.discontinuity).to.be.oneOf([0, 1]);
      expect(airing.startsAt).to.be.at.least(last.endsAt);
    }
    const program = this.#programOf(airing);
    if (!program) return;
    if (!this.startErrors.has(program.programId))
      this.startErrors.set(program.programId, airing.startsAt - program.startsAt);
    this.#checkFrames(program, last?.endsAt === airing.startsAt ? last.airing : undefined, airing);
  }

  /** Checks that a program plays each frame of its content once, in order, from its offset on. */
  #checkFrames({ programId, startsAt, media }: AiredProgram, last: Airing | undefined, airing: Airing): void {
    const first = firstFrame(airing, media);
    if (media.kind !== 'CONTENT' || first === null) return;
    const { frameRate } = media.content.grid;
    const nextFrame = last?.programId === programId ? endFrame(last, media) : null;
    const late = Math.abs(airing.startsAt - startsAt) < 1.5 * second ? 0 : airing.startsAt - startsAt;
    const expected = nextFrame ?? Math.round(((media.offsetSeconds + late / second) * frameRate[0]) / frameRate[1]);
    const isExact =
      nextFrame !== null || (this.#hasCuts && late === 0 && !this.missedCuts.has(media.content.contentId));
    const tolerance = isExact ? 0 : (2.5 * frameRate[0]) / frameRate[1];
    expect(first, `first frame of ${programId}`).to.be.within(expected - tolerance, expected + tolerance);
  }

  #programOf({ programId }: Airing): AiredProgram | undefined {
    if (programId === null) return undefined;
    const { list } = this.programs;
    for (let index = this.#nearest; index < list.length; index += 1)
      if (list[index]?.programId === programId) return list[index];
    return undefined;
  }

  #timetable(
    now: number,
    until: number,
    onMissed = (contentId: string): unknown => this.missedCuts.add(contentId),
  ): Timetable {
    const { list, live } = this.programs;
    while ((list[this.#nearest]?.endsAt ?? Number.POSITIVE_INFINITY) < this.#until - 2 * second) this.#nearest += 1;
    let end = this.#nearest;
    while ((list[end]?.startsAt ?? Number.POSITIVE_INFINITY) < until + 60 * second) end += 1;
    return {
      programs: list.slice(this.#nearest, end),
      liveSegments: (streamId) => storedBetween(live.get(streamId) ?? [], this.#until - 20 * second, now),
      cut: (content, first, last) => {
        const cuts = this.#cuts.get(content.contentId) ?? [];
        const found = nearestCut(
          cuts.filter(({ storedAt }) => storedAt <= now),
          content,
          first,
          last,
        );
        if (!found) onMissed(content.contentId);
        return found;
      },
      slate: () => 'slate',
    };
  }
}

function storedBetween(segments: readonly StoredLiveSegment[], from: number, now: number): StoredLiveSegment[] {
  let [low, high] = [0, segments.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((segments[middle]?.startsAt ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  let end = low;
  while ((segments[end]?.storedAt ?? Number.POSITIVE_INFINITY) <= now) end += 1;
  return segments.slice(low, end);
}

type Media = AiredProgram['media'];

function firstFrame({ source }: Airing, media: Media): number | null {
  if (media.kind !== 'CONTENT') return null;
  if (source.kind === 'CUT') return source.firstFrame;
  return source.kind === 'CONTENT' ? segmentStart(media.content.grid, source.first) : null;
}

function endFrame({ source, durations }: Airing, media: Media): number | null {
  if (media.kind !== 'CONTENT') return null;
  if (source.kind === 'CUT') return source.endFrame;
  return source.kind === 'CONTENT' ? segmentStart(media.content.grid, source.first + durations.length) : null;
}
