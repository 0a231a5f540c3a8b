import type { Socket } from 'node:net';
import { expect } from 'chai';
import sharp from 'sharp';
import { spy } from 'sinon';
import { usageOf } from '../../../shared/license/usage.service.js';
import { createWorkerContext } from '../../../workers/runtime/workerContext.js';
import { sweepThumbnailsHandler } from '../../../workers/sweeps/sweepThumbnails.js';
import { registerUser, type TestResponse } from '../../support/api.js';
import { rawUpload, upload } from '../../support/uploads.js';
import { storedKeys } from '../../support/media.js';
import { serviceFixture, useFixture } from '../../support/fixtures.js';
import { changeRow, removeRows } from '../../support/rows.js';
import { User } from '../../../shared/user/user.model.js';
import { eventually } from '../../support/eventually.js';
import { flatAnimation, jpegOfScans } from '../../support/images.js';
import { Thumbnail } from '../../../shared/content/thumbnail.model.js';

describe('a thumbnail', () => {
  const { ctx, api } = serviceFixture();
  const user = useFixture(() => registerUser(api));

  const image = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#3366aa' } });
  const png = (width = 800, height = 600): Promise<Buffer> => image(width, height).png().toBuffer();

  function send(bytes: Uint8Array, { part = 'thumbnail', name = 'image.png', as = user } = {}): Promise<TestResponse> {
    const form = new FormData();
    form.append(part, new Blob([bytes]), name);
    return api.call('POST', '/api/thumbnail', { token: as.token, body: form });
  }
  const get = (id: string, rest = '', headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${api.url}/asset/thumbnail/${id}${rest}`, { headers });
  const sizeOf = async (response: Response) => sharp(Buffer.from(await response.arrayBuffer())).metadata();

  it('may be a PNG, JPEG, WebP or GIF, and is served to everybody', async () => {
    for (const format of ['png', 'jpeg', 'webp', 'gif'] as const) {
      const bytes = await image(800, 600).toFormat(format).toBuffer();
      const { status, body } = await send(bytes, { name: 'wrong.exe' });
      expect(status).to.equal(201);
      const response = await get(body.thumbnailId);
      expect(response.status).to.equal(200);
      expect(Object.fromEntries(response.headers)).to.include({
        'content-type': `image/${format}`,
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
      });
      expect(Buffer.from(await response.arrayBuffer())).to.deep.equal(bytes);
      const narrow = await get(body.thumbnailId, '/300');
      expect(narrow.headers.get('content-type')).to.equal(`image/${format}`);
      expect(await sizeOf(narrow)).to.include({ format, width: 320, height: 240 });
    }
  });

  it('keeps an animation', async () => {
    const frames = await Promise.all(
      ['#f00', '#0f0', '#00f'].map((background) =>
        sharp({ create: { width: 400, height: 300, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    );
    const gif = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    const { body } = await send(gif);
    const narrow = await sharp(Buffer.from(await (await get(body.thumbnailId, '/160')).arrayBuffer()), {
      animated: true,
    }).metadata();
    expect(narrow).to.include({ width: 160, pages: 3, pageHeight: 120 });
  });

  it('is never enlarged, and has a limited number of sizes', async () => {
    const { body } = await send(await png(2500, 100));
    expect(await sizeOf(await get(body.thumbnailId, '/1'))).to.include({ width: 160 });
    expect(await sizeOf(await get(body.thumbnailId, '/100000'))).to.include({ width: 1920 });
    const small = (await send(await png(200, 100))).body.thumbnailId;
    expect(await sizeOf(await get(small, '/180'))).to.include({ width: 200 });
    expect(await sizeOf(await get(small, '/1920'))).to.include({ width: 200 });
    for (const width of ['0', '-5', 'x', '1.5', '100001', '1/2'])
      expect((await get(small, `/${width}`)).status, width).to.equal(404);
  });

  it('is scaled once to a width for concurrent requests', async () => {
    const { body } = await send(await png(1200, 900));
    const put = spy(ctx.storage, 'put');
    const sizes = await Promise.all(
      Array.from({ length: 20 }, async () => sizeOf(await get(body.thumbnailId, '/640'))),
    );
    put.restore();
    for (const size of sizes) expect(size).to.include({ width: 640, height: 480 });
    expect(put.args.map(([key]) => key)).to.deep.equal([`thumbnails/${body.thumbnailId}/640`]);
    const keys = (await storedKeys(ctx)).filter((key) => key.includes(body.thumbnailId));
    expect(keys).to.deep.equal([`thumbnails/${body.thumbnailId}/640`, `thumbnails/${body.thumbnailId}/original`]);
  });

  for (const size of ['', '/160'])
    it(`returns 206, 304, 412 and 416 for conditional requests and ranges${size === '' ? '' : ' of a width'}`, async () => {
      const { body } = await send(await png());
      const first = await get(body.thumbnailId, size);
      const etag = first.headers.get('etag') ?? '';
      const statusOf = async (headers: Record<string, string>) => (await get(body.thumbnailId, size, headers)).status;
      // fetch would force a reload if it had a condition.
      expect(await statusOf({ 'if-none-match': etag, 'cache-control': 'max-age=0' })).to.equal(304);
      expect(await statusOf({ 'if-match': '"another"' })).to.equal(412);
      expect(await statusOf({ range: 'bytes=9999999-' })).to.equal(416);
      const part = await get(body.thumbnailId, size, { range: 'bytes=0-7' });
      expect([part.status, (await part.arrayBuffer()).byteLength]).to.deep.equal([206, 8]);
    });

  it('loses its location metadata, and is rotated', async () => {
    const taken = await image(800, 600)
      .jpeg()
      .withExif({ IFD0: { Copyright: 'Ada' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const { body } = await send(taken);
    const metadata = await sizeOf(await get(body.thumbnailId));
    expect(metadata.exif).to.equal(undefined);
    expect(metadata).to.include({ width: 600, height: 800 });
  });

  it('is rejected in any other form, and nothing is stored', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><script>alert(1)</script></svg>';
    const files: Readonly<Record<string, Uint8Array>> = {
      'an SVG': Buffer.from(svg),
      'an SVG with an XML declaration': Buffer.from(`<?xml version="1.0"?>${svg}`),
      'an SVG that begins like a GIF': Buffer.from(`GIF89a${svg}`),
      'a text': Buffer.from('hello'),
      nothing: Buffer.alloc(0),
      'a TIFF': await image(10, 10).tiff().toBuffer(),
      'an AVIF': await image(16, 16).avif().toBuffer(),
      'a truncated image': (await png()).subarray(0, 900),
      'a header without an image': Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0]),
      'an image with too many pixels': await png(12_000, 8_000),
      'a file of more than 2 MB': Buffer.alloc(2 * 1024 ** 2 + 1),
    };
    const before = await storedKeys(ctx);
    for (const [what, bytes] of Object.entries(files)) {
      const response = await send(bytes);
      expect(response.status, what).to.equal(what.includes('2 MB') ? 413 : 400);
      expect(response.body.exception).to.be.a('string');
    }
    expect(await storedKeys(ctx)).to.deep.equal(before);
  });

  it('is rejected in a form without its part', async () => {
    const response = await send(await png(), { part: 'image' });
    expect(response.status).to.equal(400);
    const empty = await api.call('POST', '/api/thumbnail', { token: user.token, body: new FormData() });
    expect(empty.body.errors.map(({ field }: { field: string }) => field)).to.deep.equal(['thumbnail']);
  });

  it('counts for the user’s storage, and is rejected if that is full', async () => {
    const owner = await registerUser(api);
    const bytes = await png();
    await send(bytes, { as: owner });
    expect(await usageOf(ctx, owner.userId)).to.include({ thumbnailBytes: bytes.length });
    await ctx.db.change('UPDATE quotas SET original_bytes = 1::bigint << 30 WHERE user_id = $id', { id: owner.userId });
    const before = await storedKeys(ctx);
    const full = await send(bytes, { as: owner });
    expect([full.status, full.body.exception]).to.deep.equal([413, 'StorageQuotaExceededException']);
    expect(await storedKeys(ctx)).to.deep.equal(before);
    const headers = { 'Content-Type': 'multipart/form-data; boundary=x', 'Content-Length': 100_000 };
    const early = await rawUpload(api, owner, headers, () => {}, '/api/thumbnail');
    expect(early?.status, 'before the body is read').to.equal(413);
  });

  it('returns 404 for malformed ids', async () => {
    for (const id of [crypto.randomUUID(), 'x', '..%2f..%2fetc%2fpasswd', '%00'])
      expect((await get(id)).status, id).to.equal(404);
  });

  it('is swept after a day without use, which reduces the used storage', async () => {
    const owner = await registerUser(api);
    const [orphan, shown, profile] = await Promise.all(
      [1, 2, 3].map(async () => (await send(await png(), { as: owner })).body.thumbnailId as string),
    );
    await upload(api, owner, { fields: [['thumbnailId', shown ?? '']] });
    await changeRow(ctx, User, owner.userId, { thumbnailId: profile ?? null });
    await get(orphan ?? '', '/160');
    const bytes = (await usageOf(ctx, owner.userId)).thumbnailBytes;
    const sweep = () =>
      sweepThumbnailsHandler({
        ctx: createWorkerContext(ctx),
        log: ctx.log,
        payload: {},
        signal: new AbortController().signal,
        attempt: 1,
        isLastAttempt: true,
        reportProgress: () => {},
      });
    await sweep();
    expect((await get(orphan ?? '')).status).to.equal(200);
    ctx.clock.advance(24 * 60 * 60_000 + 1);
    await sweep();
    await sweep();
    expect((await get(orphan ?? '')).status).to.equal(404);
    for (const id of [shown, profile]) expect((await get(id ?? '')).status).to.equal(200);
    expect((await storedKeys(ctx)).filter((key) => key.includes(orphan ?? ''))).to.deep.equal([]);
    expect((await usageOf(ctx, owner.userId)).thumbnailBytes).to.equal((bytes * 2) / 3);
  });
});

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
