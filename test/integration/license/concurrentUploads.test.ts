import { expect } from 'chai';
import { registerUser, startApi } from '../../support/api.js';
import { openTestContext } from '../../support/context.js';
import { upload } from '../../support/uploads.js';
import { setQuota } from '../../support/licenses.js';
import { fixtureEach } from '../../support/fixtures.js';

const megabyte = 1024 ** 2;
const gigabyte = 1024 ** 3;
const file = new Uint8Array(megabyte).fill(7);

describe('twenty concurrent uploads near a limit', () => {
  const ctx = fixtureEach(openTestContext);
  const api = fixtureEach(() => startApi(ctx));
  const user = fixtureEach(() => registerUser(api));

  const quota = (stored: number, uploads: number) => setQuota(ctx, user.userId, { renditionBytes: stored, uploads });
  const usage = async () => (await api.call('GET', '/api/user/me/overview', { token: user.token })).body.usage;

  /** The number of uploads by response. */
  async function responses(): Promise<Record<string, number>> {
    const all = await Promise.all(Array.from({ length: 20 }, () => upload(api, user, { file })));
    const counted: Record<string, number> = {};
    for (const { status, body } of all) {
      const response = status === 201 ? 'stored' : `${status} ${body.exception}`;
      counted[response] = (counted[response] ?? 0) + 1;
    }
    return counted;
  }

  it('are accepted as far as the storage suffices, and leave no reservation', async () => {
    // Storage for five files with their forms, but not for six.
    await quota(gigabyte - 5 * megabyte - 100_000, 0);
    expect(await responses()).to.deep.equal({ stored: 5, '413 StorageQuotaExceededException': 15 });
    expect(await usage()).to.include({ originalBytes: 5 * megabyte, reservedBytes: 0, uploads: 5 });
  });

  it('are accepted up to the number of uploads of the plan', async () => {
    await quota(0, 93);
    expect(await responses()).to.deep.equal({ stored: 7, '409 UploadCountQuotaExceededException': 13 });
    expect(await usage()).to.include({ originalBytes: 7 * megabyte, reservedBytes: 0, uploads: 100 });
  });
});
