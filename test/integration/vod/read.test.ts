import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { registerUser } from '../../support/api.js';
import { bodyOf } from '../../support/responses.js';
import { freeTerms, openShop } from './shop.js';
import { changeRow } from '../../support/rows.js';
import { User } from '../../../shared/user/user.model.js';
import { useFixture } from '../../support/fixtures.js';

describe('GET /api/vod/{vodId} and /api/public/vod/{vodId}', () => {
  const shop = useFixture(openShop);

  describe('200', () => {
    it('with dates in the time zone of the caller', async () => {
      const { vodId } = await shop.published(freeTerms, { expiresAt: new Date('2040-03-31T22:30:00Z') });
      const read = (offset: string) =>
        shop.api.call('GET', `/api/vod/${vodId}`, {
          token: shop.publisher.token,
          headers: { 'x-service-timezone': offset },
        });
      expect((await read('0')).body.expirationDate).to.equal('31/03/2040');
      for (const zone of ['7200000', 'Europe/Rome'])
        expect((await read(zone)).body.expirationDate, zone).to.equal('01/04/2040');
      for (const unknown of ['Europe/Atlantis', ''])
        expect((await read(unknown)).body.expirationDate, unknown).to.equal('31/03/2040');
    });

    it('for an item of a publisher whose `vodPublic` is false; 404 after the publisher is disabled', async () => {
      const publisher = await registerUser(shop.api);
      const { vodId } = await shop.published(freeTerms, {}, publisher);
      await changeRow(shop.ctx, User, publisher.userId, { vodPublic: false });
      expect((await shop.readPublic(vodId)).status).to.equal(200);
      const disabled = await shop.api.call('POST', '/api/user/me/disable', { token: publisher.token });
      expect(disabled.status).to.equal(204);
      expect((await shop.readPublic(vodId)).status).to.equal(404);
      expect((await shop.play(vodId, null)).status).to.equal(404);
    });
  });

  describe('404', () => {
    it('on the private path for another user, an unknown item and a malformed id', async () => {
      const { vodId } = await shop.published(freeTerms);
      const otherUser = await registerUser(shop.api);
      const responses = [await shop.read(vodId, otherUser), await shop.read(randomUUID()), await shop.read('1')];
      expect(responses.map(({ status }) => status)).to.deep.equal([404, 404, 404]);
    });

    it('on the public path for an item that has ended; its owner still reads it', async () => {
      const { vodId } = await shop.published(freeTerms, { expiresAt: new Date(shop.ctx.clock.now().getTime() + 1000) });
      shop.ctx.clock.advance(1000);
      expect((await shop.readPublic(vodId)).status).to.equal(404);
      expect(bodyOf(200, await shop.read(vodId))).to.have.property('expirationDate');
    });
  });
});
