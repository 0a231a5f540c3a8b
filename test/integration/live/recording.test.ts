import { expect } from 'chai';
import { BoxItem } from '../../../shared/box/box.model.js';
import type { Content } from '../../../shared/content/content.model.js';
import { generationFolder } from '../../../shared/content/storageKeys.js';
import { LiveRecording } from '../../../shared/live/live.model.js';
import { queueRecordings, syncRecording, type RecordedEvent } from '../../../shared/live/recording.lifecycle.js';
import { openTestContext, type TestContext } from '../../support/context.js';
import { eventually } from '../../support/eventually.js';
import { audioStarts, brightnesses, joinRendition, settledContent } from '../../support/media.js';
import { broadcastMedia, makeRecordedEvent, makeSession, storeRun } from '../../support/recordings.js';
import { startWorkers } from '../../support/workers.js';

const rate = 25;
const slow = { timeoutMs: 50_000 };

describe('the recording of an event that is over', function () {
  this.timeout(90_000);
  let ctx: TestContext;
  let workers: { close: () => Promise<void> };

  before(async () => {
    // An event may last longer than an upload.
    ctx = await openTestContext({ MAXIMUM_DURATION_SECONDS: '5' });
    workers = await startWorkers(ctx, { queues: ['ingestion', 'transcoding', 'transcoding-status'] });
  });
  after(async () => {
    await workers?.close();
    await ctx?.close();
  });

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

  async function flashesAndTones(content: Content): Promise<{ flashes: number[]; tones: number[] }> {
    const media = await joinRendition(ctx, generationFolder(content, 1), content.plan?.renditions[0]?.name ?? '');
    const isBright = (await brightnesses(media)).map((value) => value > 120);
    const flashes = isBright.flatMap((is, frame) => (is && !isBright[frame - 1] ? frame / rate : []));
    return { flashes, tones: await audioStarts(media) };
  }

  it('joins two runs of other sizes and sample rates, and another session; the gaps between them are cut out', async () => {
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
    const { flashes, tones } = await flashesAndTones(content);
    [2, 8, 12].forEach((seconds, index) => {
      expect(flashes[index], `flash ${index}`).to.be.closeTo(seconds, 0.001);
      expect(tones[index], `tone ${index}`).to.be.closeTo(seconds, 0.03);
    });
    expect([flashes.length, tones.length]).to.deep.equal([3, 3]);
  });
});
