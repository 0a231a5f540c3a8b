import { expect } from 'chai';
import { openContext, type OpenContext } from '../../../shared/openContext.js';
import { recordBand } from '../../../shared/license/band.service.js';
import { recordMediaSeconds } from '../../../shared/license/mediaMinutes.service.js';
import { usageOf } from '../../../shared/license/usage.service.js';
import type { Context } from '../../../shared/platform/context.js';
import { DatabaseClock } from '../../../shared/platform/database/databaseTime.js';
import { readConfig } from '../../../shared/settings.js';
import { publishSeconds } from '../../support/licenses.js';
import { createTestClock, openTestContext } from '../../support/context.js';
import { createUser } from '../../support/users.js';
import { useFixture } from '../../support/fixtures.js';

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
