import { expect } from 'chai';
import { countOf, openCrowded } from '../support/crowd.js';
import { useFixture } from '../support/fixtures.js';
import { basic } from '../support/api.js';
import { createLoggedInUser } from '../support/users.js';

describe('One web process under a crowd of account requests', function () {
  this.timeout(60_000);
  const crowded = useFixture(openCrowded);

  /** Resolves with status and refresh token of the response. */
  async function refresh(refreshToken: string): Promise<{ status: number; next: string; access: string }> {
    const response = await fetch(`${crowded.api.url}/oauth/token`, {
      method: 'POST',
      headers: { authorization: basic(crowded.api) },
      body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken }),
    });
    const { refresh_token: next = '', access_token: access = '' } = (await response.json()) as Record<string, string>;
    return { status: response.status, next, access };
  }
  const post = async (path: string, token: string, body: object): Promise<number> => {
    const response = await fetch(`${crowded.api.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
    await response.text();
    return response.status;
  };
  const rowsOf = async (sql: string, values: Record<string, unknown> = {}): Promise<number> =>
    (await crowded.ctx.db.rows(sql, values)).length;

  it('continues one chain of tokens after 60 simultaneous exchanges of one refresh token and of all successors', async () => {
    const { refreshToken, userId } = await createLoggedInUser(crowded.ctx);
    const successors: string[] = [];
    const exchanges = await crowded.withCrowd(async () => {
      const { status, next } = await refresh(refreshToken);
      if (status === 200) successors.push(next);
      return status;
    }, 60);
    // A family keeps 20 tokens: the first one is forgotten after 20 exchanges.
    expect(countOf(exchanges, 200)).to.be.within(10, 20);
    const statuses = await crowded.withCrowd(
      async (number) => (await refresh(successors[number] ?? '')).status,
      successors.length,
    );
    expect(countOf(statuses, 200)).to.equal(1);
    const alive = `SELECT 1 FROM refresh_tokens r JOIN token_families f ON f.id = r.family_id
                    WHERE f.user_id = $userId AND r.replaced_at IS NULL AND r.ended_at IS NULL`;
    expect(await rowsOf(alive, { userId })).to.equal(1);
  });

  it('stores no more rows than the maximum for 120 rejected refresh tokens, and accepts the correct one', async () => {
    const { refreshToken } = await createLoggedInUser(crowded.ctx);
    const statuses = await crowded.withCrowd(async (number) => (await refresh(`none-${number}`)).status, 120);
    expect(countOf(statuses, 401) + countOf(statuses, 429)).to.equal(120);
    expect(countOf(statuses, 429)).to.be.at.least(60);
    expect(await rowsOf("SELECT 1 FROM attempt_counts WHERE subject LIKE 'refused:%'")).to.be.at.most(60);
    expect((await refresh(refreshToken)).status).to.equal(200);
  });

  it('sends no more mails than the maximum for 60 changes of one e-mail address', async () => {
    const { token, userId } = await createLoggedInUser(crowded.ctx);
    const profile = { firstName: 'Ada', lastName: 'Byron', birthDate: '10/12/1985' };
    const statuses = await crowded.withCrowd(
      (number) => post('/api/user/me', token, { profile: { ...profile, email: `crowd${number}@example.org` } }),
      60,
    );
    expect([countOf(statuses, 200), countOf(statuses, 429)]).to.deep.equal([5, 55]);
    expect(await rowsOf('SELECT 1 FROM email_changes WHERE user_id = $userId', { userId })).to.equal(5);
  });

  it('sends no more mails than the maximum for 60 password renewals of one account', async () => {
    const { userCode } = await createLoggedInUser(crowded.ctx);
    const body = { userCode, confirmationUrl: 'https://example.org/?t=${token}' };
    const statuses = await crowded.withCrowd(() => post('/api/public/user/password/renew', crowded.token, body), 60);
    expect(countOf(statuses, 200)).to.be.at.most(5);
    expect(countOf(statuses, 200) + countOf(statuses, 429)).to.equal(60);
  });
});
