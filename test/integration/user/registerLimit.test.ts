import { expect } from 'chai';
import { publicToken, registration, startApi } from '../../support/api.js';
import { openTestContext } from '../../support/context.js';
import { registrationsPerHour } from '../../../shared/user/accountAttempts.js';

describe('POST /api/public/user/register, limit of one address', () => {
  it('429: counts registrations of an hour, also of taken names and at the same time; unreadable requests do not count', async () => {
    const ctx = await openTestContext({}, { limits: [[registrationsPerHour, 4]] });
    const api = await startApi(ctx);
    try {
      const register = async (body: Record<string, unknown> = registration()) =>
        api.call('POST', '/api/public/user/register', { token: await publicToken(api), body });
      expect((await register({})).status).to.equal(400);
      const first = registration();
      expect((await register(first)).status).to.equal(201);
      expect((await register(first)).status).to.equal(400);
      const responses = await Promise.all([1, 2, 3, 4, 5].map(() => register()));
      expect(responses.map(({ status }) => status)).to.have.members([201, 201, 429, 429, 429]);
      const { headers, body } = responses.find(({ status }) => status === 429)!;
      expect(Number(headers.get('retry-after'))).to.be.within(1, 3600);
      expect(body).to.include({ status: 429, exception: 'TooManyRequestsException' });
      ctx.clock.advance(3_600_001);
      expect((await register()).status).to.equal(201);
    } finally {
      await api.close();
      await ctx.close();
    }
  });
});
