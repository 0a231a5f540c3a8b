import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { residentBytesOf } from '../../tools/processUsage.js';
import { publicToken } from '../support/api.js';
import { fullChannel, newChannel, type FullChannel } from '../support/cast/fullChannel.js';
import { countOf } from '../support/crowd.js';
import { openDeployment } from '../support/deployment.js';
import { createLoggedInUser } from '../support/users.js';
import { useFixture } from '../support/fixtures.js';

const megabyte = 1024 * 1024;
/** The maximum response time for other users; on a busy machine, a multiple of the usual time. */
const permittedMs = 300;
const permittedTimes = 30;
/** The maximum memory growth of the process over its idle state. */
const permittedBytes = 500 * megabyte;

describe('Calendars of 62 days with 400 programs each', function () {
  this.timeout(240_000);
  const deployment = useFixture(() => openDeployment({ LOG_LEVEL: 'error' }));
  const web = useFixture(() => deployment.start('web'));
  const owner = useFixture(() => createLoggedInUser(deployment.ctx));
  const full = useFixture(() => fullChannel(deployment.api, owner, { days: 62, programsOfDay: 400 }));
  let destination: string;
  let anybody: string;

  before(async () => {
    destination = await newChannel(deployment.api, owner);
    anybody = await publicToken(deployment.api);
    // The first requests open connections and run uncompiled code.
    await statusOf(calendar(), owner.token);
  });

  const calendar = () => `/api/cast/channel/${full.channelId}/calendar/${full.firstDay}/62`;

  /** The status of a response; its body is received and not read. */
  async function statusOf(path: string, token: string, body?: object): Promise<number> {
    const response = await fetch(`${deployment.api.url}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${token}` },
      body: body ? JSON.stringify(body) : null,
    });
    await response.arrayBuffer();
    return response.status;
  }

  /** The 99th percentile of another user's response time, with one request at a time, every 50 ms. */
  async function timeOfOthers(work: () => Promise<unknown>): Promise<{ p99Ms: number; maxBytes: number }> {
    const times: number[] = [];
    const asked: Promise<void>[] = [];
    let maxBytes = 0;
    let isOver = false;
    const ask = async (): Promise<void> => {
      const startedMs = performance.now();
      expect(await statusOf(`/api/public/cast/channel/${destination}`, anybody)).to.equal(200);
      times.push(performance.now() - startedMs);
    };
    const done = work().finally(() => (isOver = true));
    while (!isOver) {
      asked.push(ask());
      maxBytes = Math.max(maxBytes, residentBytesOf(web.pid));
      await sleep(50);
    }
    await Promise.all([done, ...asked]);
    const sorted = times.toSorted((one, other) => one - other);
    return { p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0, maxBytes };
  }

  /** Runs `count` requests at once, without a delay for other users or memory growth. Resolves with the statuses. */
  async function crowd(count: number, request: () => Promise<number>): Promise<number[]> {
    const quiet = await timeOfOthers(() => sleep(3_000));
    let statuses: number[] = [];
    const beside = await timeOfOthers(async () => {
      statuses = await Promise.all(Array.from({ length: count }, request));
    });
    const figures = JSON.stringify({ quiet, beside });
    expect(beside.p99Ms, figures).to.be.at.most(Math.max(permittedMs, permittedTimes * quiet.p99Ms));
    expect(beside.maxBytes - quiet.maxBytes, figures).to.be.below(permittedBytes);
    return statuses;
  }

  it('are read four at a time in 80 requests of one user', async () => {
    const statuses = await crowd(80, () => statusOf(calendar(), owner.token));
    expect(countOf(statuses, 200)).to.be.at.least(4);
    expect(countOf(statuses, 200) + countOf(statuses, 429)).to.equal(80);
  });

  it('are copied completely, four at a time, in 100 requests of one user', async () => {
    const body = {
      ...{ sourceChannelId: full.channelId, sourceStartDate: full.firstDay, sourceDayCount: 62 },
      ...{ destChannelId: destination, destStartDate: full.firstDay, destDayCount: 62 },
    };
    const statuses = await crowd(100, () => statusOf('/api/cast/calendar/copy', owner.token, body));
    expect(countOf(statuses, 200)).to.be.at.least(4);
    expect(countOf(statuses, 200) + countOf(statuses, 429)).to.equal(100);
    const [{ count } = { count: 0 }] = await deployment.ctx.db.rows<{ count: number }>(
      'SELECT count(*)::int AS count FROM cast_programs WHERE channel_id = $destination',
      { destination },
    );
    expect(count).to.equal(62 * 400);
  });

  it('are read by 20 users at once', async () => {
    const users = await Promise.all(Array.from({ length: 20 }, () => createLoggedInUser(deployment.ctx)));
    const channels: FullChannel[] = [];
    for (const user of users) channels.push(await fullChannel(deployment.api, user, { days: 20, programsOfDay: 400 }));
    let next = 0;
    const statuses = await crowd(20, () => {
      const { channelId, firstDay, owner: reader } = channels[next++] as FullChannel;
      return statusOf(`/api/cast/channel/${channelId}/calendar/${firstDay}/20`, reader.token);
    });
    expect(countOf(statuses, 200)).to.equal(20);
  });
});
