import { expect } from 'chai';
import { isBandExceeded, recordBand } from '../../../shared/license/band.service.js';
import { recordStoredBytes, takeStorage, usageOf } from '../../../shared/license/usage.service.js';
import { rejection } from '../../support/rejection.js';
import { createUser } from '../../support/users.js';
import { serviceFixture } from '../../support/service.js';

const gigabyte = 1024 ** 3;

describe('the usage of a user', () => {
  const { ctx } = serviceFixture();
  let userId: string;
  beforeEach(async () => {
    userId = await createUser(ctx);
  });

  const record = (kind: 'originals' | 'renditions' | 'thumbnails', bytes: number): Promise<void> =>
    ctx.db.transaction((tx) => recordStoredBytes(ctx, tx, userId, kind, bytes));

  it('counts originals, renditions and thumbnails separately, and never below zero', async () => {
    await Promise.all([
      record('originals', 100),
      record('originals', 50),
      record('renditions', 30),
      record('thumbnails', 5),
    ]);
    expect(await usageOf(ctx, userId)).to.include({
      originalBytes: 150,
      renditionBytes: 30,
      thumbnailBytes: 5,
      storedBytes: 185,
      uploads: 2,
    });
    await record('originals', -100);
    await record('renditions', -1000);
    expect(await usageOf(ctx, userId)).to.include({ originalBytes: 50, renditionBytes: 0, uploads: 1 });
  });

  it('adds bytes only if the storage permits it', async () => {
    await record('originals', gigabyte - 10);
    await ctx.db.transaction((tx) => takeStorage(ctx, tx, userId, 'thumbnails', 10));
    expect(await rejection(ctx.db.transaction((tx) => takeStorage(ctx, tx, userId, 'thumbnails', 1)))).to.include({
      limit: 'STORAGE',
    });
    expect(await usageOf(ctx, userId)).to.include({ thumbnailBytes: 10 });
  });

  it('counts traffic by month for many publishers in one statement, and ignores unknown ids', async () => {
    const other = await createUser(ctx);
    await Promise.all(
      [1, 2, 3].map(() =>
        recordBand(
          ctx,
          new Map([
            [userId, gigabyte],
            [other, 7],
            [crypto.randomUUID(), 9],
          ]),
        ),
      ),
    );
    expect((await usageOf(ctx, userId)).bandBytes).to.equal(3 * gigabyte);
    expect((await usageOf(ctx, other)).bandBytes).to.equal(21);
    expect(await isBandExceeded(ctx, userId)).to.equal(false);
    await recordBand(ctx, new Map([[userId, 2 * gigabyte]]));
    expect(await isBandExceeded(ctx, userId)).to.equal(true);
    ctx.clock.advance(32 * 24 * 60 * 60_000);
    expect(await isBandExceeded(ctx, userId)).to.equal(false);
    await recordBand(ctx, new Map([[userId, 1]]));
    expect((await usageOf(ctx, userId)).bandBytes).to.equal(1);
  });
});
