import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { registerDealer } from '../../support/dealers.js';
import { newBundle, openStage, type Stage } from './bundles.js';

describe('GET /api/contentbundle/{bundleId} and /api/public/contentbundle/{bundleId}', () => {
  let stage: Stage;

  before(async () => {
    stage = await openStage();
  });
  after(() => stage?.close());

  const read = (bundleId: string, token = stage.publisher.token) =>
    stage.api.call('GET', `/api/contentbundle/${bundleId}`, { token });
  const readPublic = (bundleId: string) =>
    stage.api.call('GET', `/api/public/contentbundle/${bundleId}`, { token: stage.anybody });

  it('404 for a bundle of another user, an unknown one and a malformed id', async () => {
    const bundleId = await newBundle(stage.api, stage.publisher);
    const responses = [await read(bundleId, stage.viewer.token), await read(randomUUID()), await read('1')];
    expect(responses.map(({ status }) => status)).to.deep.equal([404, 404, 404]);
    expect(new Set(responses.map(({ body }) => body.message)).size).to.equal(1);
    expect((await readPublic(randomUUID())).status).to.equal(404);
    expect((await readPublic('1')).status).to.equal(404);
  });

  it('404 for a bundle of a disabled publisher; 200 if only `vodPublic` is false', async () => {
    const other = await registerDealer(stage.api);
    const bundleId = await newBundle(stage.api, other);
    await stage.ctx.db.change('UPDATE users SET vod_public = false WHERE id = $id', { id: other.userId });
    expect((await readPublic(bundleId)).status).to.equal(200);
    expect((await stage.api.call('POST', '/api/user/me/disable', { token: other.token })).status).to.equal(204);
    expect((await readPublic(bundleId)).status).to.equal(404);
  });
});
