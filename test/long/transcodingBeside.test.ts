import { expect } from 'chai';
import { openAsBlob, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { LiveSegment, LiveSession } from '../../shared/streaming/streaming.model.js';
import {
  openDeployment,
  uploadClip,
  type TestDeployment,
  childrenOf,
  type BuiltProcess,
  freePort,
} from '../support/deployment.js';
import { eventually } from '../support/eventually.js';
import { openBroadcast, type TestBroadcast } from '../support/live/broadcast.js';
import { challengeAddress } from '../support/liveStreams.js';
import { liveCoding, makeVideo } from '../support/media.js';
import { startEncoder, type Encoder } from '../support/rtmp/encoder.js';
import { createLoggedInUser } from '../support/users.js';
import { storedRows } from '../support/rows.js';

/** The duration of each part in seconds. */
const measuredSeconds = 30;

describe('a live stream on a machine that also transcodes videos', function () {
  this.timeout(300_000);
  let deployment: TestDeployment;
  let live: BuiltProcess;
  let worker: BuiltProcess;
  let broadcast: TestBroadcast;
  let encoder: Encoder;

  before(async () => {
    const port = await freePort();
    deployment = await openDeployment({
      ...{ LOG_LEVEL: 'info', RTMP_HOST: '127.0.0.1', RTMP_PORT: String(port), LIVE_RENDITIONS: '480,240' },
    });
    [live, worker] = await Promise.all([deployment.start('live'), deployment.start('worker'), deployment.start('web')]);
    broadcast = await openBroadcast(deployment);
    const clip = await makeVideo({ seconds: 60, size: '854x480', coding: liveCoding });
    encoder = startEncoder(clip, challengeAddress(port, broadcast), { isLive: true });
  });
  after(async () => {
    await encoder?.kill();
    await deployment?.close();
  });

  /** Seconds from the end of each segment to its row, for later segments. */
  async function delays(): Promise<number[]> {
    const { ctx } = deployment;
    const since = new Date();
    await sleep(measuredSeconds * 1000);
    const { id: sessionId } = await ctx.db
      .model(LiveSession)
      .findOne({ where: { streamId: broadcast.streamId }, rejectOnEmpty: true });
    const rows = await ctx.db.model(LiveSegment).findAll({ where: { sessionId }, order: [['sequence', 'ASC']] });
    return rows
      .filter(({ storedAt }) => storedAt > since)
      .map(
        ({ storedAt, startsAt, durationMicroseconds }) =>
          (storedAt.getTime() - startsAt.getTime()) / 1000 - durationMicroseconds / 1e6,
      );
  }

  it('is not delayed, because the ffmpeg of transcoding has a lower priority', async () => {
    await eventually(async () => expect(await storedRows(deployment.ctx, LiveSegment)).not.to.have.length(0), {
      timeoutMs: 30_000,
    });
    const alone = await delays();
    const { token } = await createLoggedInUser(deployment.ctx);
    const video = await openAsBlob(await makeVideo({ seconds: 60, size: '1920x1080', coding: liveCoding }));
    await uploadClip(deployment.api, token, video, 'Beside');
    const transcoding = await eventually(
      () => childrenOf(worker.pid).find(({ command }) => command.includes('libx264')) ?? expect.fail('no transcoding'),
      { timeoutMs: 60_000 },
    );
    const packaging = childrenOf(live.pid).find(({ command }) => command.includes('libx264'));
    expect([nicenessOf(packaging?.pid ?? 0), nicenessOf(transcoding.pid)]).to.deep.equal([0, 15]);
    const beside = await delays();
    const isBusy = childrenOf(worker.pid).some(({ command }) => command.includes('libx264'));
    console.error(
      `      delay of segments, alone: ${describeTimes(alone)}; during transcoding: ${describeTimes(beside)}`,
    );
    expect(isBusy, 'the transcoding lasts as long as the measurement').to.equal(true);
    expect(beside.length, 'segments during transcoding').to.be.at.least(alone.length - 1);
    expect(median(beside)).to.be.below(median(alone) + 1);
    expect(live.output()).not.to.include('slower than real time');
  });
});

function nicenessOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[16]);
}

function median(seconds: readonly number[]): number {
  return seconds.toSorted((left, right) => left - right)[Math.floor(seconds.length / 2)] ?? Number.NaN;
}

function describeTimes(seconds: readonly number[]): string {
  return `median ${median(seconds).toFixed(2)} s, longest ${Math.max(...seconds).toFixed(2)} s, ${seconds.length} segments`;
}
