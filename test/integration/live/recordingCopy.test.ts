import { randomUUID } from 'node:crypto';
import { rename } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { stageSource } from '../../../shared/upload/form.driver.js';
import { openUpload } from '../../../shared/upload/upload.service.js';
import { usageOf } from '../../../shared/license/usage.service.js';
import { LiveRecording } from '../../../shared/live/live.model.js';
import {
  claimRecording,
  recordUploadId,
  removeRecording,
  syncRecording,
} from '../../../shared/live/recording.lifecycle.js';
import { LiveRun } from '../../../shared/streaming/streaming.model.js';
import { HeldElsewhereError } from '../../../shared/platform/lease/index.js';
import { storedKeys } from '../../support/media.js';
import { makeRecordedEvent } from '../../support/recordings.js';
import { rejection } from '../../support/eventually.js';
import { startS3, type TestS3 } from '../../support/s3.js';
import { RecordingFixture } from '../../support/live/recordingFixture.js';

const gigabyte = 1024 ** 3;

describe('copying a recording', function () {
  this.timeout(60_000);
  const recordings = RecordingFixture.open();

  it('includes all segments that overlap the event, at both ends', async () => {
    // Segments of two seconds from -3 s on: the last four of five overlap.
    const early = await recordings.recorded(-3);
    expect(await recordings.run(early)).to.include({ segments: 4 });
    expect(await recordings.secondsOf(early)).to.equal(8);
    const late = await recordings.recorded(55);
    expect(await recordings.run(late)).to.include({ segments: 3 });
    const between = await recordings.recorded(-2);
    expect(await recordings.run(between)).to.include({ segments: 4 });
  });

  it('waits for an unmounted store, then copies every segment', async () => {
    const event = await recordings.recorded();
    const folder = recordings.ctx.storage.localPath('live') ?? '';
    await rename(folder, `${folder}-elsewhere`);
    try {
      expect(String(await rejection(recordings.run(event)))).to.include('is it mounted?');
      expect(await recordings.itemsOf(event)).to.deep.equal([]);
    } finally {
      await rename(`${folder}-elsewhere`, folder);
    }
    expect(await recordings.run(event)).to.include({ segments: 5 });
    expect(await recordings.secondsOf(event)).to.equal(10);
  });

  it('creates one box item for concurrent and repeated runs of the job', async () => {
    const event = await recordings.recorded();
    // The second run is rejected if the first one renews its lease meanwhile.
    await Promise.allSettled([recordings.run(event), recordings.run(event)]);
    expect(await recordings.run(event)).to.deep.equal({ skipped: 'nothing to record' });
    await recordings.expectOneItem(event);
    expect(await recordings.secondsOf(event)).to.equal(10);
  });

  it('continues after two crashed workers, and releases the first one’s reservation and files', async () => {
    const event = await recordings.recorded();
    const uploadId = randomUUID();
    await claimRecording(recordings.ctx, event.id, 'dead');
    await recordUploadId(recordings.ctx, event.id, { leaseOwner: 'dead', uploadId });
    const upload = { id: uploadId, bytes: gigabyte / 4, progressId: null };
    const ticket = await openUpload(recordings.ctx, event.ownerId, upload);
    const stream = Readable.from([Buffer.alloc(1000)]);
    await stageSource(recordings.ctx, ticket, { stream, fileName: 'a', mimeType: 'video/mp2t' });
    await recordings.leaveFree(event, 10_000);
    expect(await recordings.queuedEvents()).to.not.include(event.id);
    await recordings.endLease(event);
    expect(await recordings.queuedEvents()).to.include(event.id);
    // The second worker crashes as soon as it has the lease.
    await claimRecording(recordings.ctx, event.id, 'dead too');
    await recordings.endLease(event);
    await recordings.run(event);
    await recordings.expectOneItem(event);
    expect(await storedKeys(recordings.ctx, `sources/${uploadId}`)).to.deep.equal([]);
  });

  it('leaves no item, file or reservation if the event is deleted meanwhile', async () => {
    const event = await recordings.recorded();
    let uploadId = '';
    const deleting = recordings.interrupted(async (read) => {
      if (read !== 3) return;
      uploadId = (await recordings.rowOf(event)).uploadId ?? '';
      await recordings.ctx.db.transaction((tx) => removeRecording(recordings.ctx, tx, event.id));
    });
    expect(await rejection(recordings.run(event, deleting))).to.be.instanceOf(HeldElsewhereError);
    expect(await recordings.run(event)).to.deep.equal({ skipped: 'nothing to record' });
    expect(await recordings.itemsOf(event)).to.deep.equal([]);
    expect(await storedKeys(recordings.ctx, `sources/${uploadId}`)).to.deep.equal([]);
    const nothing = { reservedBytes: 0, reservedUploads: 0, uploads: 0 };
    expect(await usageOf(recordings.ctx, event.ownerId)).to.include(nothing);
    expect(await recordings.isRetained(event)).to.equal(false);
  });

  it('is retried after an error, and removes the files of the failed attempt', async () => {
    const event = await recordings.recorded();
    let uploadId = '';
    const failing = recordings.interrupted(async (read) => {
      if (read !== 3) return;
      uploadId = (await recordings.rowOf(event)).uploadId ?? '';
      throw new Error('the store is away');
    });
    expect(await rejection(recordings.run(event, failing))).to.have.property('message', 'the store is away');
    expect(await recordings.rowOf(event)).to.include({ state: 'WAITING', leaseOwner: null });
    expect(await storedKeys(recordings.ctx, `sources/${uploadId}`)).to.deep.equal([]);
    expect(await recordings.queuedEvents()).to.not.include(event.id);
    recordings.ctx.clock.advance(6 * 60_000);
    expect(await recordings.queuedEvents()).to.include(event.id);
    await recordings.run(event);
    await recordings.expectOneItem(event);
  });

  it('omits segments whose files are missing, damaged or without media', async () => {
    const event = await recordings.recorded();
    const keys = await recordings.ctx.db.rows<{ key: string }>(
      `SELECT 'live/' || s.folder || '/' || (x.renditions -> 0 ->> 'file') AS key
         FROM live_segments x JOIN live_sessions s ON s.id = x.session_id WHERE s.stream_id = $id ORDER BY x.sequence`,
      { id: event.channelId },
    );
    const [, missing, damaged, empty] = keys.map(({ key }) => key);
    const { storage } = recordings.ctx;
    await storage.remove([missing ?? '']);
    await storage.put(damaged ?? '', Buffer.from('damaged bytes'), { contentType: 'video/mp4' });
    await storage.put(empty ?? '', Buffer.alloc(0), { contentType: 'video/mp4' });
    await recordings.run(event);
    expect(await recordings.secondsOf(event)).to.equal(4);
  });

  it('starts when the event is over and its last segment is stored', async () => {
    const event = await recordings.recorded();
    const open = await recordings.recorded();
    const end = { at: new Date(recordings.ctx.clock.now().getTime() - 5_000) };
    for (const { id } of [event, open])
      await recordings.ctx.db.model(LiveRecording).update({ endsAt: end.at }, { where: { eventId: id } });
    const runs = recordings.ctx.db.model(LiveRun);
    await runs.update({ state: 'OPEN' }, { where: { streamId: open.channelId } });
    const queued = await recordings.queuedEvents();
    expect(queued).to.include(event.id);
    expect(queued).to.not.include(open.id);
    // A stuck run delays the copy by ten minutes.
    recordings.ctx.clock.advance(600_000);
    expect(await recordings.queuedEvents()).to.include(open.id);
    const future = await makeRecordedEvent(recordings.ctx, 60);
    await recordings.ctx.db.transaction((tx) => syncRecording(recordings.ctx, tx, future));
    expect(await recordings.queuedEvents()).to.not.include(future.id);
    expect(await recordings.run(future)).to.deep.equal({ skipped: 'nothing to record' });
  });
});

describe('copying a recording to an object store', function () {
  this.timeout(60_000);
  let store: TestS3;
  const recordings = RecordingFixture.open(async () => (store = await startS3()).env);
  after(() => store.close());

  it('creates one box item if a worker continues after losing its lease, and removes that attempt’s files', async () => {
    const event = await recordings.recorded();
    const deposed = recordings.interrupted(async (read) => {
      if (read !== 4) return;
      await recordings.endLease(event);
      await recordings.run(event);
    });
    expect(await rejection(recordings.run(event, deposed))).to.be.instanceOf(HeldElsewhereError);
    expect(await recordings.run(event)).to.deep.equal({ skipped: 'nothing to record' });
    await recordings.expectOneItem(event);
    expect(await recordings.secondsOf(event)).to.equal(10);
    expect(await storedKeys(recordings.ctx, 'sources')).to.have.length(1);
  });
});
