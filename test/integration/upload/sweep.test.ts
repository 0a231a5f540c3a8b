import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { stageSource } from '../../../shared/upload/form.driver.js';
import { dropUpload, openUpload } from '../../../shared/upload/upload.service.js';
import { createImport } from '../../../shared/upload/import.driver.js';
import { resumableMilliseconds } from '../../../shared/upload/pieceRecorder.js';
import { createBoxItem } from '../../../shared/upload/uploadedItem.service.js';
import { recordPiece } from '../../../shared/upload/upload.lifecycle.js';
import { ArrivingUpload, UploadProgressRecord } from '../../../shared/upload/upload.model.js';
import { sourceKey } from '../../../shared/upload/sourceKey.js';
import { Content } from '../../../shared/content/content.model.js';
import { UploadReservation } from '../../../shared/license/license.model.js';
import type { ProcessContext } from '../../../shared/platform/processContext.js';
import { reservationMilliseconds, reserveUpload } from '../../../shared/license/reservation.service.js';
import { usageOf } from '../../../shared/license/usage.service.js';
import { UnavailableError } from '../../../shared/platform/errors.js';
import { createWorkerContext } from '../../../workers/runtime/workerContext.js';
import { sweepUploadsHandler } from '../../../workers/sweeps/sweepUploads.js';
import { openTestContext } from '../../support/context.js';
import { storedKeys } from '../../support/media.js';
import { createUser } from '../../support/users.js';
import { useFixture } from '../../support/fixtures.js';
import { BoxItem } from '../../../shared/box/box.model.js';
import { DownloadToken } from '../../../shared/box/downloadToken.model.js';
import { storedRows } from '../../support/rows.js';

const video = Buffer.alloc(1000, 1);
const hour = 60 * 60_000;

