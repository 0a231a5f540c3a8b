import { expect } from 'chai';
import { issueMailToken } from '../../../shared/user/mailToken.service.js';
import { hashPassword } from '../../../shared/platform/security/passwords.js';
import { usualPasswordCost } from '../../../shared/platform/security/passwordThreads.js';
import { publicToken, registerUser } from '../../support/api.js';
import { serviceFixture } from '../../support/service.js';

describe('password hashing', function () {
  this.timeout(60_000);
  const { ctx, api } = serviceFixture({}, { passwordCost: usualPasswordCost });

  it('holds no transaction while a reset and an update wait for their hashes', async () => {
    const [user, other] = [await registerUser(api), await registerUser(api)];
    const [token, link] = [await publicToken(api), await issueMailToken(ctx, user.userId, 'RENEWAL')];
    const busy = Promise.all(Array.from({ length: 4 }, () => hashPassword(ctx, 'correct horse')));
    const body = { currentPassword: other.password, newPassword: 'another horse', passwordConfirm: 'another horse' };
    const waiting = [
      api.call('GET', `/api/public/user/password/renew?token=${link}`, { token }),
      api.call('POST', '/api/user/me/password/update', { token: other.token, body }),
    ];
    let isBusy = true;
    const ended = busy.then(() => (isBusy = false));
    const seen: object[] = [];
    while (isBusy) {
      seen.push(
        ...(await ctx.db.rows(
          `SELECT query FROM pg_stat_activity
            WHERE datname = current_database() AND state = 'idle in transaction' AND now() - state_change > interval '50 ms'`,
        )),
      );
    }
    await ended;
    expect(seen).to.deep.equal([]);
    expect((await Promise.all(waiting)).map(({ status }) => status)).to.deep.equal([200, 204]);
  });
});
