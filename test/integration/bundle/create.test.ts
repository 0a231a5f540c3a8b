import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { rejectedFields } from '../../support/responses.js';
import { aBundle, createBundle, newBundle, bundlesFixture } from './bundles.js';
import { makeThumbnail } from '../../support/rows.js';

describe('POST /api/contentbundle', () => {
  const { ctx, api, publisher, viewer, anybody } = bundlesFixture();

  const read = (bundleId: string, token = publisher.token) =>
    api.call('GET', `/api/contentbundle/${bundleId}`, { token });
  const readPublic = (bundleId: string) =>
    api.call('GET', `/api/public/contentbundle/${bundleId}`, { token: anybody.token });
  const update = (bundleId: string, members: object = {}, token = publisher.token) =>
    api.call('POST', `/api/contentbundle/${bundleId}`, { token, body: { ...aBundle, ...members } });

  it('201 with the whole bundle, which its owner and everybody can read', async () => {
    const thumbnailId = await makeThumbnail(ctx, publisher.userId);
    const said = { ...aBundle, description: 'Snow and ice', tags: ['snow', 'ice'], thumbnailId };
    const { status, body } = await createBundle(api, publisher.token, said);
    expect(status).to.equal(201);
    expect(body).to.deep.equal({ ...said, bundleId: body.bundleId, itemCount: 0 });
    expect((await read(body.bundleId)).body).to.deep.equal(body);
    const shown = { userCode: publisher.userCode, licenseExpired: false };
    expect((await readPublic(body.bundleId)).body).to.deep.equal({ ...body, publisher: shown });
  });

  it('201 without empty members; prices and numbers in all forms that clients send', async () => {
    const { body } = await createBundle(api, publisher.token, {
      price: '3.5',
      duration: '2',
      description: ' ',
      tags: null,
      thumbnailId: '',
    });
    expect(body).to.not.have.any.keys('description', 'tags', 'thumbnailId');
    expect(body).to.include({ price: '3,50', duration: 2 });
  });

  it('201 for every unit up to a hundred years, 400 above', async () => {
    for (const [durationUnit, duration] of [
      ['DAYS', 36_500],
      ['MONTHS', 1200],
      ['YEARS', 100],
    ] as const) {
      const { body } = await createBundle(api, publisher.token, { duration, durationUnit });
      expect(body).to.include({ duration, durationUnit });
      const longer = await createBundle(api, publisher.token, { duration: duration + 1, durationUnit });
      expect(rejectedFields(longer)).to.deep.equal(['duration maximum']);
    }
  });

  const cases: readonly [string, object, string][] = [
    ['no name', { name: undefined }, 'name required'],
    ['a blank name', { name: '  ' }, 'name blank'],
    ['a name that is too long', { name: 'n'.repeat(256) }, 'name tooLong'],
    ['no price', { price: undefined }, 'price required'],
    ['a price of 0', { price: '0,00' }, 'price price'],
    ['a negative price', { price: '-1,00' }, 'price price'],
    ['three decimals', { price: '1,005' }, 'price price'],
    ['no duration', { duration: undefined }, 'duration required'],
    ['a duration of 0', { duration: 0 }, 'duration minimum'],
    ['a fraction of a month', { duration: 1.5 }, 'duration integer'],
    ['no unit', { durationUnit: undefined }, 'durationUnit required'],
    ['an unknown unit', { durationUnit: 'WEEKS' }, 'durationUnit choice'],
    ['a thumbnail that is no id', { thumbnailId: 'me.png' }, 'thumbnailId id'],
    ['an unknown thumbnail', { thumbnailId: randomUUID() }, 'thumbnailId thumbnailUnknown'],
    ['tags that are no list', { tags: { one: 1 } }, 'tags list'],
  ];
  for (const [name, members, refused] of cases) {
    const isMissing = refused.endsWith(' required');
    it(`400 for ${name}, ${isMissing ? 'which an update may leave out' : 'also for an update'}`, async () => {
      expect(rejectedFields(await createBundle(api, publisher.token, members))).to.deep.equal([refused]);
      const bundleId = await newBundle(api, publisher);
      const updated = await update(bundleId, members);
      if (isMissing) expect(updated.status).to.equal(200);
      else expect(rejectedFields(updated)).to.deep.equal([refused]);
    });
  }

  it('400 for a thumbnail of another user', async () => {
    const thumbnailId = await makeThumbnail(ctx, viewer.userId);
    const response = await createBundle(api, publisher.token, { thumbnailId });
    expect(rejectedFields(response)).to.deep.equal(['thumbnailId thumbnailUnknown']);
  });

  it('400 with all missing seller’s data', async () => {
    const response = await createBundle(api, viewer.token);
    expect(rejectedFields(response)).to.deep.equal([
      'finance.paypalEmail dealing',
      'finance.billingAddress dealing',
      'finance.vatNumber dealing',
    ]);
  });
});
