import { expect } from 'chai';
import type { Storage } from '../../../shared/platform/storage/storage.js';
import { usageOf } from '../../../shared/license/usage.service.js';
import { liveScopes } from '../../../shared/liveScopes.js';
import { LiveSegment } from '../../../shared/streaming/streaming.model.js';
import { sweepSegments } from '../../../shared/streaming/runSweep.service.js';
import { User } from '../../../shared/user/user.model.js';
import { RecordingFixture } from '../../support/live/recordingFixture.js';
import { Content, type ContentState } from '../../../shared/content/content.model.js';
import { changeRows } from '../../support/rows.js';
import { randomUUID } from 'node:crypto';
import { BoxItem } from '../../../shared/box/box.model.js';
import { LiveRecording, type RecordingState } from '../../../shared/live/live.model.js';
import { removeRecording, syncRecording, type RecordedEvent } from '../../../shared/live/recording.lifecycle.js';
import { liveChannelScopes } from '../../../shared/live/liveScope.queries.js';
import { makeRecordedEvent } from '../../support/recordings.js';
import { sharedService, type SharedService } from '../../support/fixtures.js';

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

describe('the recording of an event', () => {
  let ctx: SharedService['ctx'];

  before(async () => ({ ctx } = await sharedService()));

  function sync(event: RecordedEvent): Promise<void> {
    return ctx.db.transaction((tx) => syncRecording(ctx, tx, event));
  }

  async function recorded(changes: Partial<RecordedEvent> = {}): Promise<RecordedEvent> {
    const event = { ...(await makeRecordedEvent(ctx)), ...changes };
    await sync(event);
    return event;
  }

  function rowOf({ id }: RecordedEvent): Promise<LiveRecording | null> {
    return ctx.db.model(LiveRecording).findByPk(id);
  }

  async function stateOf(event: RecordedEvent): Promise<RecordingState | undefined> {
    return (await rowOf(event))?.state;
  }

  async function set(event: RecordedEvent, values: Partial<LiveRecording>): Promise<void> {
    await ctx.db.model(LiveRecording).update(values, { where: { eventId: event.id } });
  }

  async function isRetained({ channelId }: RecordedEvent): Promise<boolean> {
    return (await liveChannelScopes.retainedWindows(ctx)).some(({ streamId }) => streamId === channelId);
  }

  /** Stores a box item of the event whose content has this state. */
  async function ingest(event: RecordedEvent, state: ContentState): Promise<string> {
    const now = ctx.clock.now();
    const [contentId, boxItemId] = [randomUUID(), randomUUID()];
    const times = { createdAt: now, updatedAt: now };
    const file = { sourceKey: `sources/${contentId}/original`, sourceName: 'a.ts', sourceBytes: 1 };
    const source = { ...file, folder: contentId };
    await ctx.db
      .model(Content)
      .create({ id: contentId, ownerId: event.ownerId, state, recorded: true, ...source, ...times });
    await ctx.db
      .model(BoxItem)
      .create({ id: boxItemId, ownerId: event.ownerId, contentId, source: 'LIVE', title: event.name, ...times });
    await set(event, { state: 'INGESTED', boxItemId });
    return boxItemId;
  }

  function later(event: RecordedEvent, minutes: number): RecordedEvent {
    const move = (time: Date): Date => new Date(time.getTime() + minutes * 60_000);
    return { ...event, startsAt: move(event.startsAt), endsAt: move(event.endsAt) };
  }

  it('exists while the event is set to be recorded, with its title and times', async () => {
    const event = await recorded();
    const row = await rowOf(event);
    expect(row).to.include({ state: 'WAITING', title: 'Evening news', streamId: event.channelId });
    expect(row?.endsAt).to.deep.equal(event.endsAt);
    const changed = later({ ...event, name: 'Late news' }, 30);
    await sync(changed);
    const now = await rowOf(event);
    expect(now).to.include({ state: 'WAITING', title: 'Late news' });
    expect(now?.startsAt).to.deep.equal(changed.startsAt);
  });

  it('does not exist if the event is not or no longer set to be recorded', async () => {
    expect(await rowOf(await recorded({ recorded: false }))).to.equal(null);
    const event = await recorded();
    await sync({ ...event, recorded: false });
    expect(await rowOf(event)).to.equal(null);
  });

  it('is removed with the event, and its box item is kept', async () => {
    const event = await recorded();
    const boxItemId = await ingest(event, 'READY');
    await ctx.db.transaction((tx) => removeRecording(ctx, tx, event.id));
    expect(await rowOf(event)).to.equal(null);
    expect(await ctx.db.model(BoxItem).findByPk(boxItemId)).to.not.equal(null);
  });

  it('restarts when the times of the event change, and ends the lease of a copy in progress', async () => {
    const event = await recorded();
    await set(event, { state: 'COPYING', leaseOwner: 'somebody', attempt: 3, keepUntil: new Date() });
    await sync({ ...event, name: 'Only the title' });
    expect(await rowOf(event)).to.include({ state: 'COPYING', leaseOwner: 'somebody' });
    await sync(later(event, 1));
    expect(await rowOf(event)).to.include({ state: 'WAITING', leaseOwner: null, attempt: 0, keepUntil: null });
  });

  it('restarts after its ingestion only if the event’s new end is in the future', async () => {
    const event = await recorded();
    await ingest(event, 'READY');
    await sync(later(event, -60));
    expect(await stateOf(event)).to.equal('INGESTED');
    await sync({ ...event, recorded: false });
    expect(await stateOf(event)).to.equal('INGESTED');
    await sync(later(event, 60));
    expect(await rowOf(event)).to.include({ state: 'WAITING', boxItemId: null });
  });

  it('retains the segments of its window from its start until the content is READY', async () => {
    const event = await recorded();
    expect(await isRetained(event)).to.equal(true);
    const { startsAt, endsAt } = later(event, 1);
    expect(await isRetained(await recorded({ startsAt, endsAt }))).to.equal(false);
    for (const state of ['WAITING', 'COPYING', 'KEPT'] as const) {
      await set(event, { state });
      expect(await isRetained(event), state).to.equal(true);
    }
    for (const state of ['EMPTY', 'FAILED'] as const) {
      await set(event, { state });
      expect(await isRetained(event), state).to.equal(false);
    }
    await ingest(event, 'PENDING');
    expect(await isRetained(event)).to.equal(true);
    for (const state of ['READY', 'FAILED'] as const) {
      await ingest(event, state);
      expect(await isRetained(event), state).to.equal(false);
    }
  });
});
