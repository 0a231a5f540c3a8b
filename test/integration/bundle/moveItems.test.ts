import { expect } from 'chai';
import { rejectedFields } from '../../support/responses.js';
import { bundlesFixture } from './bundles.js';
import { filledBundle, orderIn, type FilledBundle } from './bundleItems.js';

const [a, b, c] = [0, 1, 2] as const;

describe('POST /api/contentbundle/{bundleId}/items/move', () => {
  const fixture = bundlesFixture();
  let bundle: FilledBundle['bundle'];
  let boxIds: FilledBundle['boxIds'];

  beforeEach(async () => {
    ({ bundle, boxIds } = await filledBundle(fixture));
  });

  const moves: readonly [number, number, readonly number[]][] = [
    [0, 2, [b, a, c]],
    [0, 3, [b, c, a]],
    [2, 0, [c, a, b]],
    [2, 1, [a, c, b]],
    [1, 1, [a, b, c]],
    [1, 2, [a, b, c]],
  ];
  for (const [fromIndex, toIndex, order] of moves) {
    it(`200 from ${fromIndex} to ${toIndex}, before the item that was there`, async () => {
      const { body } = await bundle.move(fromIndex, toIndex);
      expect(orderIn({ body } as never)).to.deep.equal(order.map((one) => boxIds[one as 0]));
      expect((await bundle.items()).body).to.deep.equal(body);
    });
  }

  const cases: readonly [string, object, string[]][] = [
    ['no index to move from', { fromIndex: undefined }, ['fromIndex required']],
    ['no index to move to', { toIndex: undefined }, ['toIndex required']],
    ['indexes below 0', { fromIndex: -1, toIndex: -1 }, ['fromIndex minimum', 'toIndex minimum']],
    ['a `fromIndex` beyond the end', { fromIndex: 3 }, ['fromIndex outOfRange']],
    ['a `toIndex` beyond the end', { toIndex: 4 }, ['toIndex outOfRange']],
    ['both beyond the end', { fromIndex: 3, toIndex: 4 }, ['fromIndex outOfRange', 'toIndex outOfRange']],
    ['a string', { toIndex: 'end' }, ['toIndex number']],
  ];
  for (const [name, members, refused] of cases) {
    it(`400 for ${name}`, async () => {
      expect(rejectedFields(await bundle.edit('move', { fromIndex: 0, toIndex: 1, ...members }))).to.deep.equal(
        refused,
      );
      expect(orderIn(await bundle.items())).to.deep.equal(boxIds.slice(0, 3));
    });
  }
});
