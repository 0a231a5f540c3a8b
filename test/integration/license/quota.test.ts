import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { isBandExceeded, recordBand } from '../../../shared/license/band.service.js';
import {
  abandonExpired,
  cancelReservation,
  growReservation,
  extendReservation,
  reservationMilliseconds,
  reserveUpload,
  commitReservation,
} from '../../../shared/license/reservation.service.js';
import { offeredPlans } from '../../../shared/license/offeredPlans.queries.js';
import { ensureQuota, recordStoredBytes, takeStorage, usageOf } from '../../../shared/license/usage.service.js';
import { QuotaExceededError, UnavailableError } from '../../../shared/platform/errors.js';
import { readUser } from '../../../shared/user/user.queries.js';
import { plan } from '../../../scripts/plan.js';
import { rejection } from '../../support/eventually.js';
import { createUser } from '../../support/users.js';
import { serviceFixture } from '../../support/fixtures.js';
import { setQuota } from '../../support/licenses.js';

const megabyte = 1024 ** 2;
const gigabyte = 1024 ** 3;

describe('the quota', () => {
  const { ctx } = serviceFixture();
  let userId: string;
  beforeEach(async () => {
    await ctx.db.change('DELETE FROM upload_reservations');
    userId = await createUser(ctx);
  });

  const settle = (id: string, bytes: number): Promise<void> =>
    ctx.db.transaction((tx) => commitReservation(ctx, tx, id, bytes));
  const record = (kind: 'originals' | 'renditions' | 'thumbnails', bytes: number): Promise<void> =>
    ctx.db.transaction((tx) => recordStoredBytes(ctx, tx, userId, kind, bytes));

  it('has the limits of Free everywhere as soon as a plan ends', async () => {
    const expiresAt = new Date(ctx.clock.now().getTime() + 60_000);
    await setQuota(ctx, userId, { planId: 5, expiresAt });
    await record('originals', 2 * gigabyte);
    await recordBand(ctx, new Map([[userId, 6 * gigabyte]]));
    const [growing, settling] = await Promise.all([
      reserveUpload(ctx, userId, megabyte),
      reserveUpload(ctx, userId, 3 * gigabyte),
    ]);
    await growReservation(ctx, growing.id, megabyte);
    await ctx.db.transaction((tx) => takeStorage(ctx, tx, userId, 'thumbnails', 1));
    expect(await isBandExceeded(ctx, userId)).to.equal(false);
    ctx.clock.advance(60_000);
    expect(await usageOf(ctx, userId)).to.include({ storageLimitBytes: gigabyte, bandLimitBytes: 5 * gigabyte });
    expect(await isBandExceeded(ctx, userId)).to.equal(true);
    expect(await rejection(reserveUpload(ctx, userId, 1))).to.include({ limit: 'STORAGE' });
    expect(await rejection(growReservation(ctx, growing.id, 1))).to.include({ limit: 'STORAGE' });
    expect(await rejection(settle(settling.id, 3 * gigabyte))).to.include({ limit: 'FILE_SIZE' });
    expect(await rejection(ctx.db.transaction((tx) => takeStorage(ctx, tx, userId, 'thumbnails', 1)))).to.include({
      limit: 'STORAGE',
    });
    await cancelReservation(ctx, settling.id);
    expect(await usageOf(ctx, userId)).to.include({ reservedUploads: 1, originalBytes: 2 * gigabyte });
  });

  it('has the plans of the contract', async () => {
    const plans = await ctx.db.rows(
      `SELECT name, storage_gigabytes AS storage, band_gigabytes AS band, streaming_amount AS hours, price_cents AS cents FROM license_plans ORDER BY id`,
    );
    expect(plans).to.deep.equal([
      { name: 'Free', storage: 1, band: 5, hours: 10, cents: 0 },
      { name: 'Entry', storage: 8, band: 30, hours: 60, cents: 1000 },
      { name: 'Basic', storage: 20, band: 80, hours: 160, cents: 2000 },
      { name: 'Professional', storage: 65, band: 250, hours: 500, cents: 6000 },
      { name: 'Business', storage: 200, band: 800, hours: 1600, cents: 18000 },
      { name: 'Unlimited', storage: 1_000_000, band: 1_000_000, hours: 0, cents: 0 },
    ]);
  });

  describe('with DEFAULT_PLAN', () => {
    const unlimited = { storageLimitBytes: 1_000_000 * gigabyte, maxUploadNumber: 0, streamingHoursLimit: 0 };
    const own = () => ({ ...ctx, config: { ...ctx.config, license: { defaultPlan: 'unlimited' } } });

    it('limits users without a paid plan, also after one has ended, and lists it as the only free plan', async () => {
      expect(await usageOf(own(), userId)).to.include(unlimited);
      await ensureQuota(ctx, userId);
      expect(await usageOf(own(), userId)).to.include(unlimited);
      await reserveUpload(own(), userId, 2 * gigabyte);
      await setQuota(ctx, userId, { planId: 5, expiresAt: new Date(ctx.clock.now().getTime() - 1) });
      expect(await usageOf(own(), userId)).to.include(unlimited);
      expect((await usageOf(ctx, userId)).storageLimitBytes).to.equal(gigabyte);
      const { items } = await offeredPlans(own(), { pageSize: 100, pageIndex: 0 });
      expect(items.map(({ name }) => name)).to.include.members(['Unlimited', 'Entry']);
      expect(items.map(({ name }) => name)).not.to.include('Free');
    });

    it('yields to the plan that `npm run plan` assigns, also after a paid plan has ended', async () => {
      const { userCode } = await readUser(ctx, userId);
      const run = async (...parameters: string[]): Promise<[number, string]> => {
        const stream = new PassThrough();
        const code = await plan(own(), parameters, stream as unknown as NodeJS.WriteStream);
        return [code, (await stream.end().toArray()).join('')];
      };
      expect(await run()).to.satisfy(([code, text]: [number, string]) => code === 1 && text.includes('Plans: Free'));
      expect((await run(userCode, 'None'))[1]).to.match(/^There is no plan None, only Free, Unlimited/);
      expect(await run('nobody', 'Basic')).to.deep.equal([1, 'There is no user nobody.\n']);
      expect((await run(userCode.toUpperCase(), 'basic'))[1]).to.match(/: plan Basic\nstorage 0\.00 of 20 GB/);
      await setQuota(ctx, userId, { planId: 2, expiresAt: new Date(ctx.clock.now().getTime() - 1) });
      expect((await run(userCode))[1]).to.include('plan Entry, expired');
      expect((await run(userCode, 'Basic'))[1]).to.include('plan Basic\n');
      expect((await run(userCode, 'Free'))[1]).to.include('plan Unlimited\n');
    });
  });

  it('reserves bytes, and turns them into stored bytes', async () => {
    const { id } = await reserveUpload(ctx, userId, 10 * megabyte);
    expect(await usageOf(ctx, userId)).to.include({ reservedBytes: 10 * megabyte, reservedUploads: 1, uploads: 0 });
    await settle(id, 9 * megabyte);
    expect(await usageOf(ctx, userId)).to.include({
      reservedBytes: 0,
      reservedUploads: 0,
      uploads: 1,
      originalBytes: 9 * megabyte,
    });
    await cancelReservation(ctx, id);
    expect(await usageOf(ctx, userId)).to.include({ uploads: 1, originalBytes: 9 * megabyte });
  });

  it('releases a reservation once for any number of cancellations', async () => {
    const { id } = await reserveUpload(ctx, userId, 10 * megabyte);
    await Promise.all([1, 2, 3].map(() => cancelReservation(ctx, id)));
    expect(await usageOf(ctx, userId)).to.include({ reservedBytes: 0, reservedUploads: 0 });
    expect(await rejection(settle(id, 1))).to.be.instanceOf(UnavailableError);
  });

  it('accepts as many of twenty concurrent uploads as storage and upload number of the plan permit', async () => {
    await record('originals', gigabyte - 50 * megabyte);
    const accepted = async (bytes: number, limit: string): Promise<number> => {
      const attempts = Array.from({ length: 20 }, () => reserveUpload(ctx, userId, bytes));
      const results = await Promise.allSettled(attempts);
      for (const result of results) if (result.status === 'rejected') expect(result.reason).to.include({ limit });
      return results.filter(({ status }) => status === 'fulfilled').length;
    };
    expect(await accepted(10 * megabyte, 'STORAGE')).to.equal(5);
    expect(await usageOf(ctx, userId)).to.include({ reservedBytes: 50 * megabyte, reservedUploads: 5 });
    userId = await createUser(ctx);
    await setQuota(ctx, userId, { uploads: 95 });
    expect(await accepted(1, 'UPLOAD_COUNT')).to.equal(5);
  });

  it('never exceeds the limit with concurrently growing reservations', async () => {
    const reservations = await Promise.all([1, 2, 3, 4].map(() => reserveUpload(ctx, userId, 0)));
    await record('originals', gigabyte - 100 * megabyte);
    const steps = reservations.flatMap(({ id }) =>
      Array.from({ length: 5 }, () => growReservation(ctx, id, 10 * megabyte)),
    );
    const grown = await Promise.allSettled(steps);
    expect(grown.filter(({ status }) => status === 'fulfilled')).to.have.length(10);
    expect(await usageOf(ctx, userId)).to.include({ reservedBytes: 100 * megabyte });
    await Promise.all(reservations.map(({ id }) => cancelReservation(ctx, id)));
    expect(await usageOf(ctx, userId)).to.include({ reservedBytes: 0, reservedUploads: 0 });
  });

  it('names the exceeded limit in the error', async () => {
    await setQuota(ctx, userId, { planId: 2 });
    expect(await rejection(reserveUpload(ctx, userId, 5 * gigabyte)))
      .to.be.instanceOf(QuotaExceededError)
      .and.include({ limit: 'FILE_SIZE' });
    await record('renditions', 7 * gigabyte);
    expect(await rejection(reserveUpload(ctx, userId, 2 * gigabyte))).to.include({ limit: 'STORAGE' });
    const { id } = await reserveUpload(ctx, userId, gigabyte);
    expect(await rejection(growReservation(ctx, id, 3 * gigabyte + megabyte))).to.include({ limit: 'FILE_SIZE' });
    expect(await rejection(growReservation(ctx, id, megabyte))).to.include({ limit: 'STORAGE' });
  });

  it('checks the size of a received file', async () => {
    await setQuota(ctx, userId, { planId: 2 });
    const { id } = await reserveUpload(ctx, userId, 4 * gigabyte + 1000);
    expect(await rejection(settle(id, 4 * gigabyte + 1))).to.include({ limit: 'FILE_SIZE' });
    expect(await usageOf(ctx, userId)).to.include({ reservedBytes: 4 * gigabyte + 1000, originalBytes: 0 });
    await settle(id, 4 * gigabyte);
    expect(await usageOf(ctx, userId)).to.include({ reservedBytes: 0, originalBytes: 4 * gigabyte });
  });

  it('discards expired reservations, which can no longer be committed', async () => {
    const [dead, alive] = await Promise.all([
      reserveUpload(ctx, userId, megabyte),
      reserveUpload(ctx, userId, megabyte),
    ]);
    ctx.clock.advance(reservationMilliseconds - 1000);
    await extendReservation(ctx, alive.id);
    ctx.clock.advance(2000);
    expect(await abandonExpired(ctx, 100)).to.deep.equal([dead.id]);
    expect(await rejection(settle(dead.id, megabyte))).to.be.instanceOf(UnavailableError);
    expect(await rejection(growReservation(ctx, dead.id, 1))).to.be.instanceOf(UnavailableError);
    expect(await rejection(extendReservation(ctx, dead.id))).to.be.instanceOf(UnavailableError);
    expect(await abandonExpired(ctx, 100)).to.deep.equal([dead.id]);
    await cancelReservation(ctx, dead.id);
    expect(await usageOf(ctx, userId)).to.include({ reservedBytes: megabyte, reservedUploads: 1 });
    await settle(alive.id, megabyte);
  });
});
