import { expect } from 'chai';
import type { Airing } from '../../../shared/cast/playout/airing.js';
import { decidedBy, extendAirings, type Decided } from '../../../shared/cast/playout/extendAirings.js';
import type { AiredLiveSegment, Timetable } from '../../../shared/cast/playout/timetable.js';
import { CaptureClock } from '../../../workers/live/packaging/captureClock.js';
import { expectInTime } from '../../support/cast/simulatedDays.js';
import { rowsOf } from '../../support/requirements.js';

const second = 1e6;
const epoch = 1_800_000_000 * second;
const slate = 'slate';

/** The airings of a live program of 40 s whose encoder's segments start at these seconds. Each stored segment causes a decision. */
function played(starts: readonly number[], endsAfter = 40): { start: number; shows: string }[] {
  const segments = starts.map((start, sequence): AiredLiveSegment => {
    const numbers = { sessionId: 'session', sequence, discontinuity: 0 };
    return { ...numbers, startsAt: epoch + start * second, duration: 2 * second };
  });
  const airings = new Map<number, Airing>();
  let decided: Decided = { until: epoch, last: null };
  for (let now = 0; now < endsAfter + 10; now += 0.5) {
    const timetable: Timetable = {
      programs: [
        {
          ...{ programId: 'program', startsAt: epoch, endsAt: epoch + endsAfter * second },
          media: { kind: 'LIVE', streamId: 'stream' },
        },
      ],
      liveSegments: () => segments.filter(({ startsAt }) => startsAt + 2.7 * second <= epoch + now * second),
      cut: () => null,
      slate: () => slate,
    };
    const added = extendAirings(timetable, decided, epoch + endsAfter * second, epoch + (now - 5) * second);
    for (const airing of added) airings.set(airing.sequence, airing);
    decided = decidedBy(decided, added);
  }
  return [...airings.values()].flatMap(({ startsAt, durations, source }) => {
    let time = startsAt;
    return durations.map((duration, index) => {
      const start = (time - epoch) / second;
      time += duration;
      return { start, shows: source.kind === 'LIVE' ? String(source.first + index) : source.kind };
    });
  });
}

function everyTwoSeconds(from: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => from + index * 2);
}

describe('a live program', () => {
  it('plays each segment once, in order', () => {
    const shown = played(everyTwoSeconds(0.4, 30)).map(({ shows }) => shows);
    expect(shown).to.deep.equal(Array.from({ length: 20 }, (_, sequence) => String(sequence)));
  });

  for (const pause of [0.3, 0.9, 1.1, 1.7, 2.5, 2.9, 3.4, 9.2])
    it(`plays each segment once and at its time after the encoder was disconnected for ${pause} s`, () => {
      const starts = [...everyTwoSeconds(0.4, 5), ...everyTwoSeconds(10.4 + pause, 20)];
      const shown = played(starts).filter(({ shows }) => shows !== 'SLATE');
      expect(shown.length, 'segments').to.be.at.least(20 - Math.ceil(pause / 2) - 1);
      expect(new Set(shown.map(({ shows }) => shows)).size, 'each once').to.equal(shown.length);
      for (const { shows, start } of shown)
        expect(Math.abs((starts[Number(shows)] ?? Number.NaN) - start), `segment ${shows}`).to.be.at.most(1.01);
    });
});

interface Aired {
  readonly slateSeconds: number;
  /** Segments that were never played. */
  readonly skipped: number;
  /** The maximum difference between the time when a segment is played and its capture time. */
  readonly worstSeconds: number;
}

/** The airings of a live program of several days whose encoder's clock is wrong. Segments are dated as a live process does. */
function airedFor(days: number, partsPerMillion: number): Aired {
  const program = { programId: 'program', startsAt: epoch, endsAt: epoch + days * 86_400 * second };
  const clock = new CaptureClock();
  let stored: AiredLiveSegment[] = [];
  let decided: Decided = { until: epoch, last: null };
  let [slateSeconds, livePieces, worstSeconds] = [0, 0, 0];
  const capturedOf = (sequence: number): number => epoch + ((sequence + 1) * 2 * second) / (1 + partsPerMillion / 1e6);
  let sequence = 0;
  for (let now = epoch; now < program.endsAt - 60 * second; now += 20 * second) {
    for (; capturedOf(sequence) + 4 * second <= now; sequence += 1) {
      const timeMs = sequence * 2_000;
      clock.note(timeMs, capturedOf(sequence) / 1_000);
      const startsAt = (clock.dateOf(timeMs)?.getTime() ?? Number.NaN) * 1_000;
      stored.push({ sessionId: 'session', sequence, discontinuity: 0, startsAt, duration: 2 * second });
    }
    stored = stored.slice(-40);
    const timetable: Timetable = {
      programs: [{ ...program, media: { kind: 'LIVE', streamId: 'stream' } }],
      liveSegments: () => stored,
      ...{ cut: () => null, slate: () => slate },
    };
    const before = decided.until;
    const added = extendAirings(timetable, decided, now, now - 8 * second);
    for (const { startsAt, durations, source } of added) {
      let time = startsAt;
      for (const [index, duration] of durations.entries()) {
        if (time >= before && source.kind === 'SLATE') slateSeconds += duration / second;
        if (time >= before && source.kind === 'LIVE') {
          livePieces += 1;
          worstSeconds = Math.max(worstSeconds, Math.abs(time - capturedOf(source.first + index)) / second);
        }
        time += duration;
      }
    }
    decided = decidedBy(decided, added);
  }
  return { slateSeconds, skipped: sequence - livePieces, worstSeconds };
}

describe('a live program of several days', () => {
  const days = 4;
  const rates = [50, -50, 200, -200].map((partsPerMillion) => ({ name: `${partsPerMillion} ppm`, partsPerMillion }));
  for (const { name, partsPerMillion } of rowsOf(rates, ['200 ppm', '-200 ppm']))
    it(`stays in sync for ${days} days if the encoder clock is ${name} off`, () => {
      const driftSeconds = (days * 86_400 * Math.abs(partsPerMillion)) / 1e6;
      const { slateSeconds, skipped, worstSeconds } = airedFor(days, partsPerMillion);
      expect(worstSeconds, 'place').to.be.lessThan(3.5);
      // Surplus segments of a fast encoder are skipped; the slate fills the gaps of a slow one.
      expect(slateSeconds, 'slate').to.be.at.most(partsPerMillion < 0 ? driftSeconds + 10 : 10);
      expect(skipped * 2, 'left out').to.be.at.most(partsPerMillion > 0 ? driftSeconds + 40 : 40);
    });
});

describe('the playout of a cast channel over a day', function () {
  this.timeout(20_000);

  const printed: string[] = [];
  const runs = [
    { name: 'a day of 25 hours', seed: 4, zone: 'Europe/Rome', firstDay: Date.UTC(2026, 9, 25), dayCount: 1 },
    { name: 'a day of 23 hours', seed: 5, zone: 'Europe/Rome', firstDay: Date.UTC(2027, 2, 28), dayCount: 1 },
  ] as const;

  for (const { name, ...run } of rowsOf(runs, ['a day of 25 hours']))
    it(`follows RFC 8216 and starts programs on time: seed ${run.seed}, ${name}`, () => {
      printed.push(`seed ${run.seed}: ${expectInTime({ ...run, hasCuts: true })}`);
    });

  it('starts programs within a second if there are no cuts', () => {
    printed.push(`no cuts: ${expectInTime({ ...runs[0], hasCuts: false })}`);
  });

  after(() => console.error(printed.map((line) => `    start errors, ${line}`).join('\n')));
});
