import { expect } from 'chai';
import { askToken } from '../support/api.js';
import { countOf, openCrowded, type Crowded } from '../support/crowd.js';

describe('A crowd at one web process', function () {
  this.timeout(60_000);
  let crowded: Crowded;
  before(async () => {
    crowded = await openCrowded();
  });
  after(() => crowded?.close());

  it('120 wrong logins at once: few are evaluated, the others are rejected', async () => {
    const { api } = crowded;
    const logIn = async (number: number) =>
      (await askToken(api, { grant_type: 'password', username: `guess${number}`, password: 'wrong' })).status;
    const { statuses } = await crowded.withCrowd(logIn, 120);
    expect(countOf(statuses, 400)).to.be.within(2, 60);
    expect(countOf(statuses, 400) + countOf(statuses, 429)).to.equal(120);
  });

  it('120 readers of the API description at once', async () => {
    const { api } = crowded;
    const { statuses } = await crowded.withCrowd(async () => (await fetch(`${api.url}/openapi.json`)).status, 120);
    expect(countOf(statuses, 200)).to.equal(120);
  });
});
