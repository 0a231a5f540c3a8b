import { expect } from 'chai';
import { isBandExceeded, recordBand } from '../../../shared/license/band.service.js';
import { recordStoredBytes, usageOf } from '../../../shared/license/usage.service.js';
import { createUser } from '../../support/users.js';
import { serviceFixture, useFixture, fixtureEach } from '../../support/fixtures.js';
import { openContext, type OpenContext } from '../../../shared/openContext.js';
import {
  recordMediaSeconds,
  mediaMinutesAllowance,
  maxWaitingChunks,
  mediaAllowanceOf,
} from '../../../shared/license/mediaMinutes.service.js';
import type { Context } from '../../../shared/platform/context.js';
import { DatabaseClock } from '../../../shared/platform/database/databaseTime.js';
import { readConfig } from '../../../shared/settings.js';
import { publishSeconds } from '../../support/licenses.js';
import { createTestClock, openTestContext } from '../../support/context.js';
import { registerUser } from '../../support/api.js';
import { eventually } from '../../support/eventually.js';
import { rawUpload, upload } from '../../support/uploads.js';
import { Quota } from '../../../shared/license/license.model.js';
import { Content } from '../../../shared/content/content.model.js';
import { changeRows } from '../../support/rows.js';
import { streamingHoursAllowance, streamingAllowanceOf } from '../../../shared/license/streamingHours.service.js';

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

/** Two processes with different clocks at the end of a month. */
describe('monthly counters', () => {
  const behind = useFixture(openTestContext);
  let ahead: OpenContext;

  before(async () => {
    behind.clock.advance(Date.UTC(2030, 0, 31, 23, 59, 59, 500) - behind.clock.now().getTime());
    const clock = createTestClock(new Date(behind.clock.now().getTime() + 1_000));
    ahead = await openContext(readConfig('worker', behind.env), { clock });
  });
  after(async () => {
    await ahead.close();
  });

  async function count(ctx: Context, userId: string): Promise<void> {
    await recordBand(ctx, new Map([[userId, 100]]));
    await ctx.db.transaction((tx) => recordMediaSeconds(ctx, tx, userId, 100));
    await publishSeconds(ctx, userId, 100);
  }
  async function counted(ctx: Context, userId: string): Promise<number[]> {
    const { bandBytes, mediaSeconds, streamingSeconds } = await usageOf(ctx, userId);
    return [bandBytes, mediaSeconds, streamingSeconds];
  }

  it('restart once per month, and never return to the previous month', async () => {
    const userId = await createUser(behind);
    await count(behind, userId);
    expect(await counted(behind, userId)).to.deep.equal([100, 100, 100]);
    expect(await counted(ahead, userId)).to.deep.equal([0, 0, 0]);
    for (const ctx of [ahead, behind, ahead, behind]) await count(ctx, userId);
    expect(await counted(ahead, userId)).to.deep.equal([400, 400, 400]);
    expect(await counted(behind, userId)).to.deep.equal([400, 400, 400]);
  });

  it('use the month of the database, not of the machine', async () => {
    const userId = await createUser(behind);
    const databaseTime = new DatabaseClock();
    const [one, other] = [
      { ...behind, databaseTime },
      { ...ahead, databaseTime },
    ];
    await count(one, userId);
    await count(other, userId);
    expect(await counted(one, userId)).to.deep.equal([200, 200, 200]);
    const [row] = await behind.db.rows<{ month: string; present: string }>(
      `SELECT band_month::text AS month, to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-01') AS present
         FROM quotas WHERE user_id = $userId`,
      { userId },
    );
    expect(row?.month).to.equal(row?.present);
  });
});

const freeMinutes = 3000;

