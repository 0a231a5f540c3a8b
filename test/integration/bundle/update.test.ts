import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { refusedFields } from '../../support/responses.js';
import { registerDealer } from '../../support/dealers.js';
import { aBundle, newBundle, openStage, type Stage } from './bundles.js';

describe('POST /api/contentbundle/{bundleId}', () => {
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

  it('200 and replaces all members; those that are left out are emptied', async () => {
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

  it('200 for a whole bundle as it was read', async () => {
    const bundleId = await newBundle(stage.api, stage.publisher, { description: 'Same', tags: ['same'] });
    const { body } = await readPublic(bundleId);
    const { publisher: _publisher, ...own } = body;
    expect((await update(bundleId, body)).body).to.deep.equal(own);
  });

  it('404 for a bundle of another user, an unknown one and a malformed id', async () => {
    const bundleId = await newBundle(stage.api, stage.publisher);
    const dealer = await registerDealer(stage.api);
    const responses = [
      await update(bundleId, {}, dealer.token),
      await update(bundleId, {}, stage.viewer.token),
      await update(randomUUID()),
      await update('1'),
    ];
    expect(responses.map(({ status }) => status)).to.deep.equal([404, 404, 404, 404]);
    expect((await read(bundleId)).body.name).to.equal(aBundle.name);
  });

  it('400 for an owner whose seller’s data are missing now', async () => {
    const former = await registerDealer(stage.api);
    const bundleId = await newBundle(stage.api, former);
    await stage.ctx.db.change('UPDATE users SET paypal_email = NULL WHERE id = $id', { id: former.userId });
    expect(refusedFields(await update(bundleId, {}, former.token))).to.deep.equal(['finance.paypalEmail dealing']);
  });
});
