import { expect } from 'chai';
import { publicToken, type TestResponse } from '../../support/api.js';
import { countOf } from '../../support/crowd.js';
import { eventually } from '../../support/eventually.js';
import { bodyOf } from '../../support/responses.js';
import { serviceFixture } from '../../support/service.js';
import { createLoggedInUser } from '../../support/users.js';
import { useFixture } from '../../support/fixtures.js';

describe('many concurrent searches of one caller', () => {
  const { api } = serviceFixture();
  const user = useFixture(() => createLoggedInUser(api.ctx));
  let anybody: string;

  before(async () => {
    anybody = await publicToken(api);
  });

  const search = (token: string, path: string) => api.call('POST', path, { token, body: { pageSize: 1 } });
  const programs = '/api/public/search/cast/programs';

  it('return 429 with Retry-After above the caller’s share, while other callers are served', async () => {
    const { db } = api.ctx;
    bodyOf(200, await search(anybody, programs));
    const refused: TestResponse[] = [];
    let crowd: Promise<TestResponse>[] = [];
    await db.transaction(async (tx) => {
      // The lock makes the searches of this caller slow.
      await db.rows('LOCK TABLE "search_documents_castProgram" IN ACCESS EXCLUSIVE MODE', {}, tx);
      crowd = Array.from({ length: 200 }, async () => {
        const response = await search(anybody, programs);
        if (response.status === 429) refused.push(response);
        return response;
      });
      await eventually(() => expect(refused.length).to.be.at.least(90));
      for (const path of ['/api/public/search/vod/contents', '/api/search/box/contents'])
        bodyOf(200, await search(user.token, path));
    });
    for (const { headers } of refused) expect(Number(headers.get('retry-after'))).to.be.above(0);
    // A search that times out returns 503.
    const statuses = (await Promise.all(crowd)).map(({ status }) => status);
    expect(countOf(statuses, 200) + countOf(statuses, 503)).to.be.at.least(100);
    expect(statuses.filter((status) => ![200, 429, 503].includes(status))).to.deep.equal([]);
    bodyOf(200, await search(anybody, programs));
  });
});
