import { expect } from 'chai';
import { ChunkRecord } from '../../shared/content/chunk.model.js';
import { Content } from '../../shared/content/content.model.js';
import { retainedFilesOf } from '../../shared/content/content.queries.js';
import { isObsolete } from '../../shared/content/retainedFiles.js';
import { generationFolder } from '../../shared/content/storageKeys.js';
import { LiveRecording } from '../../shared/live/live.model.js';
import { removeRecording } from '../../shared/live/recording.lifecycle.js';
import { retainedGenerations } from '../../shared/generationsInUse.js';
import { HeldElsewhereError } from '../../shared/platform/lease/index.js';
import { listedFiles, storedKeys } from '../support/media.js';
import { makeSession, samplesIn, storeRun } from '../support/recordings.js';
import { rejection } from '../support/eventually.js';
import { startS3, type TestS3 } from '../support/s3.js';
import { RecordingFixture } from '../support/live/recordingFixture.js';

const quick = { QUICK_GENERATION: 'true' };

describe('the quick generation of a recording after a failure', function () {
  this.timeout(60_000);
  const recordings = RecordingFixture.open(async () => quick);

  it('keeps all its files while it plays, and no files of an earlier attempt', async () => {
    const { ctx } = recordings;
    const event = await recordings.recorded();
    await recordings.run(event);
    let copies = 0;
    const failing = recordings.withCopy(async () => {
      if ((copies += 1) === 4) throw new Error('the store is away');
    });
    expect(await rejection(recordings.ingest(event, failing))).to.have.property('message', 'the store is away');
    expect(await recordings.contentOf(event)).to.include({ state: 'PENDING', leaseOwner: null, quick: true });
    expect(await recordings.ingest(event)).to.deep.equal({ copied: 1 });
    const content = await recordings.contentOf(event);
    const retained = await retainedFilesOf(ctx, content.id, retainedGenerations);
    if (!retained) throw new Error('the content is gone');
    const keys = await storedKeys(ctx, generationFolder(content, 1));
    const obsolete = keys.filter((key) => isObsolete(retained, key));
    expect(obsolete).to.not.have.length(0);
    expect(obsolete.every((key) => key.includes('/copy0-a1/'))).to.equal(true);
    expect(keys.filter((key) => key.includes('/copy0-a2/'))).to.have.length(24);
  });

  it('is created once, even if a worker continues after it has lost its lease', async () => {
    const event = await recordings.recorded();
    await recordings.run(event);
    const { id } = await recordings.contentOf(event);
    let copies = 0;
    const deposed = recordings.withCopy(async () => {
      if ((copies += 1) !== 3) return;
      await recordings.ctx.db.model(Content).update({ leaseUntil: new Date(0) }, { where: { id } });
      expect(await recordings.ingest(event)).to.deep.equal({ copied: 1 });
    });
    expect(await rejection(recordings.ingest(event, deposed))).to.be.instanceOf(HeldElsewhereError);
    const content = await recordings.contentOf(event);
    expect(content).to.include({ state: 'READY', readyGeneration: 1, generation: 2 });
    const [chunk] = await recordings.ctx.db.model(ChunkRecord).findAll({ where: { contentId: id } });
    expect(chunk?.folder).to.equal('copy0-a2');
    const { segments } = await listedFiles(recordings.ctx, generationFolder(content, 1), 'top-a2.m3u8');
    expect(segments.map(({ uri }) => uri.split('/')[0])).to.deep.equal(Array(5).fill('copy0-a2'));
    expect((await recordings.ctx.db.model(LiveRecording).findByPk(event.id))?.state).to.equal('INGESTED');
  });

  for (const [how, damage] of [
    ['missing', (key: string) => recordings.ctx.storage.remove([key])],
    ['damaged', (key: string) => recordings.ctx.storage.put(key, Buffer.from('damaged'), { contentType: 'video/mp4' })],
  ] as const)
    it(`is encoded if the file of a segment is ${how}`, async () => {
      const { ctx } = recordings;
      const event = await recordings.recorded();
      const [row] = await ctx.db.rows<{ key: string }>(
        `SELECT 'live/' || s.folder || '/' || (x.renditions -> 0 ->> 'file') AS key
           FROM live_segments x JOIN live_sessions s ON s.id = x.session_id WHERE s.stream_id = $id AND x.sequence = 2`,
        { id: event.channelId },
      );
      await damage(row?.key ?? '');
      await recordings.run(event);
      expect(await recordings.ingest(event)).to.have.property('chunks');
      expect(await recordings.contentOf(event)).to.include({ state: 'PENDING', generation: 1, durationMs: 8_000 });
      const folder = generationFolder(await recordings.contentOf(event), 1);
      expect(await storedKeys(ctx, folder), 'of the copy').to.deep.equal([]);
    });

  it('is encoded if the event was deleted after its end', async () => {
    const { ctx } = recordings;
    const event = await recordings.recorded();
    await recordings.run(event);
    await ctx.db.transaction((tx) => removeRecording(ctx, tx, event.id));
    expect(await recordings.ingest(event)).to.have.property('chunks');
  });
});

describe('the quick generation of a recording in an object store', function () {
  this.timeout(60_000);
  let store: TestS3;
  const recordings = RecordingFixture.open(async () => ({ ...(store = await startS3()).env, ...quick }));
  after(() => store.close());

  it('is copied many segments at a time', async () => {
    const { ctx, tenSeconds } = recordings;
    const event = await recordings.recorded();
    for (const second of [25, 40]) {
      const startsAt = new Date(event.startsAt.getTime() + second * 1000);
      await storeRun(ctx, event, await makeSession(ctx, event, startsAt), startsAt, tenSeconds);
    }
    await recordings.run(event);
    store.delayMs = 50;
    const copied = await recordings.ingest(event).finally(() => (store.delayMs = 0));
    expect(copied).to.deep.equal({ copied: 3 });
    const content = await recordings.contentOf(event);
    const { media, maps } = await listedFiles(recordings.ctx, generationFolder(content, 1), 'top-a1.m3u8');
    const published = tenSeconds.segments.map((one) => samplesIn(tenSeconds.init, one.media, 'video'));
    const copies = media.map((bytes, index) => samplesIn(maps[index] as Buffer, bytes, 'video'));
    expect(copies).to.deep.equal([...published, ...published, ...published]);
  });
});
