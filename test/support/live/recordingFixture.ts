import { expect } from 'chai';
import { BoxItem } from '../../../shared/box/box.model.js';
import { Content } from '../../../shared/content/content.model.js';
import { recordStoredBytes, usageOf } from '../../../shared/license/usage.service.js';
import { LiveRecording } from '../../../shared/live/live.model.js';
import { queueRecordings, syncRecording, type RecordedEvent } from '../../../shared/live/recording.lifecycle.js';
import { liveChannelScopes } from '../../../shared/live/liveScope.queries.js';
import { ingestContentHandler } from '../../../workers/ingestion/ingestContent.js';
import { recordEventHandler } from '../../../workers/ingestion/recordEvent.js';
import { openTestContext, type TestContext } from '../context.js';
import { readStored, runTool } from '../media.js';
import { broadcastMedia, makeRecordedEvent, makeSession, storeRun, type BroadcastMedia } from '../recordings.js';
import { jobRunOf } from '../workers.js';

/** Mail to the owner of an event. */
interface OwnerMail {
  readonly key: string;
  readonly values: Readonly<Record<string, string>>;
}

/** A service without workers; tests run the job that copies a recording. */
export class RecordingFixture {
  ctx!: TestContext;
  /** The published media: five segments. */
  tenSeconds!: BroadcastMedia;

  /** Opened before the tests of the calling `describe`, and closed after them. */
  static open(settings: () => Promise<Record<string, string>> = async () => ({})): RecordingFixture {
    const fixture = new RecordingFixture();
    before(async () => {
      fixture.ctx = await openTestContext(await settings());
      // No worker may run the jobs before they are read.
      await fixture.ctx.outbox.close();
      fixture.tenSeconds = await broadcastMedia({ seconds: 10, markAt: 2 });
    });
    after(() => fixture.ctx.close());
    return fixture;
  }

  /** A past event of a minute, with ten seconds of media from `second` on. */
  async recorded(second = 10): Promise<RecordedEvent> {
    const { ctx } = this;
    const event = await makeRecordedEvent(ctx, 60);
    await ctx.db.transaction((tx) => syncRecording(ctx, tx, event));
    const startsAt = new Date(event.startsAt.getTime() + second * 1000);
    await storeRun(ctx, event, await makeSession(ctx, event, startsAt), startsAt, this.tenSeconds);
    ctx.clock.advance(120_000);
    return event;
  }

  run({ id: eventId }: RecordedEvent, ctx = this.ctx): Promise<unknown> {
    return recordEventHandler(jobRunOf(ctx, { eventId }, { isLastAttempt: false }));
  }

  /** Runs the ingestion of the recording's content as the job does. */
  async ingest(event: RecordedEvent, ctx = this.ctx): Promise<unknown> {
    const { id: contentId } = await this.contentOf(event);
    return ingestContentHandler(jobRunOf(ctx, { contentId }, { isLastAttempt: false }));
  }

  /** The content of the only item of the event's owner. */
  async contentOf(event: RecordedEvent): Promise<Content> {
    const [item] = await this.itemsOf(event);
    return this.ctx.db.model(Content).findByPk(item?.contentId ?? '', { rejectOnEmpty: true });
  }

  /** A context whose storage calls this before each read, of the initialisation segment and then of each segment. */
  interrupted(beforeRead: (read: number) => Promise<void>): TestContext {
    const { storage } = this.ctx;
    let reads = 0;
    const read: TestContext['storage']['read'] = async (...parameters) => {
      await beforeRead((reads += 1));
      return storage.read(...parameters);
    };
    return { ...this.ctx, storage: { ...storage, read } };
  }

  /** A context whose storage calls this before each file copy. */
  withCopy(beforeCopy: () => Promise<void>): TestContext {
    const { storage } = this.ctx;
    const copy: TestContext['storage']['copy'] = async (...parameters) => {
      await beforeCopy();
      return storage.copy(...parameters);
    };
    return { ...this.ctx, storage: { ...storage, copy } };
  }

  /** Ends the lease as if the worker that copies the recording had crashed earlier. */
  async endLease({ id: eventId }: RecordedEvent): Promise<void> {
    await this.ctx.db.model(LiveRecording).update({ leaseUntil: new Date(0) }, { where: { eventId } });
  }

  rowOf({ id }: RecordedEvent): Promise<LiveRecording> {
    return this.ctx.db.model(LiveRecording).findByPk(id, { rejectOnEmpty: true });
  }

  itemsOf({ ownerId }: RecordedEvent): Promise<BoxItem[]> {
    return this.ctx.db.model(BoxItem).findAll({ where: { ownerId } });
  }

  async isRetained({ channelId }: RecordedEvent): Promise<boolean> {
    return (await liveChannelScopes.retainedWindows(this.ctx)).some(({ streamId }) => streamId === channelId);
  }

  /** Mails to the owner enqueued since the previous call. */
  async mailsTo({ ownerId }: RecordedEvent): Promise<OwnerMail[]> {
    const rows = await this.ctx.db.rows<{ payload: OwnerMail }>(
      `DELETE FROM outbox WHERE job = 'user.notify' AND payload ->> 'userId' = $ownerId RETURNING payload`,
      { ownerId },
    );
    return rows.map(({ payload: { key, values } }) => ({ key, values }));
  }

  /** The events whose recordings the sweep queues. */
  async queuedEvents(): Promise<string[]> {
    await queueRecordings(this.ctx);
    const rows = await this.ctx.db.rows<{ eventId: string }>(
      `DELETE FROM outbox WHERE job = 'live.record' RETURNING payload ->> 'eventId' AS event_id`,
    );
    return rows.map(({ eventId }) => eventId);
  }

  /** Duration of the source file's video. */
  async secondsOf(event: RecordedEvent): Promise<number> {
    const { uploadId } = await this.rowOf(event);
    const file = await readStored(this.ctx, `sources/${uploadId}/original`);
    const counted = ['-count_packets', '-show_entries', 'stream=nb_read_packets', '-of', 'csv=p=0'];
    return Number.parseInt(await runTool('ffprobe', ['-select_streams', 'v', ...counted, '-'], file), 10) / 25;
  }

  /** Leaves the owner free storage of `bytes`. */
  async leaveFree({ ownerId }: RecordedEvent, bytes: number): Promise<void> {
    const { ctx } = this;
    const { storedBytes, reservedBytes, storageLimitBytes } = await usageOf(ctx, ownerId);
    const delta = storageLimitBytes - storedBytes - reservedBytes - bytes;
    await ctx.db.transaction((tx) => recordStoredBytes(ctx, tx, ownerId, 'renditions', delta));
  }

  /** Expects one box item with its file and quota, and no other traces. */
  async expectOneItem(event: RecordedEvent): Promise<void> {
    const items = await this.itemsOf(event);
    expect(items).to.have.length(1);
    const { state, boxItemId, uploadId } = await this.rowOf(event);
    expect({ state, boxItemId }).to.deep.equal({ state: 'INGESTED', boxItemId: items[0]?.id });
    const { originalBytes, ...usage } = await usageOf(this.ctx, event.ownerId);
    expect(usage).to.include({ uploads: 1, reservedBytes: 0, reservedUploads: 0 });
    const source = await this.ctx.storage.stat(`sources/${uploadId}/original`);
    expect(source?.bytes).to.equal(originalBytes);
  }
}
