import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { openTestContext, type TestContext } from '../../support/context.js';
import { startTestLive, type TestLive } from '../../support/live/liveProcess.js';
import { makePublisher } from '../../support/live/publishers.js';
import { RtmpClient } from '../../support/rtmp/rtmpClient.js';

/** Loopback addresses: of the crowd, and of somebody else. */
const crowdAddress = '127.0.0.2';
const otherAddress = '127.0.0.3';
const admittedWithinMs = 2000;

describe('live process: a crowd of encoders', function () {
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
    await Promise.all(loops);
    await live?.close();
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

  /** Publishes with the right credentials, and resolves with the milliseconds until it was allowed. */
  async function publish(localAddress: string): Promise<number> {
    const { streamPath, userCode, livePassword } = await makePublisher(ctx);
    const began = performance.now();
    const encoder = await client(localAddress);
    const key = `${streamPath}?user=${userCode}&pass=${encodeURIComponent(livePassword)}`;
    const status = await encoder.publish('key', key);
    expect(status.get('code'), localAddress).to.equal('NetStream.Publish.Start');
    return performance.now() - began;
  }

  it('keeps no right one out, of its own address or of another one', async () => {
    const crowd = Array.from({ length: 200 }, () => silent());
    await Promise.all(crowd.map((socket) => Promise.race([once(socket, 'connect'), once(socket, 'close')])));
    await Promise.all(Array.from({ length: 60 }, refusedLogin));
    loops.push(...Array.from({ length: 16 }, loginAgainAndAgain));
    for (const address of [crowdAddress, otherAddress])
      expect(await publish(address), address).to.be.below(admittedWithinMs);
  });
});
