import { expect } from 'chai';
import { seedBoxItem } from '../../support/contents.js';
import { boxFixture } from './openBox.js';
import { bodyOf } from '../../support/responses.js';
import { changeRow, makeThumbnail } from '../../support/rows.js';
import { Content } from '../../../shared/content/content.model.js';

describe('POST /api/box/:boxId', () => {
  const { ctx, user, other, call } = boxFixture();

  it('200: replaces title, description, thumbnail and tags, and empties omitted members', async () => {
    const { boxId } = await seedBoxItem(ctx, user.userId, { title: 'Old', description: 'Long', tags: ['a'] });
    const changed = await call('POST', `/api/box/${boxId}`, { title: ' New ', tags: ['b', 'b', ' c '], unknown: 1 });
    expect(changed.body).to.include({ title: 'New' }).and.not.have.property('description');
    expect(changed.body.tags).to.deep.equal(['b', 'c']);
    expect((await call('GET', `/api/box/${boxId}`)).body).to.deep.equal(changed.body);
  });

  it('200: without a title, changes only the members sent and removes the empty ones', async () => {
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

  it('200: accepts a complete object as a read returned it', async () => {
    const { boxId, contentId } = await seedBoxItem(ctx, user.userId, { description: 'Long', tags: ['a'] });
    const thumbnailId = await makeThumbnail(ctx, other.userId);
    // Ingestion stores it in this form.
    await changeRow(ctx, Content, contentId, { thumbnailId });
    const { body } = await call('GET', `/api/box/${boxId}`);
    expect(body.thumbnailId).to.equal(thumbnailId);
    expect((await call('POST', `/api/box/${boxId}`, body)).body).to.deep.equal(body);
  });

  it('400: names the invalid member', async () => {
    const { boxId } = await seedBoxItem(ctx, user.userId);
    const tags = Array.from({ length: 51 }, (_, index) => `${index}`);
    for (const [body, field] of [
      [{ unknown: 1, description: null }, 'title'],
      ...[' ', 'x'.repeat(256), { a: 1 }].map((title) => [{ title }, 'title'] as const),
      [{ title: 'x', tags }, 'tags'],
      [{ title: 'x', tags: ['a', 'x'.repeat(65)] }, 'tags[1]'],
      ...['x', crypto.randomUUID()].map((thumbnailId) => [{ title: 'x', thumbnailId }, 'thumbnailId'] as const),
    ] as const) {
      const { errors } = bodyOf(400, await call('POST', `/api/box/${boxId}`, body));
      expect(
        errors.map((error: { field: string }) => error.field),
        JSON.stringify(body),
      ).to.deep.equal([field]);
    }
  });
});
