import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { askToken, basic, registration } from '../support/api.js';
import { countOf, openCrowded } from '../support/crowd.js';
import { holdConnection } from '../support/rawRequest.js';
import { useFixture } from '../support/fixtures.js';

/** Duration for which bodies are held open while other requests must be served. */
const heldMs = 3_000;

describe('One web process under a crowd of requests', function () {
  this.timeout(60_000);
  const crowded = useFixture(openCrowded);

  it('evaluates few of 120 simultaneous wrong logins and rejects the others', async () => {
    const { api } = crowded;
    const logIn = async (number: number) =>
      (await askToken(api, { grant_type: 'password', username: `guess${number}`, password: 'wrong' })).status;
    const statuses = await crowded.withCrowd(logIn, 120);
    expect(countOf(statuses, 400)).to.be.within(2, 60);
    expect(countOf(statuses, 400) + countOf(statuses, 429)).to.equal(120);
  });

  it('serves 120 simultaneous readers of the API description', async () => {
    const { api } = crowded;
    const statuses = await crowded.withCrowd(async () => (await fetch(`${api.url}/openapi.json`)).status, 120);
    expect(countOf(statuses, 200)).to.equal(120);
  });

  it('serves other requests while 300 bodies without a token are held open', async () => {
    const { api } = crowded;
    const kinds = [
      ['POST /webhooks/sandbox HTTP/1.1'],
      ['POST /webhooks/none HTTP/1.1'],
      ['POST /oauth/token HTTP/1.1', `Authorization: ${basic(api)}`],
    ] as const;
    const statuses = await crowded.withCrowd(async (number) => {
      const head = [...(kinds[number % kinds.length] ?? []), 'Content-Length: 50000'];
      const connection = await holdConnection(api, head, '{');
      await sleep(heldMs);
      connection.destroy();
      return connection.closed();
    }, 300);
    expect(countOf(statuses, 404)).to.equal(100);
    expect(countOf(statuses, 429)).to.be.within(1, 50);
    expect(countOf(statuses, 0) + countOf(statuses, 429)).to.equal(200);
  });

  it('rejects 60 simultaneous bodies with 70,000 members', async () => {
    const { api, token } = crowded;
    const body = `{${Array.from({ length: 70_000 }, (_, number) => `"m${number}":1`).join()}}`;
    const search = async (): Promise<number> =>
      (await api.call('POST', '/api/public/search/vod/contents', { token, body })).status;
    const statuses = await crowded.withCrowd(search, 60);
    expect(countOf(statuses, 400)).to.equal(60);
  });

  it('limits 120 simultaneous registrations', async () => {
    const { api, token } = crowded;
    const register = async (): Promise<number> =>
      (await api.call('POST', '/api/public/user/register', { token, body: registration() })).status;
    const statuses = await crowded.withCrowd(register, 120);
    expect(countOf(statuses, 201)).to.be.within(2, 118);
    expect(countOf(statuses, 201) + countOf(statuses, 429)).to.equal(120);
    const hashed = await crowded.ctx.db.rows("SELECT FROM users WHERE password_hash LIKE 'scrypt$16384$8$5$%'");
    expect(hashed, 'hashed with the usual cost').to.have.length(countOf(statuses, 201));
  });
});
