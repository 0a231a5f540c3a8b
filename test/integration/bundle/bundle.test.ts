import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { refusedFields } from '../../support/responses.js';
import { registerDealer } from '../../support/dealers.js';
import { aBundle, createBundle, newBundle, newThumbnail, openStage, type Stage } from './bundling.js';

describe('Content bundles', () => {
  let stage: Stage;

  before(async () => {
    stage = await openStage();
  });
  after(() => stage?.close());

  const read = (bundleId: string, token = stage.publisher.token) =>
    stage.api.call('GET', `/api/contentbundle/${bundleId}`, { token });
  const readPublic = (bundleId: string) =>
    stage.api.call('GET', `/api/public/contentbundle/${bundleId}`, { token: stage.anybody });
  const update = (bundleId: string, members: object = {}, token = stage.publisher.token) =>
    stage.api.call('POST', `/api/contentbundle/${bundleId}`, { token, body: { ...aBundle, ...members } });

  describe('creating', () => {
    it('answers the whole bundle, which its owner and everybody can read', async () => {
      const thumbnailId = await newThumbnail(stage.ctx, stage.publisher.userId);
      const said = { ...aBundle, description: 'Snow and ice', tags: ['snow', 'ice'], thumbnailId };
      const { status, body } = await createBundle(stage.api, stage.publisher.token, said);
      expect(status).to.equal(201);
      expect(body).to.deep.equal({ ...said, bundleId: body.bundleId, itemCount: 0 });
      expect((await read(body.bundleId)).body).to.deep.equal(body);
      const publisher = { userCode: stage.publisher.userCode, licenseExpired: false };
      expect((await readPublic(body.bundleId)).body).to.deep.equal({ ...body, publisher });
    });

    it('leaves empty members out, and takes a price and numbers as clients write them', async () => {
      const { body } = await createBundle(stage.api, stage.publisher.token, {
        price: '3.5',
        duration: '2',
        description: ' ',
        tags: null,
        thumbnailId: '',
      });
      expect(body).to.not.have.any.keys('description', 'tags', 'thumbnailId');
      expect(body).to.include({ price: '3,50', duration: 2 });
    });

    it('takes every unit, up to a hundred years', async () => {
      for (const [durationUnit, duration] of [
        ['DAYS', 36_500],
        ['MONTHS', 1200],
        ['YEARS', 100],
      ] as const) {
        const { body } = await createBundle(stage.api, stage.publisher.token, { duration, durationUnit });
        expect(body).to.include({ duration, durationUnit });
        const longer = await createBundle(stage.api, stage.publisher.token, { duration: duration + 1, durationUnit });
        expect(refusedFields(longer)).to.deep.equal(['duration maximum']);
      }
    });

    const refusals: readonly [string, object, string][] = [
      ['no name', { name: undefined }, 'name required'],
      ['a blank name', { name: '  ' }, 'name blank'],
      ['a name that is too long', { name: 'n'.repeat(256) }, 'name tooLong'],
      ['no price', { price: undefined }, 'price required'],
      ['a price of nothing', { price: '0,00' }, 'price price'],
      ['a price below nothing', { price: '-1,00' }, 'price price'],
      ['three decimals', { price: '1,005' }, 'price price'],
      ['no duration', { duration: undefined }, 'duration required'],
      ['a duration of nothing', { duration: 0 }, 'duration minimum'],
      ['half a month', { duration: 1.5 }, 'duration integer'],
      ['no unit', { durationUnit: undefined }, 'durationUnit required'],
      ['an unknown unit', { durationUnit: 'WEEKS' }, 'durationUnit choice'],
      ['a thumbnail that is no id', { thumbnailId: 'me.png' }, 'thumbnailId id'],
      ['an unknown thumbnail', { thumbnailId: randomUUID() }, 'thumbnailId thumbnailUnknown'],
      ['tags that are no list', { tags: { one: 1 } }, 'tags list'],
    ];
    for (const [name, members, refused] of refusals) {
      it(`and changing are refused with ${name}`, async () => {
        expect(refusedFields(await createBundle(stage.api, stage.publisher.token, members))).to.deep.equal([refused]);
        const bundleId = await newBundle(stage.api, stage.publisher);
        expect(refusedFields(await update(bundleId, members))).to.deep.equal([refused]);
      });
    }

    it('is refused with somebody else’s thumbnail', async () => {
      const thumbnailId = await newThumbnail(stage.ctx, stage.viewer.userId);
      const response = await createBundle(stage.api, stage.publisher.token, { thumbnailId });
      expect(refusedFields(response)).to.deep.equal(['thumbnailId thumbnailUnknown']);
    });

    it('is refused to whoever has not said what dealing in money needs', async () => {
      const response = await createBundle(stage.api, stage.viewer.token);
      expect(refusedFields(response)).to.deep.equal([
        'finance.paypalEmail dealing',
        'finance.billingAddress dealing',
        'finance.vatNumber dealing',
      ]);
    });
  });

  describe('reading', () => {
    it('finds no bundle of another user, none unknown, and none with a malformed id', async () => {
      const bundleId = await newBundle(stage.api, stage.publisher);
      const answers = [await read(bundleId, stage.viewer.token), await read(randomUUID()), await read('1')];
      expect(answers.map(({ status }) => status)).to.deep.equal([404, 404, 404]);
      expect(new Set(answers.map(({ body }) => body.message)).size).to.equal(1);
      expect((await readPublic(randomUUID())).status).to.equal(404);
      expect((await readPublic('1')).status).to.equal(404);
    });

    it('shows nobody the bundle of a disabled publisher, and everybody that of one whose VOD is not public', async () => {
      const other = await registerDealer(stage.api);
      const bundleId = await newBundle(stage.api, other);
      await stage.ctx.db.change('UPDATE users SET vod_public = false WHERE id = $id', { id: other.userId });
      expect((await readPublic(bundleId)).status).to.equal(200);
      expect((await stage.api.call('POST', '/api/user/me/disable', { token: other.token })).status).to.equal(204);
      expect((await readPublic(bundleId)).status).to.equal(404);
    });
  });

  describe('changing', () => {
    it('replaces everything; what is left out is emptied', async () => {
      const bundleId = await newBundle(stage.api, stage.publisher, { description: 'Old', tags: ['old'] });
      const said = { name: 'New', price: '1,00', duration: 3, durationUnit: 'DAYS' };
      const { status, body } = await stage.api.call('POST', `/api/contentbundle/${bundleId}`, {
        token: stage.publisher.token,
        body: said,
      });
      expect(status).to.equal(200);
      expect(body).to.deep.equal({ ...said, bundleId, itemCount: 0 });
      expect((await read(bundleId)).body).to.deep.equal(body);
    });

    it('takes back a whole bundle as it was read', async () => {
      const bundleId = await newBundle(stage.api, stage.publisher, { description: 'Same', tags: ['same'] });
      const { body } = await readPublic(bundleId);
      const { publisher: _publisher, ...own } = body;
      expect((await update(bundleId, body)).body).to.deep.equal(own);
    });

    it('finds no bundle of another user, whether they may deal or not, and none unknown', async () => {
      const bundleId = await newBundle(stage.api, stage.publisher);
      const dealer = await registerDealer(stage.api);
      const answers = [
        await update(bundleId, {}, dealer.token),
        await update(bundleId, {}, stage.viewer.token),
        await update(randomUUID()),
        await update('1'),
      ];
      expect(answers.map(({ status }) => status)).to.deep.equal([404, 404, 404, 404]);
      expect((await read(bundleId)).body.name).to.equal(aBundle.name);
    });

    it('is refused to an owner who may not deal any more', async () => {
      const former = await registerDealer(stage.api);
      const bundleId = await newBundle(stage.api, former);
      await stage.ctx.db.change('UPDATE users SET paypal_email = NULL WHERE id = $id', { id: former.userId });
      expect(refusedFields(await update(bundleId, {}, former.token))).to.deep.equal(['finance.paypalEmail dealing']);
    });
  });
});
