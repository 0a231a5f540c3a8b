import { expect } from 'chai';
import { medianOf, percentileOf, type Figure } from '../../../tools/bench/figure.js';
import { recordedRow, recordedRows, recordText } from '../../../tools/bench/record.js';
import { sideBySide } from '../../../tools/bench/sideBySide.js';
import { tableRow } from '../../../tools/bench/table.js';
import { drawTimetable } from '../../../tools/demo/cast/drawnTimetable.js';
import { plannedPrograms } from '../../../tools/demo/cast/plannedPrograms.js';

const noon = Date.UTC(2026, 10, 22, 12);

const program = (title: string, fromSecond: number, untilSecond: number, kind = 'PRERECORDED') => ({
  ...{ title, kind },
  startsAt: noon + fromSecond * 1000,
  endsAt: noon + untilSecond * 1000,
});

const programs = [program('One', 0, 60), program('Break', 60, 75, 'BREAK'), program('A rather long title', 90, 150)];
const view = { programs, rows: 10, width: 70, colours: false, timeZone: 'UTC' };
const drawn = (second: number, more: object = {}) => drawTimetable({ ...view, now: noon + second * 1000, ...more });

describe('npm run demo:cast: the timetable', () => {
  it('marks the program on air with its aired part, and shows gaps between programs', () =>
    expect(drawn(45)).to.deep.equal([
      '   Start     End       Program       Kind',
      '▶  12:00:00  12:01:00  One           video  ███████████████░░░░░ 0:15 left',
      '   12:01:00  12:01:15  Break         slate',
      '   12:01:15  12:01:30  (nothing pr…  slate',
      '   12:01:30  12:02:30  A rather lo…  video',
    ]));

  it('marks a time before the first program and the first second of a program, and nothing after the last program', () => {
    expect(drawn(-30)[1]).to.match(/^▶ {2}11:59:30 {2}12:00:00 .* ░{20} 0:30 left$/);
    expect(drawn(60)[2]).to.match(/^▶ {2}12:01:00/);
    expect(drawn(150).join('')).to.not.include('▶');
    expect(drawn(0, { programs: [] })).to.have.lengthOf(1);
  });

  it('keeps one past program and fits the terminal', () => {
    const many = Array.from({ length: 30 }, (_each, index) => program(`P${index}`, index * 10, index * 10 + 10));
    const lines = drawn(105, { programs: many, rows: 5, width: 200 });
    expect(lines.map((line) => /P\d+/.exec(line)?.[0])).to.deep.equal([undefined, 'P9', 'P10', 'P11', 'P12', 'P13']);
    expect(drawn(295, { programs: many, rows: 5 }).at(-1)).to.match(/^▶.* P29 /);
  });
});

describe('npm run demo:cast: the programs', () => {
  const clip = (title: string, duration: string) => ({ boxId: `box of ${title}`, title, duration, status: 'READY' });
  const clips = [clip('One', '0:24'), clip('Two', '0:40'), clip('Three', '0:30')];
  const lengths = (from: number, seconds: number, of = clips) =>
    plannedPrograms(of, from, from + seconds * 1000).map(({ title, startsAt, endsAt }) => ({
      title,
      seconds: (endsAt - startsAt) / 1000,
    }));

  it('follow each other without gaps for the complete duration, with breaks and offsets', () => {
    const planned = plannedPrograms(clips, noon, noon + 600_000);
    planned.slice(1).forEach(({ startsAt }, index) => expect(startsAt).to.equal(planned[index]?.endsAt));
    expect(planned[0]?.startsAt).to.equal(noon);
    expect(planned.at(-1)?.endsAt).to.be.within(noon + 600_000, noon + 660_000);
    expect(lengths(noon, 135)).to.deep.equal([
      { title: 'One', seconds: 24 },
      { title: 'Two', seconds: 40 },
      { title: 'Break', seconds: 16 },
      { title: 'Three', seconds: 30 },
      { title: 'Two, from second 15', seconds: 25 },
    ]);
  });

  it('are no longer than their clips', () => {
    const short = clips.map(({ title }) => clip(title, '0:02'));
    expect(lengths(noon, 20, short)).to.deep.equal([
      { title: 'One', seconds: 2 },
      { title: 'Two', seconds: 2 },
      { title: 'Break', seconds: 16 },
    ]);
  });
});

