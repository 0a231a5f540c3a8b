import { expect } from 'chai';
import { decidedBy, extendParts, type Decided } from '../../../shared/cast/playout/extendParts.js';
import type { Part } from '../../../shared/cast/playout/part.js';
import type { AiredLiveSegment, Timetable } from '../../../shared/cast/playout/timetable.js';

const second = 1e6;
const epoch = 1_800_000_000 * second;
const slate = 'slate';

/** What a live program of 40 s plays of an encoder whose segments start at these seconds; decided again after each is stored. */
function played(starts: readonly number[], endsAfter = 40): { start: number; shows: string }[] {
  const segments = starts.map((start, sequence): AiredLiveSegment => {
    const numbers = { sessionId: 'session', sequence, discontinuity: 0 };
    return { ...numbers, startsAt: epoch + start * second, duration: 2 * second };
  });
  const parts = new Map<number, Part>();
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
    const added = extendParts(timetable, decided, epoch + endsAfter * second, epoch + (now - 5) * second);
    for (const part of added) parts.set(part.sequence, part);
    decided = decidedBy(decided, added);
  }
  return [...parts.values()].flatMap(({ startsAt, durations, source }) => {
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
  it('plays segments in their order, each once', () => {
    const shown = played(everyTwoSeconds(0.4, 30)).map(({ shows }) => shows);
    expect(shown).to.deep.equal(Array.from({ length: 20 }, (_, sequence) => String(sequence)));
  });

  for (const pause of [0.3, 0.9, 1.1, 1.7, 2.5, 2.9, 3.4, 9.2])
    it(`plays each segment once and at its time where the encoder was away for ${pause} s`, () => {
      const starts = [...everyTwoSeconds(0.4, 5), ...everyTwoSeconds(10.4 + pause, 20)];
      const shown = played(starts).filter(({ shows }) => shows !== 'SLATE');
      expect(shown.length, 'segments').to.be.at.least(20 - Math.ceil(pause / 2) - 1);
      expect(new Set(shown.map(({ shows }) => shows)).size, 'each once').to.equal(shown.length);
      for (const { shows, start } of shown)
        expect(Math.abs((starts[Number(shows)] ?? Number.NaN) - start), `segment ${shows}`).to.be.at.most(1.01);
    });
});
