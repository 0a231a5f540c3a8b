import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { startTestDatabase, type TestDatabase } from '../../scripts/embedded/embeddedDatabase.js';
import { offerRun } from '../../shared/streaming/offeredRun.lifecycle.js';
import { LiveRun } from '../../shared/streaming/streaming.model.js';
import { openDeployment, type TestDeployment, rtmpPortOf, type BuiltProcess } from '../support/deployment.js';
import { eventually } from '../support/eventually.js';
import { openBroadcast, watchOnAir, type TestBroadcast, expectCompleteRecording } from '../support/live/broadcast.js';
import { keepPublishing, type KeptEncoder } from '../support/rtmp/encoder.js';
import { challengeAddress } from '../support/liveStreams.js';
import { startViewer, type Viewer } from '../support/live/viewer.js';
import { liveCoding, makeVideo } from '../support/media.js';
import { startS3, type TestS3 } from '../support/s3.js';

describe('a live stream while servers are slow or down', function () {
  this.timeout(120_000);
  let database: TestDatabase;
  let s3: TestS3;
  let deployment: TestDeployment;
  let live: readonly BuiltProcess[];
  let clip: string;
  let broadcast: TestBroadcast;
  let encoder: KeptEncoder;
  let viewer: Viewer;

  before(async () => {
    clip = await makeVideo({ seconds: 4, size: '320x180', coding: liveCoding });
    [database, s3] = await Promise.all([startTestDatabase(), startS3()]);
    deployment = await openDeployment(
      {
        ...{ ...s3.env, LOG_LEVEL: 'info', RTMP_HOST: '127.0.0.1', RTMP_PORT: '0' },
        ...{ LIVE_RENDITIONS: '100', LIVE_PRESET: 'ultrafast', LIVE_RECONNECT_SECONDS: '30' },
        LIVE_PULL_URL: 'http://127.0.0.1/{streamPath}',
      },
      database.url,
    );
    await deployment.start('web');
    live = await Promise.all([deployment.start('live'), deployment.start('live')]);
    broadcast = await openBroadcast(deployment);
    encoder = keepPublishing(clip, [challengeAddress(await rtmpPortOf(live[0] as BuiltProcess), broadcast)]);
    // After an outage, more segments are listed at once than the other playlist's window contains.
    viewer = await startViewer(`${broadcast.masterUrl}?dvr=1`);
  });
  after(async () => {
    await encoder?.stop();
    await deployment?.close();
    await s3?.close();
    await database?.stop();
  });

  it('continues when each request to S3 takes a second', async () => {
    s3.delayMs = 1_000;
    await viewer.more(4);
    s3.delayMs = 0;
    expect(encoder.connections).to.equal(1);
  });

  it('continues after a PostgreSQL outage of 12 s with all segments of that time', async () => {
    const onAir = await watchOnAir(deployment, broadcast);
    await eventually(async () => expect(viewer.segments().length).to.be.greaterThan(4));
    const last = viewer.segments().at(-1);
    await database.restart(12_000);
    await viewer.more(5, 30_000);
    const seconds = ((viewer.segments().at(-1)?.startsAtMs ?? 0) - (last?.startsAtMs ?? 0)) / 1000;
    expect(seconds).to.be.greaterThan(9);
    expect((await onAir.stop()).off, 'responses that it is not on air').to.equal(0);
    expect(encoder.connections, live.map((one) => one.output()).join('')).to.equal(1);
  });

  it('ends its playlist without a missing number and is recorded without a gap', async () => {
    await viewer.stop();
    await encoder.stop();
    await expectCompleteRecording(deployment, broadcast);
  });

  describe('that an external server receives', () => {
    let server: Server;

    before(async () => {
      server = createServer((_request, response) => {
        const options = ['-v', 'error', '-re', '-stream_loop', '-1', '-i', clip, '-c', 'copy', '-f', 'flv', 'pipe:1'];
        const source = spawn(process.env['FFMPEG_PATH'] ?? 'ffmpeg', options, { stdio: ['ignore', 'pipe', 'ignore'] });
        source.stdout.pipe(response);
        response.on('close', () => source.kill('SIGKILL'));
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
    });
    after(() => {
      server.closeAllConnections();
      server.close();
    });

    it('continues when the live process that reads it is killed', async () => {
      const { ctx } = deployment;
      const { streamId, ownerId, masterUrl } = await openBroadcast(deployment);
      const pullUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/stream.flv`;
      await offerRun(ctx, { streamId, ownerId, serverKey: randomUUID(), pullUrl, clientAddress: null });
      const pulled = await startViewer(masterUrl);
      await pulled.more(1);
      const [run] = await ctx.db.model(LiveRun).findAll({ where: { streamId, state: 'OPEN' } });
      const claim = live.find(({ pid }) => run?.leaseOwner?.includes(`-${pid}-`));
      await (claim ?? expect.fail('no process owns the run')).end('SIGKILL');
      // The lease of a pulled run has to expire before the next segments: a busy machine needs more than 15 s.
      await eventually(() => expect(pulled.segments().at(-1)?.discontinuity).to.equal(1), { timeoutMs: 30_000 });
      await pulled.stop();
    });
  });
});
