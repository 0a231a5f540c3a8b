import { expect } from 'chai';
import { medianOf, percentileOf, type Figure } from '../../../tools/bench/figure.js';
import { recordedRow, recordedRows, recordText } from '../../../tools/bench/record.js';
import { sideBySide } from '../../../tools/bench/sideBySide.js';
import { tableRow } from '../../../tools/bench/table.js';

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
