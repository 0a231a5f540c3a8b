import { expect } from 'chai';
import { publicToken, registerUser, type TestUser } from '../../support/api.js';
import { drainSearch } from '../../support/rows.js';
import { eventually } from '../../support/eventually.js';
import { setQuota } from '../../support/licenses.js';
import { serviceFixture } from '../../support/fixtures.js';

describe('POST /api/public/search/users', () => {
  const { ctx, api } = serviceFixture({});
  let anybody: string;
  let ada: TestUser;
  let zoe: TestUser;
  let bob: TestUser;

  before(async () => {
    anybody = await publicToken(api);
    ada = await registerUser(api, { userCode: 'ada.videos', firstName: 'Augusta', lastName: 'King' });
    zoe = await registerUser(api, { userCode: 'Zoey', firstName: 'Zoe', lastName: 'Noether' });
    ctx.clock.advance(60_000);
    bob = await registerUser(api, { userCode: 'bobby', firstName: 'Bob', lastName: 'Curie' });
    await page(ada, { pageTitle: 'Mountain rivers', pageDescription: 'Water, mostly' });
    await page(bob, { pageTitle: 'Zoe’s garden' });
    await drained();
  });

  const drained = () => drainSearch(ctx);
  async function page(user: TestUser, texts: object): Promise<void> {
    const { body } = await api.call('GET', '/api/user/me', { token: user.token });
    const profile = { ...body.profile, ...texts };
    expect((await api.call('POST', '/api/user/me', { token: user.token, body: { profile } })).status).to.equal(200);
  }
  const search = (body: object, token = anybody) => api.call('POST', '/api/public/search/users', { token, body });
  const find = async (queryString?: string): Promise<string[]> =>
    (await search(queryString === undefined ? {} : { queryString })).body.items.map(
      ({ userCode }: { userCode: string }) => userCode,
    );

  it('200: sorts by last activity, then by user code', async () => {
    expect(await find()).to.deep.equal(['bobby', 'ada.videos', 'Zoey']);
  });

  it('200: returns the members of the contract, and no others', async () => {
    const { body } = await search({ queryString: 'ada.videos' });
    expect(body).to.deep.equal({
      items: [
        {
          userCode: 'ada.videos',
          licenseExpired: false,
          pageTitle: 'Mountain rivers',
          pageDescription: 'Water, mostly',
        },
      ],
      pageSize: 20,
      pageIndex: 0,
      totalCount: 1,
      pageCount: 1,
    });
  });

  it('200: matches words of code, name and page, and of no other members', async () => {
    for (const [text, found] of [
      ...['VIDEOS', 'augusta', 'King', 'rivers', 'water'].map((word) => [word, ['ada.videos']] as const),
      ['nöether', ['Zoey']],
      ['zoe', ['Zoey', 'bobby']],
      ['bob*', ['bobby']],
      ...['example.org', '1985', 'nobody'].map((word) => [word, []] as const),
    ] as const)
      expect(await find(text), text).to.deep.equal(found);
  });

  it('200: shows an expired license from the moment of its expiry', async () => {
    await setQuota(ctx, zoe.userId, { planId: 2, expiresAt: new Date(ctx.clock.now().getTime() + 1000) });
    const expired = async () => (await search({ queryString: 'noether' })).body.items[0].licenseExpired;
    expect(await expired()).to.equal(false);
    ctx.clock.advance(1000);
    expect(await expired()).to.equal(true);
  });

  it('records activity once per hour, and updates only the user’s search document', async () => {
    ctx.clock.advance(3_599_000);
    await Promise.all([1, 2, 3].map(() => api.call('GET', '/api/user/me', { token: zoe.token })));
    ctx.clock.advance(2_000);
    await ctx.db.change('CREATE TABLE marked AS SELECT DISTINCT index_name FROM search_marks');
    await ctx.db.change(
      `CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN INSERT INTO marked VALUES (NEW.index_name); RETURN NEW; END';`,
    );
    await ctx.db.change(
      'CREATE TRIGGER noted AFTER INSERT OR UPDATE ON search_marks FOR EACH ROW EXECUTE FUNCTION note()',
    );
    await Promise.all(Array.from({ length: 5 }, () => api.call('GET', '/api/user/me', { token: zoe.token })));
    await eventually(async () => {
      await drained();
      expect(await find()).to.deep.equal(['Zoey', 'bobby', 'ada.videos']);
    });
    expect(await ctx.db.rows('SELECT DISTINCT index_name FROM marked')).to.deep.equal([{ indexName: 'user' }]);
  });

  it('200: hides disabled users and users who are not activated', async () => {
    await registerUser(api, { userCode: 'later', activationUrl: 'https://example.org/${token}' }).catch(
      () => undefined,
    );
    const bye = await registerUser(api, { userCode: 'goodbye' });
    await drained();
    expect(await find('goodbye')).to.deep.equal(['goodbye']);
    expect(await find('later')).to.deep.equal([]);
    await api.call('POST', '/api/user/me/disable', { token: bye.token });
    expect(await find('goodbye')).to.deep.equal([]);
    await drained();
    expect((await search({ queryString: 'goodbye' })).body.totalCount).to.equal(0);
  });
});
