import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { rejectedFields } from '../../support/responses.js';
import { registerSeller } from '../../support/sellers.js';
import { aBundle, newBundle, bundlesFixture } from './bundles.js';
import { changeRow } from '../../support/rows.js';
import { User } from '../../../shared/user/user.model.js';

describe('POST /api/contentbundle/{bundleId}', () => {
  const { ctx, api, publisher, viewer, anybody } = bundlesFixture();

  const read = (bundleId: string, token = publisher.token) =>
    api.call('GET', `/api/contentbundle/${bundleId}`, { token });
  const readPublic = (bundleId: string) =>
    api.call('GET', `/api/public/contentbundle/${bundleId}`, { token: anybody.token });
  const update = (bundleId: string, members: object = {}, token = publisher.token) =>
    api.call('POST', `/api/contentbundle/${bundleId}`, { token, body: { ...aBundle, ...members } });

  it('200 and replaces all members; those that are left out are emptied', async () => {
    const bundleId = await newBundle(api, publisher, { description: 'Old', tags: ['old'] });
    const said = { name: 'New', price: '1,00', duration: 3, durationUnit: 'DAYS' };
    const { status, body } = await api.call('POST', `/api/contentbundle/${bundleId}`, {
      token: publisher.token,
      body: said,
    });
    expect(status).to.equal(200);
    expect(body).to.deep.equal({ ...said, bundleId, itemCount: 0 });
    expect((await read(bundleId)).body).to.deep.equal(body);
  });

  it('200 where name, price, duration or its unit is left out: only the members that are sent change', async () => {
    const bundleId = await newBundle(api, publisher, { ...aBundle, description: 'Old', tags: ['old'], duration: 90 });
    await update(bundleId, { duration: 90, durationUnit: 'YEARS', description: 'Old', tags: ['old'] });
    const change = (body: object) =>
      api.call('POST', `/api/contentbundle/${bundleId}`, { token: publisher.token, body });
    const { body } = await read(bundleId);
    expect((await change({ price: '7' })).body).to.deep.equal({ ...body, price: '7,00' });
    expect((await change({ tags: [] })).body).to.deep.include({ description: 'Old', price: '7,00' });
    expect(rejectedFields(await change({ duration: 101 }))).to.deep.equal(['duration maximum']);
    expect((await change({ durationUnit: 'DAYS' })).body).to.include({ duration: 90, durationUnit: 'DAYS' });
    expect(rejectedFields(await change({}))).to.deep.equal(['name required']);
  });

  it('200 for a whole bundle as it was read', async () => {
    const bundleId = await newBundle(api, publisher, { description: 'Same', tags: ['same'] });
    const { body } = await readPublic(bundleId);
    const { publisher: _publisher, ...own } = body;
    expect((await update(bundleId, body)).body).to.deep.equal(own);
  });

  it('404 for a bundle of another user, an unknown one and a malformed id', async () => {
    const bundleId = await newBundle(api, publisher);
    const seller = await registerSeller(api);
    const responses = [
      await update(bundleId, {}, seller.token),
      await update(bundleId, {}, viewer.token),
      await update(randomUUID()),
      await update('1'),
    ];
    expect(responses.map(({ status }) => status)).to.deep.equal([404, 404, 404, 404]);
    expect((await read(bundleId)).body.name).to.equal(aBundle.name);
  });

  it('400 for an owner whose seller’s data are missing now', async () => {
    const former = await registerSeller(api);
    const bundleId = await newBundle(api, former);
    await changeRow(ctx, User, former.userId, { paypalEmail: null });
    expect(rejectedFields(await update(bundleId, {}, former.token))).to.deep.equal(['finance.paypalEmail dealing']);
  });
});
