import type { Socket } from 'node:net';
import { expect } from 'chai';
import sharp from 'sharp';
import { registerUser, type TestResponse } from '../../support/api.js';
import { eventually } from '../../support/eventually.js';
import { flatAnimation, jpegOfScans } from '../../support/images.js';
import { serviceFixture } from '../../support/service.js';
import { rawUpload } from '../../support/uploads.js';
import { useFixture } from '../../support/fixtures.js';
import { Thumbnail } from '../../../shared/content/thumbnail.model.js';
import { removeRows } from '../../support/rows.js';

describe('the limits of thumbnails', () => {
  const { api } = serviceFixture();
  const user = useFixture(() => registerUser(api));

  function send(bytes: Uint8Array, as = user): Promise<TestResponse> {
    const form = new FormData();
    form.append('thumbnail', new Blob([bytes]), 'image');
    return api.call('POST', '/api/thumbnail', { token: as.token, body: form });
  }
  const png = (): Promise<Buffer> =>
    sharp({ create: { width: 8, height: 8, channels: 3, background: '#3366aa' } })
      .png()
      .toBuffer();

  it('return 400 for too many pixels in all frames, frames, or scans', async () => {
    for (const bytes of [
      await flatAnimation(500, 400, 100),
      await flatAnimation(500, 400, 100, 'webp'),
      await flatAnimation(8, 8, 201),
      await jpegOfScans(200),
    ]) {
      const { status, body } = await send(bytes);
      expect([status, body.exception]).to.deep.equal([400, 'ValidationException']);
    }
  });

  it('return 429 above the uploads per day', async () => {
    const owner = await registerUser(api);
    await api.ctx.db.change(
      `INSERT INTO thumbnails (id, owner_id, storage_key, mime_type, bytes, width, height, created_at)
       SELECT gen_random_uuid(), $id, 'thumbnails/x/original', 'image/png', 1, 1, 1, $now FROM generate_series(1, 4999)`,
      { id: owner.userId, now: api.ctx.clock.now() },
    );
    expect((await send(await png(), owner)).status).to.equal(201);
    const { status, headers } = await send(await png(), owner);
    expect([status, headers.get('retry-after')]).to.deep.equal([429, '3600']);
    await removeRows(api.ctx, Thumbnail, { ownerId: owner.userId });
  });

  it('return 429 above four concurrent uploads of a user, and do not affect others', async () => {
    const owner = await registerUser(api);
    const headers = { 'Content-Type': 'multipart/form-data; boundary=x', 'Content-Length': 1000 };
    let isOver = false;
    let rejected = 0;
    const slow = Array.from({ length: 8 }, async () => {
      const hold = async (socket: Socket): Promise<void> => {
        socket.once('data', () => (rejected += 1));
        await eventually(() => expect(isOver).to.equal(true));
        socket.destroy();
      };
      await rawUpload(api, owner, headers, hold, '/api/thumbnail');
    });
    await eventually(() => expect(rejected).to.equal(4));
    const { status, headers: sent } = await send(await png(), owner);
    expect([status, sent.get('retry-after')]).to.deep.equal([429, '1']);
    expect((await send(await png())).status).to.equal(201);
    isOver = true;
    await Promise.all(slow);
    await eventually(async () => expect((await send(await png(), owner)).status).to.equal(201));
  });
});
