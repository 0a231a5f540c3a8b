import { Readable } from 'node:stream';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { expect } from 'chai';
import { flvTagType } from '../../../shared/media/flv/index.js';
import type { Context } from '../../../shared/platform/context.js';
import { CaptureClock } from '../../../workers/live/packaging/captureClock.js';
import { Gate } from '../../../workers/live/packaging/eventQueue.js';
import type { AudioTag } from '../../../workers/live/packaging/mediaTag.js';
import type { RunSource } from '../../../workers/live/packaging/runSource.js';
import { RunTimeline } from '../../../workers/live/packaging/runTimeline.js';
import { SourcePace } from '../../../workers/live/packaging/sourcePace.js';
import { SourceReader } from '../../../workers/live/packaging/sourceReader.js';
import { eventually } from '../../support/eventually.js';
import { rowsOf } from '../../support/requirements.js';

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

const track = { configuration: null, isMono: false };

const audio = (timeMs: number): AudioTag => ({
  ...{ kind: 'audio', track, timeMs, presentationMs: timeMs, epoch: 0, payload: Buffer.alloc(3), bytes: 100 },
});

describe('the media pace of a run', () => {
  let nowMs: number;
  let pace: SourcePace;

  beforeEach(() => {
    nowMs = 0;
    pace = new SourcePace(() => nowMs);
  });

  it('accepts a week of media from an encoder with an inaccurate clock and network gaps', () => {
    let maxMs = 0;
    for (let second = 1; second < 7 * 86_400; second += 1) {
      // Once an hour the network stops for half a minute, and then delivers all delayed media at once.
      const isStalled = second % 3600 < 30;
      nowMs = second * 1000;
      if (isStalled) continue;
      pace.take([audio(second * 1001)], 0);
      maxMs = Math.max(maxMs, pace.waitMs);
    }
    expect(maxMs).to.equal(0);
  });

  it('reads a file that is sent at full speed in about real time', () => {
    const tags = Array.from({ length: 30_000 }, (_, at) => audio(at * 20));
    for (let from = 0; from < tags.length;) {
      from = pace.take(tags, from);
      nowMs += Math.max(0, pace.waitMs);
    }
    expect(nowMs / 1000).to.be.within((600 - 60) / 1.05 - 1, (600 - 60) / 1.05 + 1);
  });

  describe('as applied by the reader', () => {
    const tags = Array.from({ length: 3000 }, (_, at) => ({
      ...{ type: flvTagType.audio, timestampMs: at * 4900, payload: Buffer.from([0x2f, 1, 2]) },
    }));
    let newestMs: number;
    let end: string | undefined;

    /** Reads the tags of an encoder that disconnects at once or never. */
    function readerOf(afterEndMs?: number): SourceReader {
      [newestMs, end] = [0, undefined];
      const source: RunSource = {
        tags: Readable.from([tags]),
        close() {},
        ...(afterEndMs === undefined ? {} : { ended: Promise.resolve() }),
      };
      return new SourceReader({
        ...{ packaging: { ctx: {} as Context, source }, gate: new Gate(), signal: new AbortController().signal },
        timeline: new RunTimeline(() => null),
        report(event) {
          if (event.kind === 'media') newestMs = Math.max(newestMs, ...event.tags.map(({ timeMs }) => timeMs));
          if (event.kind === 'sourceEnded') end = event.reason;
        },
        ...(afterEndMs === undefined ? {} : { afterEndMs }),
      });
    }

    it('accepts few tags if their timestamps are far apart', async () => {
      const reader = readerOf();
      const read = reader.read();
      await eventually(() => expect(newestMs).to.be.at.least(55_000));
      await yieldToEventLoop();
      expect(newestMs).to.be.at.most(70_000);
      reader.close();
      await read;
      expect(end).to.equal(undefined);
    });

    it('ends soon after the encoder has disconnected, regardless of the timestamps', async () => {
      await readerOf(20).read();
      expect(end).to.equal('source ended');
      expect(newestMs).to.be.at.most(70_000);
    });
  });
});
