import { planGrid } from '../../../shared/media/grid.js';
import type { FrameRate } from '../../../shared/media/frameRate.js';
import type { AiredLiveSegment, AiredMedia, AiredProgram } from '../../../shared/cast/playout/index.js';
import type { Random } from './random.js';

/* Random programs. Times are microseconds since 1970. */

export const second = 1e6;
/** Live segments of a program are stored until this long after its end. */
const liveTail = 20 * second;

const rates: readonly FrameRate[] = [
  [24_000, 1001],
  [24, 1],
  [25, 1],
  [30_000, 1001],
  [30, 1],
  [50, 1],
  [60, 1],
];

export interface StoredLiveSegment extends AiredLiveSegment {
  readonly storedAt: number;
}

export class SimulatedPrograms {
  readonly #random: Random;
  #numbered = 0;
  /** Ordered by time. */
  list: AiredProgram[] = [];
  /** By stream, ordered by time; each live program has a separate stream. */
  readonly live = new Map<string, readonly StoredLiveSegment[]>();

  constructor(random: Random) {
    this.#random = random;
  }

  /** Creates programs between two full seconds. A program on air at `from` is shortened or kept. */
  replace(from: number, until: number): void {
    this.list = this.list
      .filter(({ startsAt }) => startsAt < from)
      .map((program) => (program.endsAt > from && this.#random.share() < 0.5 ? { ...program, endsAt: from } : program));
    let time = Math.max(from, this.list.at(-1)?.endsAt ?? 0);
    while (time < until) {
      if (this.#random.share() < 0.1) time += this.#random.between(1, 900) * second;
      const program = this.#programAt(time);
      this.list.push(program);
      time = program.endsAt;
    }
  }

  #programAt(startsAt: number): AiredProgram {
    const programId = `program${(this.#numbered += 1)}`;
    const chance = this.#random.share();
    const lengthSeconds = chance < 0.05 ? this.#random.between(1, 10) : this.#random.between(15, 4_000);
    const endsAt = startsAt + lengthSeconds * second;
    if (chance > 0.85) return { programId, startsAt, endsAt, media: { kind: 'SLATE' } };
    if (chance > 0.7) {
      this.live.set(programId, this.#segments(programId, startsAt, endsAt));
      return { programId, startsAt, endsAt, media: { kind: 'LIVE', streamId: programId } };
    }
    return { programId, startsAt, endsAt, media: this.#content(lengthSeconds) };
  }

  /** Some contents are shorter than their program. */
  #content(lengthSeconds: number): AiredMedia {
    const random = this.#random;
    const offsetSeconds = random.share() < 0.5 ? 0 : random.between(0, 600);
    const rest = random.share() < 0.5 ? random.share() : random.between(0, 600);
    const missing = random.share() < 0.1 ? random.between(1, lengthSeconds) : 0;
    const frameRate = random.of(rates);
    const seconds = lengthSeconds + offsetSeconds + rest - missing;
    const frameCount = Math.max(10, Math.ceil((seconds * frameRate[0]) / frameRate[1]));
    const grid = planGrid({ frameRate, frameCount, chunkSeconds: 40 });
    return { kind: 'CONTENT', offsetSeconds, content: { contentId: `content${this.#numbered}`, generation: 1, grid } };
  }

  /** Segments of about two seconds, from encoders that stop and return. */
  #segments(streamId: string, startsAt: number, endsAt: number): StoredLiveSegment[] {
    const random = this.#random;
    const found: StoredLiveSegment[] = [];
    const duration = random.of([2, 2.002, 1.96]) * second;
    let [sequence, discontinuity, storedAt] = [0, 0, 0];
    let time = startsAt + random.between(-20, 20) * 0.3 * second;
    while (time < endsAt + liveTail) {
      if (random.share() < 0.005) {
        time += random.between(1, 300) * 0.1 * second;
        discontinuity += 1;
      }
      const delay = 0.2 + random.share() * (random.share() < 0.01 ? 20 : 2);
      storedAt = Math.max(storedAt, time + duration + delay * second);
      found.push({ sessionId: streamId, sequence, discontinuity, startsAt: Math.round(time), duration, storedAt });
      sequence += 1;
      time += duration;
    }
    return found;
  }
}
