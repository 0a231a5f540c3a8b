import { expect } from 'chai';
import { seedBoxItem } from '../../support/contents.js';
import { boxFixture } from './openBox.js';
import { changeRow, makeThumbnail } from '../../support/rows.js';
import { Content } from '../../../shared/content/content.model.js';

describe('POST /api/box/:boxId', () => {
  const { ctx, user, other, call } = boxFixture();

  it('200: replaces title, description, thumbnail and tags; members left out are emptied', async () => {
    const { boxId } = await seedBoxItem(ctx, user.userId, { title: 'Old', description: 'Long', tags: ['a'] });
    const changed = await call('POST', `/api/box/${boxId}`, { title: ' New ', tags: ['b', 'b', ' c '], unknown: 1 });
    expect(changed.body).to.include({ title: 'New' }).and.not.have.property('description');
    expect(changed.body.tags).to.deep.equal(['b', 'c']);
    expect((await call('GET', `/api/box/${boxId}`)).body).to.deep.equal(changed.body);
  });

  it('200: without a title only the members that are sent change, and empty ones are removed', async () => {
    const { boxId } = await seedBoxItem(ctx, user.userId, { title: 'Old', description: 'Long', tags: ['a'] });
    const thumbnailId = await makeThumbnail(ctx, user.userId);
    const changed = async (body: object) => (await call('POST', `/api/box/${boxId}`, body)).body;
    expect(await changed({ thumbnailId })).to.deep.include({
      ...{ title: 'Old', description: 'Long', tags: ['a'], thumbnailId },
    });
    expect(await changed({ tags: ['b'] })).to.deep.include({ description: 'Long', tags: ['b'], thumbnailId });
    const emptied = await changed({ description: ' ', tags: [], thumbnailId: '' });
    expect(emptied).to.include({ title: 'Old' }).and.not.have.any.keys('description', 'tags', 'thumbnailId');
  });

  it('200: accepts a whole object that was read', async () => {
    const { boxId, contentId } = await seedBoxItem(ctx, user.userId, { description: 'Long', tags: ['a'] });
    const thumbnailId = await frameOf(contentId, other.userId);
    const { body } = await call('GET', `/api/box/${boxId}`);
    expect(body.thumbnailId).to.equal(thumbnailId);
    expect((await call('POST', `/api/box/${boxId}`, body)).body).to.deep.equal(body);
  });

  const invalidRequests: readonly (readonly [string, object, string])[] = [
    ['nothing to change', { unknown: 1, description: null }, 'title'],
    ['a blank title', { title: ' ' }, 'title'],
    ['a long title', { title: 'x'.repeat(256) }, 'title'],
    ['a title that is no text', { title: { a: 1 } }, 'title'],
    ['tags that are too many', { title: 'x', tags: Array.from({ length: 51 }, (_, index) => `${index}`) }, 'tags'],
    ['a tag that is too long', { title: 'x', tags: ['a', 'x'.repeat(65)] }, 'tags[1]'],
    ['a malformed thumbnail', { title: 'x', thumbnailId: 'x' }, 'thumbnailId'],
    ['an unknown thumbnail', { title: 'x', thumbnailId: crypto.randomUUID() }, 'thumbnailId'],
  ];
  for (const [what, body, field] of invalidRequests) {
    it(`400: rejects ${what}`, async () => {
      const { boxId } = await seedBoxItem(ctx, user.userId);
      const response = await call('POST', `/api/box/${boxId}`, body);
      expect(response.status).to.equal(400);
      expect(response.body.errors.map((error: { field: string }) => error.field)).to.deep.equal([field]);
    });
  }

  /** A thumbnail of a content, as ingestion stores it. */
  async function frameOf(contentId: string, ownerId: string): Promise<string> {
    const thumbnailId = await makeThumbnail(ctx, ownerId);
    await changeRow(ctx, Content, contentId, { thumbnailId });
    return thumbnailId;
  }
});