describe('the sweep of interrupted uploads', () => {
  const ctx = useFixture(openTestContext);
  let userId: string;

  before(async () => {
    userId = await createUser(ctx);
  });

  const sweep = (swept: ProcessContext = ctx) =>
    sweepUploadsHandler({
      ctx: createWorkerContext(swept),
      log: ctx.log,
      payload: {},
      signal: new AbortController().signal,
      attempt: 1,
      isLastAttempt: true,
      reportProgress: () => {},
    });

  async function fixture() {
    const ticket = await openUpload(ctx, userId, { bytes: 2000, progressId: 'bar' });
    return stageSource(ctx, ticket, { stream: Readable.from([video]), fileName: 'video.mp4', mimeType: 'video/mp4' });
  }

  it('keeps uploads that may still be completed', async () => {
    const staged = await fixture();
    ctx.clock.advance(reservationMilliseconds - 1);
    await sweep();
    await createBoxItem(ctx, userId, staged, { title: 'In time' });
    expect(await usageOf(ctx, userId)).to.include({ reservedBytes: 0, originalBytes: 1000 });
  });

  it('deletes expired files and reservations, which then cannot become an item', async () => {
    const kept = await storedKeys(ctx);
    const staged = await fixture();
    ctx.clock.advance(reservationMilliseconds + 1);
    await sweep();
    await sweep();
    expect(await storedKeys(ctx)).to.deep.equal(kept);
    expect(await usageOf(ctx, userId)).to.include({ reservedBytes: 0, reservedUploads: 0, originalBytes: 1000 });
    const error = await createBoxItem(ctx, userId, staged, { title: 'Too late' }).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(UnavailableError);
    expect(await storedRows(ctx, BoxItem, { title: 'Too late' })).to.deep.equal([]);
  });

  it('fails an expired import, keeps its item and removes its rows', async () => {
    const url = 'https://example.org/film.mp4';
    const { id, content } = await createImport(ctx, userId, { url, progressId: null, fields: { title: 'Imported' } });
    const open = () => storedRows(ctx, ArrivingUpload, { boxId: id });
    ctx.clock.advance(resumableMilliseconds - 1);
    await sweep();
    expect(await open()).to.containSubset([{ kind: 'import', contentId: content.id }]);
    ctx.clock.advance(2);
    await sweep();
    expect(await open()).to.deep.equal([]);
    expect(await usageOf(ctx, userId)).to.include({ reservedBytes: 0, reservedUploads: 0 });
    const [failed] = await storedRows(ctx, Content, { id: content.id });
    expect(failed).to.include({ state: 'FAILED', failureKey: 'content.failure.importBroken' });
  });

  it('keeps the file of an upload that has become an item', async () => {
    const ticket = await openUpload(ctx, userId, { bytes: 2000, progressId: null });
    const staged = await stageSource(ctx, ticket, {
      stream: Readable.from([video]),
      fileName: 'video.mp4',
      mimeType: 'video/mp4',
    });
    await createBoxItem(ctx, userId, staged, { title: 'Committed' });
    await dropUpload(ctx, ticket);
    expect(await ctx.storage.stat(staged.key)).to.include({ bytes: 1000 });
  });

  it('processes every upload, also after two hundred that fail each time', async () => {
    const { fields, ...upload } = {
      ...{ userId, fileName: 'lost.mp4', metadata: '', totalBytes: 10, receivedBytes: 10 },
      fields: { title: 'Lost' },
    };
    // The bytes are lost: these uploads never become items.
    const lost = Array.from({ length: 201 }, (_, number) => ({
      ...{ id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`, createdAt: new Date(0) },
      ...{ ...upload, fields },
    }));
    await ctx.db.model(ArrivingUpload).bulkCreate(lost);
    const { id } = await reserveUpload(ctx, userId, video.length, `ffffffff${randomUUID().slice(8)}`);
    await ctx.storage.arrivals.append(sourceKey(id), Readable.from([video]), {
      ...{ start: 0, totalBytes: video.length },
      async stored(piece) {
        const behind = { ...upload, totalBytes: video.length, fields: { title: 'Behind' } };
        await ctx.db.model(ArrivingUpload).create({ id, ...behind, receivedBytes: 0, createdAt: ctx.clock.now() });
        await recordPiece(ctx, { uploadId: id, leaseOwner: null }, piece);
      },
    });
    await sweep();
    expect(await storedRows(ctx, BoxItem, { title: 'Behind' })).to.have.length(1);
    expect(await storedRows(ctx, BoxItem, { title: 'Lost' })).to.deep.equal([]);
    await ctx.db.change(`DELETE FROM arriving_uploads WHERE file_name = 'lost.mp4' AND box_id IS NULL`);
  });

  it('removes every expired upload, also after a hundred whose files cannot be removed', async () => {
    const poison = Array.from(
      { length: 101 },
      (_, number) => `00000000-0000-4000-9000-${String(number).padStart(12, '0')}`,
    );
    await Promise.all(poison.map(async (id) => reserveUpload(ctx, await createUser(ctx), 1, id)));
    await fixture();
    const kept = (await storedRows(ctx, UploadReservation)).length;
    expect(kept).to.equal(102);
    ctx.clock.advance(reservationMilliseconds + 1);
    const storage = {
      ...ctx.storage,
      remove: (keys: readonly string[]) =>
        keys.some((key) => poison.some((id) => key.includes(id)))
          ? Promise.reject(new Error('the file cannot be removed'))
          : ctx.storage.remove(keys),
    };
    await sweep({ ...ctx, storage });
    expect((await storedRows(ctx, UploadReservation)).map(({ id }) => id)).to.have.members(poison);
    await sweep();
    expect(await storedRows(ctx, UploadReservation)).to.deep.equal([]);
  });

  it('deletes old progress rows and download tokens', async () => {
    await fixture();
    ctx.clock.advance(hour + 1);
    await sweep();
    expect(await storedRows(ctx, UploadProgressRecord)).to.deep.equal([]);
    expect(await storedRows(ctx, DownloadToken)).to.deep.equal([]);
  });
});
