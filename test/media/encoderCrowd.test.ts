import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { packageRun } from '../../workers/live/packaging/packageRun.js';
import { openTestContext, type TestContext } from '../support/context.js';
import { startTestLive, type TestLive } from '../support/live/liveProcess.js';
import { makePublisher, streamKey } from '../support/liveStreams.js';
import { RtmpClient } from '../support/rtmp/rtmpClient.js';

/** Loopback addresses of the crowd and of another client. */
const crowdAddress = '127.0.0.2';
const otherAddress = '127.0.0.3';
const admittedWithinMs = 2000;

describe('the live process with a crowd of rejected encoders', function () {
  this.timeout(60_000);
  let ctx: TestContext;
  let live: TestLive;
  let isOver = false;
  const sockets: Socket[] = [];
  const loops: Promise<void>[] = [];

  before(async () => {
    const settings = { RTMP_HOST: '127.0.0.1', RTMP_PORT: '0', LIVE_CONCURRENCY: '4', LIVE_RECONNECT_SECONDS: '5' };
    ctx = await openTestContext(settings);
    live = await startTestLive(ctx);
  });
  after(async () => {
    isOver = true;
    for (const socket of sockets) socket.destroy();
    // Encoders that connect now are not among `sockets`: the end of the server ends them.
    await live?.close();
    await Promise.allSettled(loops);
    await ctx?.close();
  });

  async function client(localAddress: string): Promise<RtmpClient> {
    const connected = await RtmpClient.connect(live.port, { localAddress });
    sockets.push(connected.socket);
    return connected;
  }

  function silent(): Socket {
    const socket = connect({ port: live.port, host: '127.0.0.1', localAddress: crowdAddress });
    socket.on('error', () => {});
    sockets.push(socket);
    return socket;
  }

  async function refusedLogin(): Promise<void> {
    const encoder = await client(crowdAddress);
    if (!encoder.isClosed) await encoder.publish('key', `path?user=user.${randomUUID()}&pass=wrong`).catch(() => {});
    encoder.destroy();
  }

  async function loginAgainAndAgain(): Promise<void> {
    while (!isOver) await refusedLogin();
  }

  /** Publishes with valid credentials, and resolves with the milliseconds until the start was permitted. */
  async function publish(localAddress: string): Promise<number> {
    const key = streamKey(await makePublisher(ctx));
    const began = performance.now();
    const encoder = await client(localAddress);
    const status = await encoder.publish('key', key);
    expect(status.get('code'), localAddress).to.equal('NetStream.Publish.Start');
    return performance.now() - began;
  }

  it('admits valid encoders from the crowd’s address and from another one', async () => {
    const crowd = Array.from({ length: 200 }, () => silent());
    await Promise.all(crowd.map((socket) => Promise.race([once(socket, 'connect'), once(socket, 'close')])));
    await Promise.all(Array.from({ length: 60 }, refusedLogin));
    loops.push(...Array.from({ length: 16 }, loginAgainAndAgain));
    for (const address of [crowdAddress, otherAddress])
      expect(await publish(address), address).to.be.below(admittedWithinMs);
  });
});

const rounds = 20;
const closingMs = 150;

describe('the live process with encoders that reconnect immediately', function () {
  this.timeout(30_000);
  let ctx: TestContext;
  let live: TestLive;
  let [inProgress, maxInProgress] = [0, 0];

  /** A packager that takes a while to store its last segments. */
  const pack: typeof packageRun = async ({ source }) => {
    inProgress += 1;
    maxInProgress = Math.max(maxInProgress, inProgress);
    if (!('url' in source)) for await (const batch of source.tags) void batch;
    await sleep(closingMs);
    inProgress -= 1;
    return { reason: 'source ended' };
  };

  before(async () => {
    ctx = await openTestContext({ RTMP_HOST: '127.0.0.1', RTMP_PORT: '0', LIVE_CONCURRENCY: '4' });
    live = await startTestLive(ctx, pack);
  });
  after(async () => {
    await live?.close();
    await ctx?.close();
  });

  it('admits them while their old runs are being closed, and limits the number of those', async () => {
    const publishAgainAndAgain = async (): Promise<unknown[]> => {
      const key = streamKey(await makePublisher(ctx));
      const codes: unknown[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const encoder = await RtmpClient.connect(live.port);
        codes.push((await encoder.publish('key', key)).get('code'));
        encoder.destroy();
      }
      return codes;
    };
    const codes = (await Promise.all([publishAgainAndAgain(), publishAgainAndAgain()])).flat();
    expect(codes.filter((code) => code !== 'NetStream.Publish.Start')).to.have.length(0);
    expect(codes).to.have.length(2 * rounds);
    expect(maxInProgress).to.be.at.most(9);
  });
});
