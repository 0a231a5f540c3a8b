import { expect } from 'chai';
import { startApi, type TestApi } from '../../support/api.js';
import { openTestContext, type TestContext } from '../../support/context.js';
import { drainSearch } from '../../support/drainSearch.js';
import { bodyOf } from '../../support/responses.js';
import { openStudio, type Studio } from '../live/studio.js';
import { startFakeMeilisearch, type FakeMeilisearch } from '../search/fakeMeilisearch.js';
import { castItem, castKinds } from './castItems.js';

/** `search.test.ts` searches only PostgreSQL. */
describe('searches of cast channels and streams with Meilisearch', () => {
  let server: FakeMeilisearch;
  let ctx: TestContext;
  let api: TestApi;
  let studio: Studio;

  before(async () => {
    server = await startFakeMeilisearch();
    ctx = await openTestContext({ MEILI_URL: server.url, MEILI_API_KEY: 'a-secret-key' });
    api = await startApi(ctx);
    studio = await openStudio({ ctx, api });
  });
  after(async () => {
    await api?.close();
    await ctx?.close();
    await server?.close();
  });

  it('match words in Meilisearch, and the same words in PostgreSQL while Meilisearch is down', async () => {
    const searches = await Promise.all(
      castKinds.map(async (kind) => {
        const named = await castItem(studio, kind, { name: 'Alps', description: 'all about schist' });
        await castItem(studio, kind, { name: 'Bees' });
        return { path: kind.search, token: studio.publisher.token, member: kind.idMember, found: named };
      }),
    );
    const [ofChannels] = searches;
    if (ofChannels) searches.push({ ...ofChannels, path: '/api/public/search/cast/channels', token: studio.anybody });
    await drainSearch(ctx);
    // The state of index builds is cached for some seconds.
    ctx.clock.advance(6_000);
    const expectFound = async () => {
      for (const { path, token, member, found } of searches) {
        const { items, totalCount } = bodyOf(200, await studio.post(path, { queryString: 'schist' }, token));
        const ids = items.map((item: Record<string, string>) => item[member]);
        expect({ ids, totalCount }, path).to.deep.equal({ ids: [found], totalCount: 1 });
      }
    };
    await expectFound();
    expect(server.searches).to.equal(searches.length);
    await server.close();
    await expectFound();
    expect(server.searches).to.equal(searches.length);
  });
});
