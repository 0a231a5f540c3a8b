import { expect } from 'chai';
import { seedBoxItem } from '../../support/contents.js';
import { boxFixture } from './openBox.js';

describe('404 for an item of another user, an unknown and a malformed id', () => {
  const { ctx, other, call } = boxFixture();

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
