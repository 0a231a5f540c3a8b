import { expect } from 'chai';
import { registerUser } from '../../support/api.js';
import { serviceFixture } from '../../support/service.js';
import { integrationHeaders } from '../../support/streams.js';
import { disableUser, setLivePassword } from '../../support/users.js';
import { fixtureEach } from '../../support/fixtures.js';
import { User } from '../../../shared/user/user.model.js';
import { storedRows } from '../../support/rows.js';

describe('GET /rest/<integration>/user/{userCode}', () => {
  const { api } = serviceFixture();
  const user = fixtureEach(() => registerUser(api));

  const read = (userCode: string) =>
    api.call('GET', `/rest/integration/user/${userCode}`, { headers: integrationHeaders(api) });

  it('200: returns the live password in plain text, stored encrypted, for the user code in any case', async () => {
    await setLivePassword(api.ctx, user.userId, 'grün & 100%');
    expect((await read(user.userCode)).body).to.deep.equal({ livePassword: 'grün & 100%' });
    expect((await read(user.userCode.toUpperCase())).body).to.deep.equal({ livePassword: 'grün & 100%' });
    const [row] = await storedRows(api.ctx, User, { id: user.userId });
    expect(row?.livePassword).to.match(/^v1\./).and.not.include('100%');
  });

  it('200: omits a missing live password, and prevents caching', async () => {
    const response = await read(user.userCode);
    expect(response.body).to.deep.equal({});
    expect(response.headers.get('cache-control')).to.equal('no-store');
  });

  it('returns 404 for unknown and disabled users, and malformed names', async () => {
    await disableUser(api.ctx, user.userId);
    for (const name of [user.userCode, 'nobody', '%00', 'a%2Fb', 'x'.repeat(2000), '%F0%9F%98%80', "'--"])
      expect((await read(name)).status, name.slice(0, 40)).to.equal(404);
  });

  it('returns 404 under another integration name', async () => {
    const { status, body } = await api.call('GET', `/rest/other/user/${user.userCode}`, {
      headers: integrationHeaders(api),
    });
    expect([status, body.exception]).to.deep.equal([404, 'NotFoundException']);
  });
});
