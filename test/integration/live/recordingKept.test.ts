import { expect } from 'chai';
import type { Storage } from '../../../shared/platform/storage/storage.js';
import { usageOf } from '../../../shared/license/usage.service.js';
import { liveScopes } from '../../../shared/liveScopes.js';
import { LiveSegment } from '../../../shared/streaming/streaming.model.js';
import { sweepSegments } from '../../../shared/streaming/runSweep.service.js';
import { User } from '../../../shared/user/user.model.js';
import { RecordingFixture } from '../../support/live/recordingFixture.js';
import { Content } from '../../../shared/content/content.model.js';
import { changeRows } from '../../support/rows.js';

const day = 86_400_000;
const gigabyte = 1024 ** 3;

describe('a recording that cannot be stored', function () {
  this.timeout(60_000);
  const recordings = RecordingFixture.open();

  it('is kept and mailed once while the storage is full, and stored when there is space', async () => {
    const event = await recordings.recorded();
    await recordings.leaveFree(event, 100);
    await recordings.run(event);
    expect(await recordings.rowOf(event)).to.include({ state: 'KEPT', boxItemId: null });
    expect(await recordings.isRetained(event)).to.equal(true);
    expect(await recordings.mailsTo(event)).to.containSubset([
      {
        key: 'recordingKept',
        values: { title: 'Evening news', reason: 'There is not enough free space in your storage.' },
      },
    ]);
    expect(await recordings.queuedEvents()).to.not.include(event.id);
    recordings.ctx.clock.advance(6 * 60_000);
    expect(await recordings.queuedEvents()).to.include(event.id);
    await recordings.run(event);
    expect(await recordings.mailsTo(event)).to.deep.equal([]);
    await recordings.leaveFree(event, gigabyte / 2);
    await recordings.run(event);
    await recordings.expectOneItem(event);
    expect(await recordings.mailsTo(event)).to.deep.equal([]);
  });

  it('is kept if the storage becomes full during the copy', async () => {
    const event = await recordings.recorded();
    const bytes = recordings.tenSeconds.segments.reduce((sum, { media }) => sum + media.length, 0);
    // The transport stream is larger than the segments.
    await recordings.leaveFree(event, bytes);
    await recordings.run(event);
    expect(await recordings.rowOf(event)).to.include({ state: 'KEPT' });
    const nothing = { reservedBytes: 0, reservedUploads: 0, uploads: 0 };
    expect(await usageOf(recordings.ctx, event.ownerId)).to.include(nothing);
  });

  it('fails after seven days, is mailed, and releases its segments', async () => {
    const event = await recordings.recorded();
    await recordings.leaveFree(event, 100);
    await recordings.run(event);
    await recordings.mailsTo(event);
    recordings.ctx.clock.advance(7 * day - 60_000);
    await recordings.run(event);
    expect(await recordings.rowOf(event)).to.include({ state: 'KEPT' });
    recordings.ctx.clock.advance(6 * 60_000);
    expect(await recordings.queuedEvents()).to.include(event.id);
    await recordings.run(event);
    expect(await recordings.rowOf(event)).to.include({ state: 'FAILED', failureKey: 'recording.reason.STORAGE' });
    expect((await recordings.mailsTo(event)).map(({ key }) => key)).to.deep.equal(['recordingFailed']);
    expect(await recordings.isRetained(event)).to.equal(false);
    recordings.ctx.clock.advance(day);
    expect(await recordings.queuedEvents()).to.not.include(event.id);
  });

  it('retains segments older than the rewind window until the content is READY', async () => {
    const { ctx } = recordings;
    const event = await recordings.recorded();
    const stored = async (): Promise<number> => ctx.db.model(LiveSegment).count();
    const sweep = async (): Promise<number> =>
      sweepSegments(ctx, await liveScopes.retainedWindows(ctx), new AbortController().signal);
    ctx.clock.advance(day);
    await sweep();
    const retained = await stored();
    expect(await sweep()).to.equal(0);
    await recordings.run(event);
    expect(await sweep()).to.equal(0);
    await changeRows(ctx, Content, { ownerId: event.ownerId }, { state: 'READY' });
    expect(await sweep()).to.equal(5);
    expect(await stored()).to.equal(retained - 5);
  });

  it('keeps a segment whose files cannot be removed, and removes all others', async () => {
    const { ctx } = recordings;
    await recordings.recorded();
    const segments = await ctx.db.model(LiveSegment).findAll({ order: ['storedAt'] });
    const [broken] = segments;
    const name = broken?.renditions[0]?.file ?? '';
    const storage: Storage = {
      ...ctx.storage,
      remove: async (keys) => {
        if (keys.some((key) => key.endsWith(name))) throw new Error('EIO');
        await ctx.storage.remove(keys);
      },
    };
    ctx.clock.advance(8 * day);
    expect(await sweepSegments({ ...ctx, storage }, [], new AbortController().signal)).to.equal(segments.length - 1);
    expect((await ctx.db.model(LiveSegment).findAll({})).map(({ sequence }) => sequence)).to.deep.equal([
      broken?.sequence,
    ]);
    expect(await sweepSegments(ctx, [], new AbortController().signal)).to.equal(1);
  });

  it('is empty if nothing was published during the event', async () => {
    for (const transcoderNotifyEnabled of [true, false]) {
      const event = await recordings.recorded(-30);
      await recordings.ctx.db.model(User).update({ transcoderNotifyEnabled }, { where: { id: event.ownerId } });
      expect(await recordings.run(event)).to.deep.equal({ empty: true });
      expect(await recordings.rowOf(event)).to.include({ state: 'EMPTY' });
      const mails = transcoderNotifyEnabled ? ['recordingEmpty'] : [];
      expect((await recordings.mailsTo(event)).map(({ key }) => key)).to.deep.equal(mails);
      expect(await recordings.itemsOf(event)).to.deep.equal([]);
      expect(await recordings.isRetained(event)).to.equal(false);
    }
  });
});
