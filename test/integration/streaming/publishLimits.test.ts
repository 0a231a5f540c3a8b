import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { openRun } from '../../../shared/streaming/liveRun.lifecycle.js';
import { renewRun } from '../../support/liveRun.js';
import { limitRefusals } from '../../../shared/streaming/publishing.service.js';
import { openTestContext } from '../../support/context.js';
import { makePublisher } from '../../support/live/publishers.js';
import { loginFailuresPerUser } from '../../../shared/oauth/loginAttempts.js';
import {
  refusedPublicationsPerAddress,
  refusedPublicationsPerUser,
} from '../../../shared/streaming/publishAttempts.js';
import { useFixture } from '../../support/fixtures.js';

const perAddress = 20;
const perUser = 30;
const limits = [
  [refusedPublicationsPerAddress, perAddress],
  [refusedPublicationsPerUser, perUser],
  [loginFailuresPerUser, 5],
] as const;

describe('rejected publications', () => {
  const ctx = useFixture(() => openTestContext({}, { limits }));

  async function isAllowed(userCode: string, remoteAddress: string, allowed: boolean): Promise<boolean> {
    return (await limitRefusals(ctx, { userCode, remoteAddress }, () => Promise.resolve({ allowed }))).allowed;
  }

  async function refuse(count: number, attempt: (index: number) => readonly [userCode: string, address: string]) {
    for (let index = 0; index < count; index += 1) await isAllowed(...attempt(index), false);
  }

  async function publisherFrom(clientAddress: string): Promise<string> {
    const { streamId, ownerId, userCode } = await makePublisher(ctx);
    const leaseOwner = randomUUID();
    const { runId } = await openRun(ctx, { streamId, ownerId, source: 'RTMP', leaseOwner, clientAddress });
    await renewRun(ctx, { runId, leaseOwner, lastMediaAt: ctx.clock.now(), receivedBytes: 1 });
    return userCode;
  }

  it('of other users lock a user out only if there are many, and never a user who has published from the address', async () => {
    const known = await publisherFrom('2001:db8:1:2::1');
    const address = '2001:db8:1:2::9';
    await refuse(perAddress - 1, () => [randomUUID(), address]);
    expect(await isAllowed('right', address, true)).to.equal(true);
    await refuse(1, () => [randomUUID(), address]);
    expect(await isAllowed('right', address, true)).to.equal(false);
    expect(await isAllowed('right', '2001:db8:1:3::9', true)).to.equal(true);
    expect(await isAllowed(known, address, true)).to.equal(true);
    expect(await isAllowed(known.toUpperCase(), address, true)).to.equal(true);
  });

  it('of one user from one address stop counting for other users once there are too many', async () => {
    await refuse(3 * perAddress, () => ['old.password', '192.0.2.20']);
    expect(await isAllowed('old.password', '192.0.2.20', true)).to.equal(false);
    expect(await isAllowed('old.password', '192.0.2.21', true)).to.equal(true);
    expect(await isAllowed('right', '192.0.2.20', true)).to.equal(true);
  });

  it('of one user from many addresses are limited, except where the user has published from', async () => {
    const userCode = await publisherFrom('198.51.100.1');
    await refuse(perUser, (index) => [userCode, `203.0.113.${Math.floor(index / 3)}`]);
    expect(await isAllowed(userCode, '203.0.113.200', true)).to.equal(false);
    expect(await isAllowed(userCode, '198.51.100.1', true)).to.equal(true);
    await refuse(5, () => [userCode, '198.51.100.1']);
    expect(await isAllowed(userCode, '198.51.100.1', true)).to.equal(false);
  });
});