describe('the media minutes of a month', () => {
  const { ctx, api } = serviceFixture({}, { limits: [[maxWaitingChunks, 3]] });
  const user = fixtureEach(() => registerUser(api));

  const processed = (minutes: number) =>
    ctx.db.transaction((tx) => recordMediaSeconds(ctx, tx, user.userId, minutes * 60));
  const usage = async () => (await api.call('GET', '/api/user/me/overview', { token: user.token })).body.usage;

  const contentIds = async (ownerId: string): Promise<string[]> => {
    const rows = await ctx.db.rows<{ id: string }>('SELECT id FROM contents WHERE owner_id = $ownerId', { ownerId });
    return rows.map(({ id }) => id);
  };

  it('are counted by calendar month, and shown in the overview', async () => {
    expect(await usage()).to.include({ mediaMinutes: 0, mediaMinutesLimit: freeMinutes });
    await Promise.all([processed(10), processed(20), processed(0.5)]);
    expect(await usage()).to.include({ mediaMinutes: 30 });
    ctx.clock.advance(32 * 86_400_000);
    expect(await usageOf(ctx, user.userId)).to.include({ mediaSeconds: 0 });
    await processed(7);
    expect(await usageOf(ctx, user.userId)).to.include({ mediaSeconds: 7 * 60 });
  });

  it('are limited by the plan, except by a limit of 0', async () => {
    await processed(freeMinutes - 1);
    expect(await mediaAllowanceOf(ctx, user.userId)).to.equal('WITHIN');
    await processed(1);
    expect(await mediaAllowanceOf(ctx, user.userId)).to.equal('BEYOND');
    await processed(freeMinutes);
    expect(await mediaAllowanceOf(ctx, user.userId)).to.equal('REFUSED');
    await changeRows(ctx, Quota, { userId: user.userId }, { planId: 2 });
    expect(await mediaAllowanceOf(ctx, user.userId)).to.equal('WITHIN');
    expect(mediaMinutesAllowance({ mediaSeconds: 1e9, mediaMinutesLimit: 0 })).to.equal('WITHIN');
    expect(mediaMinutesAllowance({ mediaSeconds: 120, mediaMinutesLimit: 1 })).to.equal('REFUSED');
  });

  it('permit an upload beyond the allowance, and reject it far beyond before the body, in the caller’s language', async () => {
    await processed(2 * freeMinutes - 1);
    expect((await upload(api, user)).status).to.equal(201);
    expect((await usageOf(ctx, user.userId)).mediaSeconds, 'with the upload').to.equal((2 * freeMinutes - 1) * 60 + 10);
    await processed(1);
    const headers = {
      'Content-Type': 'multipart/form-data; boundary=x',
      'Content-Length': 1e6,
      'Accept-Language': 'it',
    };
    const refused = await rawUpload(api, user, headers, () => {});
    expect(refused?.status).to.equal(409);
    expect(refused?.body).to.include({
      exception: 'MediaMinutesQuotaExceededException',
      message:
        'La tua licenza comprende 3000 minuti di elaborazione al mese e ne sono usati 6000. Potrai caricare di nuovo il mese prossimo o con una licenza più grande.',
    });
  });

  it('return 409 while too many contents of the user wait for processing', async () => {
    for (let count = 0; count < 3; count += 1) expect((await upload(api, user)).status).to.equal(201);
    const { status, body } = await upload(api, user);
    expect([status, body.exception]).to.deep.equal([409, 'WaitingWorkQuotaExceededException']);
    expect((await upload(api, await registerUser(api))).status, "another user's upload").to.equal(201);
    await changeRows(ctx, Content, { ownerId: user.userId }, { state: 'FAILED', failedGeneration: 1 });
    expect((await upload(api, user)).status).to.equal(201);
  });

  it('let the first contents of other users be ingested before a user’s further contents', async () => {
    const other = await registerUser(api);
    for (const owner of [user, user, other]) await upload(api, owner);
    const queue = ctx.queues.all().find(({ name }) => name === 'ingestion');
    const ids = await Promise.all([user, other].map(({ userId }) => contentIds(userId)));
    await eventually(async () => {
      const jobs = (await queue?.getJobs(['prioritized'])) ?? [];
      const priorities = ids.map((own) =>
        jobs.flatMap(({ data, opts }) => (own.includes(data.contentId) ? [opts.priority] : [])),
      );
      expect(priorities[0]).to.have.members([1, 2]);
      expect(priorities[1]).to.deep.equal([1]);
    });
  });
});

const freeSeconds = 10 * 3600;

describe('the streaming hours of a month', () => {
  const { ctx, api } = serviceFixture({});
  const user = fixtureEach(() => registerUser(api));

  const published = (seconds: number) => publishSeconds(ctx, user.userId, seconds);
  const allowance = () => streamingAllowanceOf(ctx, user.userId);
  const usedSeconds = async () => (await usageOf(ctx, user.userId)).streamingSeconds;

  it('are counted for all streams of the user, and shown in the overview', async () => {
    await Promise.all([published(60), published(61), published(119)]);
    expect(await usedSeconds()).to.equal(240);
    const { body } = await api.call('GET', '/api/user/me/overview', { token: user.token });
    expect(body.usage).to.include({ streamingMinutes: 4, streamingMinutesLimit: 600 });
  });

  it('are used up at the plan’s limit, and available again with a larger plan', async () => {
    await published(freeSeconds - 1);
    expect(await allowance()).to.equal('WITHIN');
    await published(1);
    expect(await allowance()).to.equal('USED_UP');
    await changeRows(ctx, Quota, { userId: user.userId }, { planId: 2 });
    expect(await allowance()).to.equal('WITHIN');
  });

  it('are unlimited in a plan with 0 hours', () => {
    expect(streamingHoursAllowance({ streamingSeconds: 1e9, streamingHoursLimit: 0 })).to.equal('WITHIN');
    expect(streamingHoursAllowance({ streamingSeconds: 3600, streamingHoursLimit: 1 })).to.equal('USED_UP');
  });
});
