import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { LiveSegment, LiveSession } from '../../shared/streaming/streaming.model.js';
import { packageRun } from '../../workers/live/packaging/packageRun.js';
import { withRealClock, openTestContext, type TestContext } from '../support/context.js';
import { eventually } from '../support/eventually.js';
import { startTestLive, type TestLive } from '../support/live/liveProcess.js';
import { keyAddress, makePublisher, type Publisher } from '../support/liveStreams.js';
import { makeVideo } from '../support/media.js';
import { startEncoder, type Encoder } from '../support/rtmp/encoder.js';

const settings = { RTMP_HOST: '127.0.0.1', RTMP_PORT: '0', LIVE_RENDITIONS: '180,120,100', LIVE_PRESET: 'ultrafast' };
/** Keyframes are rare, and therefore every rendition is encoded. */
const coding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '250', '-pix_fmt', 'yuv420p'];
/** An ffmpeg that is slower than real time for three renditions on any machine. */
const slowFfmpeg = `#!/bin/sh
case "$*" in *pipe:5*) exec "$REAL_FFMPEG" -readrate 0.6 "$@" ;; esac
exec "$REAL_FFMPEG" "$@"
`;
/** Maximum seconds behind the encoder after the costliest rendition was dropped. */
const maxDelaySeconds = 4;

describe('a live stream that this machine cannot encode in all renditions', function () {
  this.timeout(300_000);
  let ctx: TestContext;
  let live: TestLive;
  let publisher: Publisher;
  let encoder: Encoder;
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'video-platform-slow-'));
    const ffmpegPath = join(folder, 'ffmpeg');
    const real = process.env['FFMPEG_PATH'] ?? '/usr/bin/ffmpeg';
    await writeFile(ffmpegPath, slowFfmpeg.replaceAll('$REAL_FFMPEG', real), { mode: 0o755 });
    const context = await openTestContext({ ...settings, FFMPEG_PATH: ffmpegPath });
    ctx = withRealClock(context);
    await ctx.outbox.close();
    live = await startTestLive(ctx, packageRun);
    publisher = await makePublisher(ctx);
    const clip = await makeVideo({ seconds: 60, size: '320x180', coding: [...coding, '-c:a', 'aac'] });
    encoder = startEncoder(clip, keyAddress(live.port, publisher), { isLive: true });
  });
  after(async () => {
    await encoder?.kill();
    await live?.close();
    await ctx?.close();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  const segments = async (): Promise<LiveSegment[]> => {
    const { id } = await ctx.db
      .model(LiveSession)
      .findOne({ where: { streamId: publisher.streamId }, rejectOnEmpty: true });
    return ctx.db.model(LiveSegment).findAll({ where: { sessionId: id }, order: [['sequence', 'ASC']] });
  };
  const delayOf = ({ storedAt, startsAt, durationMicroseconds }: LiveSegment): number =>
    (storedAt.getTime() - startsAt.getTime()) / 1000 - durationMicroseconds / 1e6;

  it('drops the costliest rendition, reports it, and returns to real time without a gap', async () => {
    const dropped = () => live.logged('live encoding slower than real time, rendition dropped');
    await eventually(() => expect(dropped()).not.to.have.length(0), { timeoutMs: 120_000 });
    expect(dropped()[0]).to.deep.include({ rendition: '180p', remaining: ['120p', '100p'] });
    let inTime = 0;
    await eventually(
      async () => {
        const rows = (await segments()).slice(-8);
        const isShed = rows.every(({ renditions }) => renditions[0]?.name !== '180p');
        inTime = rows.filter((row) => delayOf(row) < maxDelaySeconds).length;
        expect([isShed, inTime]).to.deep.equal([true, 8]);
      },
      { timeoutMs: 180_000, everyMs: 500 },
    );
    const rows = await segments();
    console.error(`      delay to the row: ${rows.map((row) => delayOf(row).toFixed(1)).join(' ')} s`);
    rows.forEach((row, index) => {
      const before = rows[index - 1];
      const gapMs = before
        ? row.startsAt.getTime() - before.startsAt.getTime() - before.durationMicroseconds / 1000
        : 0;
      expect(Math.abs(gapMs), `time between the segments ${index - 1} and ${index}`).to.be.below(50);
    });
    expect(encoder.process.exitCode).to.equal(null);
    const metrics = await live.metrics.registry.metrics();
    const drops = dropped().length;
    expect(metrics).to.match(new RegExp(`live_renditions_dropped_total\\{.*\\} ${drops}`));
    expect(metrics).to.match(new RegExp(`live_encoder_restarts_total\\{reason="behind".*\\} ${drops}`));
    const mails = await ctx.db.rows<{ payload: object }>("SELECT payload FROM outbox WHERE job = 'user.notify'");
    expect(mails, 'one mail for any number of dropped renditions').to.have.length(1);
    expect(mails[0]?.payload).to.deep.include({ userId: publisher.ownerId, key: 'streaming.renditionDropped' });
  });
});
