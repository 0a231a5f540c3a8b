import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { registerSeller } from '../../support/sellers.js';
import { newBundle, bundlesFixture } from './bundles.js';
import { changeRow } from '../../support/rows.js';
import { User } from '../../../shared/user/user.model.js';

describe('GET /api/contentbundle/{bundleId} and /api/public/contentbundle/{bundleId}', () => {
  const { ctx, api, publisher, viewer, anybody } = bundlesFixture();

  const read = (bundleId: string, token = publisher.token) =>
    api.call('GET', `/api/contentbundle/${bundleId}`, { token });
  const readPublic = (bundleId: string) =>
    api.call('GET', `/api/public/contentbundle/${bundleId}`, { token: anybody.token });

  it('404 for a bundle of another user, an unknown one and a malformed id', async () => {
    const bundleId = await newBundle(api, publisher);
    const responses = [await read(bundleId, viewer.token), await read(randomUUID()), await read('1')];
    expect(responses.map(({ status }) => status)).to.deep.equal([404, 404, 404]);
    expect(new Set(responses.map(({ body }) => body.message)).size).to.equal(1);
    expect((await readPublic(randomUUID())).status).to.equal(404);
    expect((await readPublic('1')).status).to.equal(404);
  });

  it('404 for a bundle of a disabled publisher; 200 if only `vodPublic` is false', async () => {
    const other = await registerSeller(api);
    const bundleId = await newBundle(api, other);
    await changeRow(ctx, User, other.userId, { vodPublic: false });
    expect((await readPublic(bundleId)).status).to.equal(200);
    expect((await api.call('POST', '/api/user/me/disable', { token: other.token })).status).to.equal(204);
    expect((await readPublic(bundleId)).status).to.equal(404);
  });
});
