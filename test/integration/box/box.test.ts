import { expect } from 'chai';
import { usageOf } from '../../../shared/license/usage.service.js';
import { registerUser, type TestApi, type TestResponse, type TestUser } from '../../support/api.js';
import { seedBoxItem } from '../../support/contents.js';
import type { TestContext } from '../../support/context.js';
import { upload } from '../../support/uploads.js';
import { sharedService } from '../../support/service.js';

describe('box', () => {
  let ctx: TestContext;
  let api: TestApi;
  let user: TestUser;
  let other: TestUser;

  before(async () => {
    ({ ctx, api } = await sharedService());
    [user, other] = await Promise.all([registerUser(api), registerUser(api)]);
  });

  const call = (
    method: string,
    path: string,
    body?: unknown,
    as: TestUser = user,
    headers: Record<string, string> = {},
  ): Promise<TestResponse> =>
    api.call(method, path, { token: as.token, headers, ...(body === undefined ? {} : { body }) });

  describe('GET /api/box/:boxId', () => {
    it('200: shows an item as in the contract', async () => {
      const { boxId, contentId } = await seedBoxItem(ctx, user.userId, {
        title: 'Summer',
        description: 'At the sea',
        tags: ['sea', 'sun'],
        durationMs: 187_400,
      });
      const { body } = await call('GET', `/api/box/${boxId}`);
      expect(body).to.deep.equal({
        boxId,
        contentId: `urn:video:content:${contentId}`,
        title: 'Summer',
        description: 'At the sea',
        resourceId: contentId,
        duration: '3:07',
        tags: ['sea', 'sun'],
        source: 'UPLOAD',
        valueDate: body.valueDate,
        status: 'READY',
        vodCount: 0,
      });
    });

    it('200: dates are in the caller’s time zone', async () => {
      const { boxId } = await seedBoxItem(ctx, user.userId, { expiresAt: new Date('2030-12-31T23:30:00Z') });
      expect((await call('GET', `/api/box/${boxId}`)).body.expirationDate).to.equal('31/12/2030');
      const local = await call('GET', `/api/box/${boxId}`, undefined, user, { 'X-Service-timezone': '3600000' });
      expect(local.body.expirationDate).to.equal('01/01/2031');
    });

    it('200: shows in the caller’s language why a content failed', async () => {
      const { boxId, contentId } = await seedBoxItem(ctx, user.userId, { state: 'FAILED' });
      await ctx.db.change(`UPDATE contents SET failure_key = 'playback.notPlayable' WHERE id = $contentId`, {
        contentId,
      });
      const { body } = await call('GET', `/api/box/${boxId}`, undefined, user, { 'accept-language': 'it' });
      expect(body.status).to.equal('FAILED');
      expect(body.message).to.equal(ctx.translate('it', 'playback.notPlayable'));
    });

    it('200: counts the publications of the item', async () => {
      const { boxId } = await seedBoxItem(ctx, user.userId);
      for (const licenseType of ['FREE', 'FREE']) await call('POST', `/api/box/${boxId}/vod`, { licenseType });
      expect((await call('GET', `/api/box/${boxId}`)).body.vodCount).to.equal(2);
    });
  });

  describe('404 for an item of another user, an unknown and a malformed id', () => {
    const paths: readonly (readonly [string, string, unknown?])[] = [
      ['GET', ''],
      ['POST', '', { title: 'Mine now' }],
      ['DELETE', ''],
      ['POST', '/play'],
      ['GET', '/status/events'],
    ];
    for (const [method, rest, body] of paths) {
      it(`${method} /api/box/{boxId}${rest}`, async () => {
        const { boxId } = await seedBoxItem(ctx, other.userId, { title: 'Theirs' });
        for (const id of [boxId, crypto.randomUUID(), 'not-an-id', '%00', `${boxId}x`]) {
          const response = await call(method, `/api/box/${id}${rest}`, body);
          expect(response.status, id).to.equal(404);
          expect(response.body.exception).to.equal('NotFoundException');
        }
        expect((await call('GET', `/api/box/${boxId}`, undefined, other)).body.title).to.equal('Theirs');
      });
    }
  });

  describe('POST /api/box/:boxId', () => {
    it('200: replaces title, description, thumbnail and tags; members left out are emptied', async () => {
      const { boxId } = await seedBoxItem(ctx, user.userId, { title: 'Old', description: 'Long', tags: ['a'] });
      const changed = await call('POST', `/api/box/${boxId}`, { title: ' New ', tags: ['b', 'b', ' c '], unknown: 1 });
      expect(changed.body).to.include({ title: 'New' }).and.not.have.property('description');
      expect(changed.body.tags).to.deep.equal(['b', 'c']);
      expect((await call('GET', `/api/box/${boxId}`)).body).to.deep.equal(changed.body);
    });

    it('200: accepts a whole object that was read', async () => {
      const { boxId, contentId } = await seedBoxItem(ctx, user.userId, { description: 'Long', tags: ['a'] });
      const thumbnailId = await frameOf(contentId, other.userId);
      const { body } = await call('GET', `/api/box/${boxId}`);
      expect(body.thumbnailId).to.equal(thumbnailId);
      expect((await call('POST', `/api/box/${boxId}`, body)).body).to.deep.equal(body);
    });

    const refusals: readonly (readonly [string, object, string])[] = [
      ['no title', { description: 'x' }, 'title'],
      ['a blank title', { title: ' ' }, 'title'],
      ['a long title', { title: 'x'.repeat(256) }, 'title'],
      ['a title that is no text', { title: { a: 1 } }, 'title'],
      ['tags that are too many', { title: 'x', tags: Array.from({ length: 51 }, (_, index) => `${index}`) }, 'tags'],
      ['a tag that is too long', { title: 'x', tags: ['a', 'x'.repeat(65)] }, 'tags[1]'],
      ['a malformed thumbnail', { title: 'x', thumbnailId: 'x' }, 'thumbnailId'],
      ['an unknown thumbnail', { title: 'x', thumbnailId: crypto.randomUUID() }, 'thumbnailId'],
    ];
    for (const [what, body, field] of refusals) {
      it(`400: rejects ${what}`, async () => {
        const { boxId } = await seedBoxItem(ctx, user.userId);
        const response = await call('POST', `/api/box/${boxId}`, body);
        expect(response.status).to.equal(400);
        expect(response.body.errors.map((error: { field: string }) => error.field)).to.deep.equal([field]);
      });
    }
  });

  describe('DELETE /api/box/:boxId', () => {
    it('204: deletes the item, its content and its bytes', async () => {
      const { body } = await upload(api, user);
      const before = await usageOf(ctx, user.userId);
      expect((await call('DELETE', `/api/box/${body.boxId}`)).status).to.equal(204);
      expect((await call('GET', `/api/box/${body.boxId}`)).status).to.equal(404);
      expect((await call('DELETE', `/api/box/${body.boxId}`)).status).to.equal(404);
      const after = await usageOf(ctx, user.userId);
      expect(before.originalBytes - after.originalBytes).to.equal(50_000);
      expect(before.uploads - after.uploads).to.equal(1);
      const rows = await ctx.db.rows(`SELECT state FROM contents WHERE id = $id`, { id: body.resourceId });
      expect(rows).to.deep.equal([{ state: 'DELETED' }]);
    });

    it('204: keeps a content that another user holds too', async () => {
      const { boxId, contentId } = await seedBoxItem(ctx, user.userId);
      await ctx.db.change(
        `INSERT INTO box_items (id, owner_id, content_id, source, title, created_at, updated_at)
         VALUES (gen_random_uuid(), $ownerId, $contentId, 'MARKET_PLACE', 'Acquired', now(), now())`,
        { ownerId: other.userId, contentId },
      );
      expect((await call('DELETE', `/api/box/${boxId}`)).status).to.equal(204);
      expect(await ctx.db.rows(`SELECT state FROM contents WHERE id = $contentId`, { contentId })).to.deep.equal([
        { state: 'READY' },
      ]);
    });

    it('409: while the item is published', async () => {
      const { boxId } = await seedBoxItem(ctx, user.userId);
      const { body: vod } = await call('POST', `/api/box/${boxId}/vod`, { licenseType: 'FREE' });
      const refused = await call('DELETE', `/api/box/${boxId}`);
      expect(refused.status).to.equal(409);
      expect(refused.body.exception).to.contain('DataIntegrityViolationException');
      expect((await call('GET', `/api/box/${boxId}`)).body.vodCount).to.equal(1);
      await call('DELETE', `/api/vod/${vod.vodId}`);
      expect((await call('DELETE', `/api/box/${boxId}`)).status).to.equal(204);
    });

    it('409: of a deletion and a publication at the same time one succeeds, never both', async () => {
      for (let round = 0; round < 10; round += 1) {
        const { boxId } = await seedBoxItem(ctx, user.userId);
        const [published, deleted] = await Promise.all([
          call('POST', `/api/box/${boxId}/vod`, { licenseType: 'FREE' }),
          call('DELETE', `/api/box/${boxId}`),
        ]);
        expect([
          [201, 409],
          [404, 204],
        ]).to.deep.include([published.status, deleted.status]);
      }
    });
  });

  async function frameOf(contentId: string, ownerId: string): Promise<string> {
    const id = crypto.randomUUID();
    await ctx.db.change(
      `INSERT INTO thumbnails (id, owner_id, storage_key, mime_type, bytes, width, height, created_at)
       VALUES ($id, $ownerId, $key, 'image/jpeg', 1, 1, 1, now())`,
      { id, ownerId, key: `thumbnails/${id}/original` },
    );
    await ctx.db.change('UPDATE contents SET thumbnail_id = $id WHERE id = $contentId', { id, contentId });
    return id;
  }
});
