import { expect } from 'chai';
import { CaptureClock } from '../../../workers/live/packaging/captureClock.js';
import { RunTimeline } from '../../../workers/live/packaging/runTimeline.js';
import { rowsOf } from '../../support/tables.js';

const segmentMs = 2_000;
const dayMs = 86_400_000;
/** The shortest time that media needs from the camera to this service. */
const minDelayMs = 40;
const startedAt = Date.UTC(2026, 10, 23);

/** Pseudorandom numbers between 0 and 1 from a fixed seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

interface Simulation {
  readonly days: number;
  /** By how much the encoder clock runs fast. */
  readonly partsPerMillion: number;
  readonly seed: number;
}

/** The result of a run of several days: the maximum date error and the maximum deviation between consecutive dates. */
interface Simulated {
  readonly worstMs: number;
  readonly largestStepMs: number;
  readonly isAscending: boolean;
}

/**
 * Media arrives in units of two seconds. The network adds up to 300 ms of jitter, half a second more in a third of all minutes, and
 * sometimes stops for up to 40 s, after which all delayed media arrives at once. The database time is read every 30 s with an error
 * of up to 15 ms.
 */
function simulate({ days, partsPerMillion, seed }: Simulation): Simulated {
  const random = randomFrom(seed);
  const clock = new CaptureClock();
  let [worstMs, largestStepMs, isAscending] = [0, 0, true];
  let [stalledUntil, slowUntil, isSlow, readUntil, readError] = [0, 0, false, 0, 0];
  let before: number | null = null;
  let arrivedBefore = 0;
  for (let timeMs = segmentMs; timeMs < days * dayMs; timeMs += segmentMs) {
    const capturedAt = startedAt + timeMs / (1 + partsPerMillion / 1e6);
    if (timeMs > 10_000 && random() < 1 / 1_000) stalledUntil = capturedAt + random() * 40_000;
    if (capturedAt > slowUntil) [slowUntil, isSlow] = [capturedAt + 60_000, random() < 1 / 3];
    if (capturedAt > readUntil) [readUntil, readError] = [capturedAt + 30_000, (random() - 0.5) * 30];
    const delayMs = minDelayMs + random() ** 3 * 300 + (isSlow ? 500 : 0);
    arrivedBefore = Math.max(arrivedBefore, capturedAt + delayMs, stalledUntil);
    clock.note(timeMs, arrivedBefore + readError);
    const date = clock.dateOf(timeMs)?.getTime() ?? Number.NaN;
    worstMs = Math.max(worstMs, Math.abs(date - capturedAt - minDelayMs));
    if (before !== null) {
      largestStepMs = Math.max(largestStepMs, Math.abs(date - before - segmentMs));
      isAscending &&= date > before;
    }
    before = date;
  }
  return { worstMs, largestStepMs, isAscending };
}

describe('the dates of a live run', () => {
  const rates = [-200, -50, 0, 50, 200].map((partsPerMillion) => ({ name: `${partsPerMillion} ppm`, partsPerMillion }));
  for (const [index, { name, partsPerMillion }] of rowsOf(rates, ['-200 ppm', '50 ppm']).entries())
    it(`stay accurate without jumps for two weeks if the encoder clock is ${name} off`, () => {
      const simulation = { days: 14, partsPerMillion, seed: 7_919 * (1 + index) };
      const { worstMs, largestStepMs, isAscending } = simulate(simulation);
      expect(worstMs).to.be.lessThan(600);
      // Two milliseconds, plus one of rounding.
      expect(largestStepMs).to.be.at.most(3);
      expect(isAscending).to.equal(true);
    });

  it('are based on the shortest delay so far and stay unchanged without new information', () => {
    const clock = new CaptureClock();
    expect([clock.dateOf(0), clock.timeAt(startedAt)]).to.deep.equal([null, null]);
    // The encoder sends two seconds at once.
    clock.note(0, startedAt);
    clock.note(2_000, startedAt + 100);
    expect(clock.dateOf(2_000)).to.deep.equal(new Date(startedAt + 100));
    expect(clock.timeAt(startedAt + 100)).to.equal(2_000);
    for (let timeMs = 2_000; timeMs < 30_000; timeMs += 500) clock.note(timeMs, startedAt + timeMs + 700);
    expect(clock.dateOf(30_000)).to.deep.equal(new Date(startedAt + 28_100));
  });

  it('are equal for equal times, in any order of calls and when media is encoded again', () => {
    const clock = new CaptureClock();
    const asked = new Map<number, number>();
    const changed: number[] = [];
    for (let timeMs = 0; timeMs < 600_000; timeMs += 500) {
      clock.note(timeMs, startedAt + timeMs - timeMs / 1_500);
      for (const time of [timeMs, timeMs - 16]) asked.set(time, clock.dateOf(time)?.getTime() ?? Number.NaN);
      for (const [time, date] of asked)
        if (time > timeMs - 60_000 && clock.dateOf(time)?.getTime() !== date) changed.push(time);
    }
    expect(changed).to.deep.equal([]);
    const dates = [...asked].toSorted(([one], [other]) => one - other).map(([, date]) => date);
    expect(dates.every((date, index) => index === 0 || date > (dates[index - 1] ?? 0))).to.equal(true);
    expect(dates.at(-1)).to.be.closeTo(startedAt + 599_500 - 599_500 / 1_500, 150);
  });

  it('slowly follow a step of the database time', () => {
    for (const stepMs of [30_000, -30_000]) {
      const clock = new CaptureClock();
      let [before, maxDifferenceMs]: [number | null, number] = [null, 0];
      for (let timeMs = 0; timeMs < dayMs; timeMs += segmentMs) {
        clock.note(timeMs, startedAt + timeMs + (timeMs < 3_600_000 ? 0 : stepMs));
        const date = clock.dateOf(timeMs)?.getTime() ?? Number.NaN;
        if (before !== null) maxDifferenceMs = Math.max(maxDifferenceMs, Math.abs(date - before - segmentMs));
        before = date;
      }
      expect(maxDifferenceMs).to.be.at.most(3);
      expect(before).to.equal(startedAt + dayMs - segmentMs + stepMs);
    }
  });

  it('continue when the encoder timestamps jump after weeks', () => {
    for (const partsPerMillion of [-100, 100]) {
      const clock = new CaptureClock();
      let now = startedAt;
      const timeline = new RunTimeline(() => clock.timeAt(now));
      let last = 0;
      const arrive = (timestampMs: number): number => {
        const { timeMs } = timeline.place(timestampMs);
        clock.note(timeMs, now);
        return (last = clock.dateOf(timeMs)?.getTime() ?? Number.NaN);
      };
      for (let timeMs = 0; timeMs < 14 * dayMs; timeMs += segmentMs, now += segmentMs * (1 - partsPerMillion / 1e6))
        arrive(timeMs % 2 ** 32);
      const before = last;
      now += 8_000;
      expect(arrive(3_600_000)).to.be.closeTo(now, 500);
      expect(last).to.be.greaterThan(before);
    }
  });
});
