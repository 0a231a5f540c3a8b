import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { rejectedFields } from '../../support/responses.js';
import { registerSeller } from '../../support/sellers.js';
import { back } from '../../support/payments.js';
import { isSubscribed, newBundle, bundlesFixture, startSubscription } from './bundles.js';

describe('POST /api/contentbundle/{bundleId}/subscribe', () => {
  const fixture = bundlesFixture();
  const { api, publisher, viewer } = fixture;
  let bundleId: string;
  beforeEach(async () => {
    bundleId = await newBundle(api, publisher, { duration: 10, durationUnit: 'DAYS' });
  });

  const readPublic = async (id = bundleId) =>
    (await api.call('GET', `/api/public/contentbundle/${id}`, { token: viewer.token })).body;

  const isLive = (userId?: string) => isSubscribed(fixture, bundleId, userId);

  it('200 with the started payment and the bundle with its publisher', async () => {
    const body = { ...back, mobile: true, embedded: 'true' };
    const response = await startSubscription(api, viewer.token, bundleId, body);
    expect(response.status).to.equal(200);
    const { url, trackingId, ...rest } = response.body;
    expect(rest).to.deep.equal({ resource: await readPublic(), mobile: true, embedded: true });
    expect(url).to.match(/^http/);
    expect(trackingId).to.match(/^[0-9a-f-]{36}$/);
    expect(await isLive()).to.equal(false);
  });

  const cases: readonly [string, object, string][] = [
    ['no return address', { returnUrl: undefined }, 'returnUrl required'],
    ['no cancel address', { cancelUrl: undefined }, 'cancelUrl required'],
    ['an address that is no web page', { returnUrl: 'javascript:alert(1)' }, 'returnUrl webAddress'],
    ['a `mobile` that is no boolean', { mobile: 'perhaps' }, 'mobile boolean'],
  ];
  for (const [name, members, refused] of cases) {
    it(`400 for ${name}`, async () => {
      const response = await startSubscription(api, viewer.token, bundleId, { ...back, ...members });
      expect(rejectedFields(response)).to.deep.equal([refused]);
    });
  }

  it('409 for the publisher of the bundle', async () => {
    const { status, body } = await startSubscription(api, publisher.token, bundleId);
    expect(status).to.equal(409);
    expect(body.message).to.match(/own bundle/);
  });

  it('404 for an unknown bundle, a malformed id, a deleted bundle, and one of a disabled publisher', async () => {
    const other = await registerSeller(api);
    const [hidden, deleted] = [await newBundle(api, other), await newBundle(api, publisher)];
    await api.call('POST', '/api/user/me/disable', { token: other.token });
    await api.call('DELETE', `/api/contentbundle/${deleted}`, { token: publisher.token });
    for (const id of [randomUUID(), '1', hidden, deleted]) {
      expect((await startSubscription(api, viewer.token, id)).status).to.equal(404);
    }
  });
});