function figure(target: Figure['target'], targetUnit?: 'ms'): Figure {
  const rest = {
    name: 'sample',
    title: 'A sample',
    reason: '',
    method: '',
    measure: () => Promise.reject(new Error('not asked')),
  };
  return { ...rest, target, ...(targetUnit ? { targetUnit } : {}) };
}

describe('the bench table', () => {
  const measured = { unit: 'MB/s', ours: 790, reference: 1000, result: 0.79 };

  it('shows whether the target is met, for both kinds of target', () => {
    expect(tableRow({ figure: figure({ atLeast: 0.8 }), measured })).to.include(
      '| >= 0.8 | 0.79 | 790 MB/s | 1,000 MB/s | **missed** |',
    );
    expect(tableRow({ figure: figure({ atLeast: 0.79 }), measured })).to.include('| met |');
    expect(tableRow({ figure: figure({ atMost: 0.7 }), measured }))
      .to.include('| <= 0.7 | 0.79 |')
      .and.to.include('**missed**');
    expect(tableRow({ figure: figure({ atMost: 0.79 }), measured })).to.include('| met |');
  });

  it('does not round a result up to its target', () =>
    expect(tableRow({ figure: figure({ atLeast: 0.8 }), measured: { ...measured, result: 0.7996 } })).to.include(
      '**missed**',
    ));

  it('shows a time without a reference, and the reason for a missing figure', () => {
    const time = { unit: 'ms', ours: 212.4, reference: null, result: 212.4, note: '60 changes' };
    expect(tableRow({ figure: figure({ atMost: 300 }, 'ms'), measured: time })).to.include(
      '| <= 300 ms | 212 ms | 212 ms | - | met (60 changes) |',
    );
    expect(tableRow({ figure: figure({ atMost: 300 }), measured: 'no server' })).to.include(
      '| - | - | - | not measured: no server |',
    );
  });
});

describe('the bench record', () => {
  const figures = [figure({ atLeast: 0.8 }), { ...figure({ atMost: 20 }, 'ms'), name: 'other', title: 'Another' }];
  const measured = { unit: 'MB/s', ours: 900, reference: 1000, result: 0.9 };
  const row = recordedRow({ figure: figure({ atLeast: 0.8 }), measured }, new Date('2026-11-26T10:00:00Z'));
  const text = recordText('2 cores', figures, new Map([['sample', row]]));

  it('has a day for each row and marks rows that are not measured yet', () =>
    expect(text.split('\n')).to.include.members([
      'Measured on 2 cores.',
      '| A sample | >= 0.8 | 0.9 | 900 MB/s | 1,000 MB/s | met | 2026-11-26 |',
      '| Another | <= 20 ms | - | - | - | not measured yet | - |',
    ]));

  it('keeps rows of the same machine with unchanged figures', () => {
    expect(recordedRows(text, '2 cores', figures).get('sample')).to.equal(row);
    expect([...recordedRows(text, '4 cores', figures)]).to.deep.equal([]);
    expect([...recordedRows(text, '2 cores', [figure({ atLeast: 0.9 })])]).to.deep.equal([]);
    const otherwise = { ...figure({ atLeast: 0.8 }), method: 'In another way.' };
    expect([...recordedRows(text, '2 cores', [otherwise])]).to.deep.equal([]);
  });
});

describe('a bench run', () => {
  it('alternates the order of both sides in each round and discards warm-ups', async () => {
    const order: string[] = [];
    const percents: number[] = [];
    const ours = [100, 3, 4, 6];
    const side = (name: string, values: number[]) => async () => {
      order.push(name);
      return values.shift() ?? Number.NaN;
    };
    const result = await sideBySide({
      ...{ unit: 's', warmUps: 1, rounds: 3, ours: side('ours', ours), reference: side('reference', [1, 2, 4, 2]) },
      onProgress: (percent) => percents.push(percent),
    });
    expect(order.join(' ')).to.equal('ours reference reference ours ours reference reference ours');
    expect(result).to.include({ ours: 4, reference: 2, result: 1.5, note: '3 rounds, 1.00 to 3.00' });
    expect(percents).to.deep.equal(percents.toSorted((left, right) => left - right));
    expect(percents.at(-1)).to.equal(100);
  });

  it('computes medians and percentiles', () => {
    expect(medianOf([9, 1, 5])).to.equal(5);
    expect(medianOf([4, 2])).to.equal(3);
    expect(
      percentileOf(
        Array.from({ length: 60 }, (_, index) => index + 1),
        0.95,
      ),
    ).to.equal(57);
    expect(percentileOf([7], 0.95)).to.equal(7);
  });
});
