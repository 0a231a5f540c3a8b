import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { BoxItem } from '../../shared/box/box.model.js';
import type { Content } from '../../shared/content/content.model.js';
import { generationFolder } from '../../shared/content/storageKeys.js';
import { LiveRecording } from '../../shared/live/live.model.js';
import { queueRecordings, syncRecording, type RecordedEvent } from '../../shared/live/recording.lifecycle.js';
import { endRun, openRun } from '../../shared/streaming/liveRun.lifecycle.js';
import { LiveRun } from '../../shared/streaming/streaming.model.js';
import { openTestContext } from '../support/context.js';
import { eventually } from '../support/eventually.js';
import { audioStarts, brightnesses, joinRendition, settledContent } from '../support/media.js';
import { broadcastMedia, makeRecordedEvent, makeSession, storeRun } from '../support/recordings.js';
import { createUser } from '../support/users.js';
import { makeFlv, openTestRun, packageStream } from '../support/liveRun.js';
import { startWorkers } from '../support/workers.js';
import { useFixture } from '../support/fixtures.js';

const slow = { timeoutMs: 50_000 };

describe('the recording of a past event', function () {
  this.timeout(90_000);
  // An event may be longer than the limit for uploads.
  const settings = { MAXIMUM_DURATION_SECONDS: '5', LIVE_RENDITIONS: '180,120', LIVE_PRESET: 'ultrafast' };
  const ctx = useFixture(() => openTestContext(settings));
  useFixture(() => startWorkers(ctx, { queues: ['ingestion', 'transcoding', 'transcoding-status'] }));

  function at(event: RecordedEvent, seconds: number): Date {
    return new Date(event.startsAt.getTime() + seconds * 1000);
  }

  async function recordedEvent(seconds: number): Promise<RecordedEvent> {
    const event = await makeRecordedEvent(ctx, seconds);
    await ctx.db.transaction((tx) => syncRecording(ctx, tx, event));
    return event;
  }

  async function settled(event: RecordedEvent): Promise<Content> {
    ctx.clock.advance(event.endsAt.getTime() - ctx.clock.now().getTime() + 61_000);
    await queueRecordings(ctx);
    const item = await eventually(async () => {
      const { boxItemId, state } = await ctx.db.model(LiveRecording).findByPk(event.id, { rejectOnEmpty: true });
      if (boxItemId === null) throw new Error(`the recording is ${state}`);
      return ctx.db.model(BoxItem).findByPk(boxItemId, { rejectOnEmpty: true });
    }, slow);
    expect(item).to.include({ source: 'LIVE', title: event.name, ownerId: event.ownerId });
    const content = await eventually(() => settledContent(ctx, item.contentId), slow);
    expect(content.state, content.failureDetail ?? '').to.equal('READY');
    return content;
  }

  async function flashesAndTones(content: Content, rate: number): Promise<{ flashes: number[]; tones: number[] }> {
    const media = await joinRendition(ctx, generationFolder(content, 1), content.plan?.renditions[0]?.name ?? '');
    const isBright = (await brightnesses(media)).map((value) => value > 160);
    const flashes = isBright.flatMap((is, frame) => (is && !isBright[frame - 1] ? frame / rate : []));
    return { flashes, tones: await audioStarts(media) };
  }

  it('joins runs of different sizes, sample rates and sessions, without the gaps between them', async () => {
    const event = await recordedEvent(60);
    const first = await broadcastMedia({ seconds: 5, markAt: 2 });
    const second = await broadcastMedia({ seconds: 6, markAt: 3, size: '320x180', sampleRate: 44_100 });
    const third = await broadcastMedia({ seconds: 4, markAt: 1 });
    const session = await makeSession(ctx, event, event.startsAt);
    await storeRun(ctx, event, session, at(event, 2), first);
    await storeRun(ctx, event, session, at(event, 20), second);
    await storeRun(ctx, event, await makeSession(ctx, event, at(event, 40)), at(event, 40), third);
    const content = await settled(event);
    expect(content.durationMs).to.be.closeTo(15_000, 100);
    const { flashes, tones } = await flashesAndTones(content, 25);
    [2, 8, 12].forEach((seconds, index) => {
      expect(flashes[index], `flash ${index}`).to.be.closeTo(seconds, 0.001);
      expect(tones[index], `tone ${index}`).to.be.closeTo(seconds, 0.03);
    });
    expect([flashes.length, tones.length]).to.deep.equal([3, 3]);
  });

  it('joins the packaged segments of two encoders, with video and audio in sync', async () => {
    const ownerId = await createUser(ctx);
    const run = await openTestRun(ctx, ownerId);
    const { streamId } = await ctx.db.model(LiveRun).findByPk(run.runId, { rejectOnEmpty: true });
    const hour = 3_600_000;
    const now = ctx.clock.now().getTime();
    const times = { startsAt: new Date(now - hour), endsAt: new Date(now + hour) };
    const event = { id: randomUUID(), channelId: streamId, ownerId, name: 'Two encoders', recorded: true, ...times };
    await ctx.db.transaction((tx) => syncRecording(ctx, tx, event));
    const bFrames = ['-c:v', 'libx264', '-preset', 'veryfast', '-bf', '3'];
    // The first stream is copied, the second one encoded.
    const first = await packageStream(ctx, ownerId, await makeFlv({ seconds: 5, keyframes: 15, video: bFrames }), {
      run,
    });
    const leaseOwner = randomUUID();
    const opened = await openRun(ctx, { streamId, ownerId, source: 'RTMP', leaseOwner, clientAddress: null });
    const mono = { keyframes: 300, audio: ['-c:a', 'aac', '-ar', '44100', '-ac', '1'] };
    const second = await packageStream(ctx, ownerId, await makeFlv({ seconds: 4, ...mono }), {
      run: { ...opened, leaseOwner },
    });
    await endRun(ctx, { runId: opened.runId, reason: 'the encoder has left' });
    expect([first, second].map((each) => each.run.renditions?.[0]?.isCopy)).to.deep.equal([true, false]);
    const segments = [...first.segments, ...second.segments];
    const seconds = segments.reduce((sum, { durationMicroseconds }) => sum + durationMicroseconds / 1e6, 0);
    const content = await settled(event);
    expect((content.durationMs ?? 0) / 1000).to.be.closeTo(seconds, 0.1);
    const { flashes, tones } = await flashesAndTones(content, 30);
    expect(flashes.length).to.be.at.least(7);
    for (const flash of flashes)
      expect(Math.min(...tones.map((tone) => Math.abs(tone - flash))), `tone of the flash at ${flash}`).to.be.below(
        0.04,
      );
  });
});
