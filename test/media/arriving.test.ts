import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { Content } from '../../shared/content/content.model.js';
import { describeArrivals, describeGrowingIndexes, arrivalsFixture } from '../support/arrivals.js';
import { eventually } from '../support/eventually.js';
import { longFilm } from '../support/media.js';
import { followSliceSeconds } from '../../workers/ingestion/followContent.js';
import { slowArrivalSeconds } from '../../workers/ingestion/arrivingFile.js';
import { registerUser } from '../support/api.js';
import { storedRows } from '../support/rows.js';

// The others are in test/long.
describeArrivals('disk');
describeGrowingIndexes('S3', ['ts']);

describe('a film whose upload stops', function () {
  this.timeout(120_000);
  const fixture = arrivalsFixture('disk', [[slowArrivalSeconds, 1]]);
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

describe('a film that arrives beside slow uploads of another user', function () {
  this.timeout(120_000);
  const fixture = arrivalsFixture('disk', [[followSliceSeconds, 0.5]]);
  const { ctx, api } = fixture;

  it('gets a worker slot from them; what is not followed any more is processed when it is whole', async () => {
    const file = await readFile(await longFilm());
    const slow = await registerUser(api);
    const uploads = [];
    for (let count = 0; count < 4; count += 1) uploads.push(await fixture.begin(file, slow));
    const followed = async (): Promise<Content[]> => storedRows(ctx, Content, { ownerId: slow.userId });
    await eventually(async () => {
      const running = (await followed()).filter(({ leaseOwner }) => leaseOwner !== null);
      expect(running).to.have.length(4);
    });
    const { upload, id, part } = await fixture.begin(file);
    await fixture.untilPlaying(id);
    const stopped = (await followed()).filter(({ arrival }) => arrival === 'AWAITED');
    expect(stopped.length).to.be.within(1, 3);
    expect(stopped[0]).to.include({ failureDetail: 'others wait', leaseOwner: null });
    const last = await upload.patch(part, file.subarray(part));
    expect((await fixture.untilReady(last.headers.get('Box-Id') ?? '')).readyAttempt).to.equal(1);
    const [first] = uploads;
    const end = await first?.upload.patch(first.part, file.subarray(first.part));
    await fixture.untilReady(end?.headers.get('Box-Id') ?? '');
  });
});
