import { expect } from 'chai';
import { usageOf } from '../../../shared/license/usage.service.js';
import { writeEdgeToken } from '../../../shared/playback/edgeToken.js';
import { registerUser, type TestUser } from '../../support/api.js';
import { fixtureEach } from '../../support/fixtures.js';
import { serviceFixture } from '../../support/service.js';
import { integrationHeaders } from '../../support/streams.js';

const folder = 'content/5f0c6a52-3b1e-4d0a-9a43-1f2e3d4c5b6a/g1/';

describe('POST /rest/<integration>/edge/usage', () => {
  const { api } = serviceFixture({ EDGE_KEYS: 'e2:a-newer-secret-of-sixteen,e1:a-secret-of-sixteen-or-more' });
  const user = fixtureEach(() => registerUser(api));

  const report = (body: object, headers: Record<string, string> = integrationHeaders(api)) =>
    api.call('POST', '/rest/integration/edge/usage', { headers, body });

  function addressOf({ userCode: publisherCode }: Pick<TestUser, 'userCode'>, expiresSeconds = 4_000_000_000): string {
    const { keys } = api.ctx.config.playback.edge;
    const token = { kind: 'full', publisherCode, expiresSeconds, prefix: folder } as const;
    return `/e/${writeEdgeToken(keys.slice(1), token)}/${folder}240p/s0.m4s`;
  }
  const bandOf = async ({ userId }: TestUser): Promise<number> => (await usageOf(api.ctx, userId)).bandBytes;

  it('200: adds the bytes of every URL to its publisher’s band, also of an expired URL', async () => {
    const other = await registerUser(api);
    const { status, body } = await report({
      batchId: `one of ${user.userCode}`,
      usage: [
        { address: addressOf(user), bytes: 1_000 },
        { address: `https://edge.example.org${addressOf(user, 1_700_000_000)}?session=x`, bytes: 20 },
        { address: addressOf(other), bytes: 3 },
      ],
    });
    expect([status, body]).to.deep.equal([200, { isNew: true, countedBytes: 1_023, refusedBytes: 0 }]);
    expect([await bandOf(user), await bandOf(other)]).to.deep.equal([1_020, 3]);
  });

  it('200: counts a batch once, for any number of deliveries', async () => {
    const batch = { batchId: `twice of ${user.userCode}`, usage: [{ address: addressOf(user), bytes: 7 }] };
    const sent = await Promise.all(Array.from({ length: 40 }, () => report(batch)));
    expect(sent.map(({ status }) => status)).to.deep.equal(Array(40).fill(200));
    expect(sent.filter(({ body }) => body.isNew)).to.have.length(1);
    expect((await report(batch)).body).to.deep.equal({ isNew: false, countedBytes: 0, refusedBytes: 0 });
    expect(await bandOf(user)).to.equal(7);
    await report({ ...batch, batchId: `${batch.batchId} more` });
    expect(await bandOf(user)).to.equal(14);
  });

  it('200: rejects the bytes of URLs not signed by this service and of unknown publishers', async () => {
    const address = addressOf(user);
    const forged = [
      address.replace(user.userCode.replaceAll('.', '_'), 'nobody'),
      address.replace('5f0c', '6f0c'),
      address.replace('/e/', '/s/'),
      addressOf({ userCode: 'nobody.at.all' }),
      'x',
    ];
    const { body } = await report({
      batchId: `forged of ${user.userCode}`,
      usage: [{ address, bytes: 1 }, ...forged.map((one) => ({ address: one, bytes: 100 }))],
    });
    expect(body).to.deep.equal({ isNew: true, countedBytes: 1, refusedBytes: 500 });
    expect(await bandOf(user)).to.equal(1);
  });

  it('returns 400 for an invalid body', async () => {
    const usage = [{ address: addressOf(user), bytes: 1 }];
    const bodies = [
      {},
      { batchId: 'a' },
      { usage },
      { batchId: '', usage },
      { batchId: 'a', usage: [{ address: addressOf(user), bytes: -1 }] },
      { batchId: 'a', usage: [{ address: addressOf(user), bytes: 1.5 }] },
      { batchId: 'a', usage: Array(2_001).fill(usage[0]) },
    ];
    for (const body of bodies) expect((await report(body)).status, JSON.stringify(body).slice(0, 100)).to.equal(400);
    expect(await bandOf(user)).to.equal(0);
  });
});
