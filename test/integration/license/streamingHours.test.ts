import { expect } from 'chai';
import { streamingHoursAllowance, streamingAllowanceOf } from '../../../shared/license/streamingHours.service.js';
import { usageOf } from '../../../shared/license/usage.service.js';
import { registerUser } from '../../support/api.js';
import { publishSeconds } from '../../support/licenses.js';
import { serviceFixture } from '../../support/service.js';
import { fixtureEach } from '../../support/fixtures.js';
import { Quota } from '../../../shared/license/license.model.js';
import { changeRows } from '../../support/rows.js';

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

  it('restart in the next calendar month', async () => {
    await published(freeSeconds);
    ctx.clock.advance(32 * 86_400_000);
    expect(await allowance()).to.equal('WITHIN');
    expect(await usedSeconds()).to.equal(0);
    await published(7);
    expect(await usedSeconds()).to.equal(7);
  });
});
