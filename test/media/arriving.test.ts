import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { Content } from '../../shared/content/content.model.js';
import { describeArrivals, describeGrowingIndexes, givenArrivals } from '../support/arrivals.js';
import { eventually } from '../support/eventually.js';
import { longFilm } from '../support/media.js';
import { storedRows } from '../support/rows.js';

// The others are in test/long.
describeArrivals('disk');
describeGrowingIndexes('S3', ['ts']);

describe('a film whose upload stops', function () {
  this.timeout(120_000);
  const fixture = givenArrivals('disk', 1);
  const { ctx, user } = fixture;

  it('is followed again when it goes on', async () => {
    const file = await readFile(await longFilm());
    const { upload, part } = await fixture.begin(file);
    await eventually(async () => {
      const [row] = await storedRows(ctx, Content, { ownerId: user.userId });
      expect(row).to.include({ arrival: 'FOLLOWED', leaseOwner: null, attempt: 1, returns: 1 });
    });
    const last = await upload.patch(part, file.subarray(part));
    const content = await fixture.untilReady(last.headers.get('Box-Id') ?? '');
    expect(content.readyAttempt).to.equal(2);
  });

  it('is not followed where its index is at its end', async () => {
    const file = await readFile(await longFilm({ isIndexAtEnd: true }));
    const { upload, id, part } = await fixture.begin(file);
    await eventually(async () => {
      const [row] = await storedRows(ctx, Content, { ownerId: user.userId });
      expect(row).to.include({ arrival: 'AWAITED', leaseOwner: null });
    });
    expect(await fixture.play(id)).to.equal('');
    const last = await upload.patch(part, file.subarray(part));
    await fixture.untilReady(last.headers.get('Box-Id') ?? '');
  });
});
