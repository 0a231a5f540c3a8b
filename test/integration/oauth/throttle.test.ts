import { expect } from 'chai';
import { askToken, basic, registerUser } from '../../support/api.js';
import { logIn as logInUser } from '../../../shared/oauth/login.service.js';
import { TooManyRequestsError } from '../../../shared/platform/errors.js';
import { rejection } from '../../support/eventually.js';
import { serviceFixture } from '../../support/fixtures.js';
import {
  loginFailuresFromAllAddresses,
  loginFailuresPerUser,
  publicTokensPerMinute,
} from '../../../shared/oauth/loginAttempts.js';
import { deleteEndedCounts } from '../../../shared/platform/endedCounts.js';
import { guardedCallsPerMinute } from '../../../shared/platform/throttle/subject.js';

describe('the limit of failed logins', () => {
  const { ctx, api } = serviceFixture(
    {},
    {
      limits: [
        [loginFailuresPerUser, 3],
        [loginFailuresFromAllAddresses, 8],
        [guardedCallsPerMinute, 6],
      ],
    },
  );
  // Advances past the windows of the previous test.
  beforeEach(() => ctx.clock.advance(600_000));

  const withBasic = (path: string, name: string, secret: string) =>
    api.call('GET', path, { headers: { authorization: basic(api, name, secret) } });
  const integration = (password: string) => withBasic('/rest/integration/nothing', 'streamer', password);
  const operator = (password: string) => withBasic('/metrics', 'operator', password);
  /** A login from another address than that of the test. */
  const logInFrom = (userCode: string, password: string, remoteAddress: string) =>
    logInUser(ctx, { clientId: 'web', userCode, password, remoteAddress });
  const logIn = (username: string, password: string) => askToken(api, { grant_type: 'password', username, password });

  it('returns 429 after too many failures, also for the correct password, until the window ends', async () => {
    const user = await registerUser(api);
    for (const _again of [1, 2, 3]) expect((await logIn(user.userCode.toUpperCase(), 'wrong')).status).to.equal(400);
    const refused = await logIn(user.userCode, user.password);
    expect(refused.status).to.equal(429);
    expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 300);
    expect(refused.body).to.include({ status: 429, exception: 'TooManyRequestsException', path: '/oauth/token' });
    ctx.clock.advance(300_001);
    expect((await logIn(user.userCode, user.password)).status).to.equal(200);
  });

  it('applies to one user, not to other users or issued tokens, and never counts successes', async () => {
    const [victim, other] = [await registerUser(api), await registerUser(api)];
    for (const _again of [1, 2, 3]) await logIn(victim.userCode, 'wrong');
    expect((await api.call('GET', '/api/user/me', { token: victim.token })).status).to.equal(200);
    for (let call = 0; call < 8; call += 1)
      expect((await askToken(api, { grant_type: 'client_credentials' })).status).to.equal(200);
    for (let login = 0; login < 4; login += 1)
      expect((await logIn(other.userCode, other.password)).status).to.equal(200);
  });

  it('returns 429 to an address that tries many user codes, also for correct credentials', async () => {
    for (let round = 0; round < 6; round += 1) await logIn(`guess${round}`, 'wrong');
    const refused = await logIn('guess7', 'wrong');
    expect(refused.status).to.equal(429);
    const user = await registerUser(api);
    expect((await logIn(user.userCode, user.password)).status).to.equal(429);
    ctx.clock.advance(60_001);
    expect((await logIn(user.userCode, user.password)).status).to.equal(200);
  });

  it('never rejects the client or the integration for wrong passwords of users', async () => {
    for (let round = 0; round < 8; round += 1) await logIn(`guess${round}`, 'wrong');
    expect((await askToken(api, { grant_type: 'client_credentials' })).status).to.equal(200);
    expect((await integration('streamer-password')).status).to.equal(404);
  });

  it('does not block a known user at an address for failures of others there or elsewhere', async () => {
    const user = await registerUser(api);
    expect((await logIn(user.userCode, user.password)).status).to.equal(200);
    for (let round = 0; round < 8; round += 1) await logIn(`guess${round}`, 'wrong');
    for (let round = 0; round < 8; round += 1)
      await rejection(logInFrom(user.userCode, 'wrong', `2001:db8:0:${round}::1`));
    expect((await logIn(user.userCode, user.password)).status).to.equal(200);
    const elsewhere = await rejection(logInFrom(user.userCode, user.password, '192.0.2.77'));
    expect(elsewhere).to.be.instanceOf(TooManyRequestsError);
    ctx.clock.advance(30 * 86_400_000);
    for (let round = 0; round < 6; round += 1) await logIn(`guess${round}`, 'wrong');
    expect((await logIn(user.userCode, user.password)).status).to.equal(429);
  });

  it('evaluates no more than the limit of many concurrent guesses', async () => {
    const user = await registerUser(api);
    const statuses = async (guess: (number: number) => Promise<{ status: number }>) =>
      countsOf(await Promise.all(Array.from({ length: 20 }, async (_, number) => (await guess(number)).status)));
    expect(await statuses(() => logIn(user.userCode, 'wrong'))).to.deep.equal({ 400: 3, 429: 17 });
    const client = (number: number) =>
      askToken(api, { grant_type: 'client_credentials' }, basic(api, 'web', `guess${number}`));
    expect(await statuses(client)).to.deep.equal({ 401: 6, 429: 14 });
    expect(await statuses((number) => integration(`guess${number}`))).to.deep.equal({ 401: 6, 429: 14 });
    expect(await statuses((number) => operator(`guess${number}`))).to.deep.equal({ 401: 6, 429: 14 });
    const change = () =>
      api.call('POST', '/api/user/me/password/update', {
        token: user.token,
        body: { currentPassword: 'wrong guess', newPassword: 'another horse', passwordConfirm: 'another horse' },
      });
    expect(await statuses(change)).to.deep.equal({ 400: 3, 429: 17 });
  });

  it('accepts more concurrent correct logins than the limit, and leaves no count', async () => {
    ctx.clock.advance(3_600_000);
    const user = await registerUser(api);
    const responses = await Promise.all(Array.from({ length: 7 }, () => logIn(user.userCode, user.password)));
    expect(countsOf(responses.map(({ status }) => status))).to.deep.equal({ 200: 7 });
    expect(
      await ctx.db.rows('SELECT subject FROM attempt_counts WHERE attempts > 0 AND window_ends_at > $now', {
        now: ctx.clock.now(),
      }),
    ).to.deep.equal([]);
  });

  it('returns 429 to an address that requests too many public tokens', async () => {
    ctx.limits.set(publicTokensPerMinute, 2);
    try {
      const statuses = [];
      for (const _again of [1, 2, 3]) statuses.push((await askToken(api, { grant_type: 'client_credentials' })).status);
      expect(statuses).to.deep.equal([200, 200, 429]);
    } finally {
      ctx.limits.delete(publicTokensPerMinute);
    }
  });

  it('returns 429 after wrong client credentials from an address, in header and form together, but accepts correct ones', async () => {
    const inForm = async (client_secret: string): Promise<number> => {
      const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: 'web', client_secret });
      return (await api.call('POST', '/oauth/token', { body: body.toString() })).status;
    };
    for (let round = 0; round < 3; round += 1) {
      expect(
        (await askToken(api, { grant_type: 'client_credentials' }, basic(api, 'web', `guess${round}`))).status,
      ).to.equal(401);
      expect(await inForm(`guess${round}`)).to.equal(401);
    }
    expect(await inForm('guess7')).to.equal(429);
    const { body } = await askToken(api, { grant_type: 'client_credentials' }, basic(api, 'web', 'guess8'));
    expect(body.limit).to.deep.equal({ maximum: 6, unit: 'requests', seconds: 60 });
    expect(body.message).to.match(/^Too many attempts: 6 in 1 minute are allowed\./);
    expect(await inForm(ctx.config.oauth.clients[0].secret)).to.equal(200);
    expect((await askToken(api, { grant_type: 'client_credentials' }, basic(api, 'web', 'guess7'))).status).to.equal(
      429,
    );
    expect((await askToken(api, { grant_type: 'client_credentials' })).status).to.equal(200);
  });

  it('loses its counts when their window has ended', async () => {
    const { signal } = new AbortController();
    ctx.clock.advance(3_600_001);
    await deleteEndedCounts(ctx, signal);
    await logIn('nobody', 'wrong');
    ctx.clock.advance(300_001);
    expect(await deleteEndedCounts(ctx, signal)).to.equal(2);
    expect(await ctx.db.rows('SELECT subject FROM attempt_counts')).to.have.lengthOf(1);
  });

  it('stores no user code in plain text', async () => {
    await logIn('my secret typed into the wrong field', 'x');
    const rows = await ctx.db.rows<{ subject: string }>('SELECT subject FROM attempt_counts');
    expect(rows.map(({ subject }) => subject).join()).not.to.include('secret');
  });
});

function countsOf(statuses: readonly number[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
