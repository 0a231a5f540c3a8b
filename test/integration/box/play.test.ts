import { expect } from 'chai';
import { seedBoxItem, seedStream } from '../../support/contents.js';
import { openBox, type BoxFixture } from './openBox.js';

describe('POST /api/box/:boxId/play', () => {
  let ctx: BoxFixture['ctx'];
  let user: BoxFixture['user'];
  let call: BoxFixture['call'];

  before(async () => {
    ({ ctx, user, call } = await openBox());
  });

  it('200: returns URLs for an item that is READY', async () => {
    const { boxId, folder } = await seedBoxItem(ctx, user.userId);
    await seedStream(ctx, folder);
    const { status, body } = await call('POST', `/api/box/${boxId}/play`);
    expect(status).to.equal(200);
    expect(body).to.include({ result: 'PLAY' });
    expect(body.resource).to.deep.equal((await call('GET', `/api/box/${boxId}`)).body);
    expect(body.srcs[0].streamer).to.match(/\.m3u8$/);
  });

  for (const state of ['PENDING', 'FAILED'] as const) {
    it(`200: returns a message for an item that is ${state}`, async () => {
      const { boxId } = await seedBoxItem(ctx, user.userId, { state });
      const { status, body } = await call('POST', `/api/box/${boxId}/play`, undefined, user, {
        'accept-language': 'fr',
      });
      expect(status).to.equal(200);
      expect(body).to.include({ result: 'MESSAGE', streamer: '' });
      expect(body.message).to.equal(
        ctx.translate('fr', state === 'PENDING' ? 'playback.notReady' : 'playback.notPlayable'),
      );
      expect(body.srcs).to.deep.equal([]);
    });
  }

  it('200: returns a message for an item that has expired', async () => {
    const { boxId } = await seedBoxItem(ctx, user.userId, { expiresAt: new Date(ctx.clock.now().getTime() - 1000) });
    expect((await call('POST', `/api/box/${boxId}/play`)).body).to.include({ result: 'MESSAGE' });
  });
});
