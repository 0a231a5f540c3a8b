import { expect } from 'chai';
import { publicToken, registerUser, type TestUser } from '../../support/api.js';
import { seedBoxItem, type SeedOptions } from '../../support/contents.js';
import { drainSearch } from '../../support/drainSearch.js';
import { bodyOf } from '../../support/responses.js';
import { changeRow } from '../../support/rows.js';
import { User } from '../../../shared/user/user.model.js';
import { VodItem } from '../../../shared/vod/vod.model.js';
import { serviceFixture } from '../../support/service.js';

describe('POST /api/search/vod/contents and /api/public/search/vod/contents', () => {
  const { ctx, api } = serviceFixture({});
  let ann: TestUser;
  let bob: TestUser;
  let shy: TestUser;
  let anybody: string;
  const ids = new Map<string, string>();

  before(async () => {
    [ann, bob, shy] = await Promise.all([
      registerUser(api, { firstName: 'Snow' }),
      registerUser(api),
      registerUser(api),
    ]);
    anybody = await publicToken(api);
    await add('a1', ann, { title: 'Mountain river', tags: ['water', 'nature'] }, { licenseType: 'FREE' });
    await add('a2', ann, { title: 'Hidden river', tags: ['water'] }, { licenseType: 'FREE', public: false });
    const lights = { title: 'City lights', description: 'A river of cars', tags: ['town'] };
    await add('b1', bob, lights, { licenseType: 'CREATIVE_COMMONS', ccType: 'BY' });
    await add('b2', bob, { title: 'Snow', tags: ['nature'] }, { licenseType: 'CREATIVE_COMMONS', ccType: 'BY_SA' });
    await add('s1', shy, { title: 'Shy river' }, { licenseType: 'FREE' });
    await ctx.db.transaction(async (tx) => {
      await changeRow(ctx, User, shy.userId, { vodPublic: false }, tx);
      await ctx.search.markDirty(tx, 'user', shy.userId);
    });
    await drained();
  });

  async function add(name: string, owner: TestUser, item: SeedOptions, conditions: object): Promise<void> {
    ctx.clock.advance(1000);
    const { boxId } = await seedBoxItem(ctx, owner.userId, item);
    const { vodId } = bodyOf(
      201,
      await api.call('POST', `/api/box/${boxId}/vod`, { token: owner.token, body: conditions }),
    );
    ids.set(vodId, name);
  }

  const drained = () => drainSearch(ctx);

  async function find(body: object, token?: string): Promise<string[]> {
    const path = token ? '/api/search/vod/contents' : '/api/public/search/vod/contents';
    const response = await api.call('POST', path, { token: token ?? anybody, body });
    expect(response.status, response.text).to.equal(200);
    return response.body.items.map(({ vodId }: { vodId: string }) => ids.get(vodId));
  }

  it('returns 200 in public with public items of publishers with `vodPublic`, newest first', async () => {
    expect(await find({ pageSize: 10, pageIndex: 0 })).to.deep.equal(['b2', 'b1', 'a1']);
  });

  it('returns 200 to the owner with all items, or filtered by `public`', async () => {
    expect(await find({}, ann.token)).to.deep.equal(['a2', 'a1']);
    expect(await find({ public: false }, ann.token)).to.deep.equal(['a2']);
    expect(await find({ public: 'true' }, ann.token)).to.deep.equal(['a1']);
    expect(await find({}, shy.token)).to.deep.equal(['s1']);
  });

  it('returns 200 with pages', async () => {
    const { body } = await api.call('POST', '/api/public/search/vod/contents', {
      token: anybody,
      body: { pageSize: 2, pageIndex: 1 },
    });
    expect(body).to.include({ pageSize: 2, pageIndex: 1, totalCount: 3, pageCount: 2 });
    expect(body.items.map(({ vodId }: { vodId: string }) => ids.get(vodId))).to.deep.equal(['a1']);
  });

  it('ranks matches in the title before those in description and tags', async () => {
    expect(await find({ queryString: 'river' })).to.deep.equal(['a1', 'b1']);
    expect(await find({ queryString: 'moun*' })).to.deep.equal(['a1']);
    expect(await find({ queryString: 'town' })).to.deep.equal(['b1']);
    expect(await find({ queryString: 'river' }, ann.token)).to.have.members(['a1', 'a2']);
  });

  it('ranks matches in the publisher last, and ignores them with `userCode`', async () => {
    expect(await find({ queryString: 'snow' })).to.deep.equal(['b2', 'a1']);
    expect(await find({ queryString: 'snow', userCode: ann.userCode })).to.deep.equal([]);
    expect(await find({ queryString: 'snow', userCode: bob.userCode })).to.deep.equal(['b2']);
    expect(await find({ queryString: ann.userCode }, ann.token)).to.deep.equal([]);
  });

  it('filters by publisher (case-insensitively), tags and conditions', async () => {
    expect(await find({ userCode: bob.userCode.toUpperCase() })).to.deep.equal(['b2', 'b1']);
    expect(await find({ userCode: shy.userCode })).to.deep.equal([]);
    expect(await find({ userCode: 'nobody' })).to.deep.equal([]);
    expect(await find({ userCode: '' })).to.have.lengthOf(3);
    expect(await find({ tags: ['nature'] })).to.deep.equal(['b2', 'a1']);
    expect(await find({ tags: ['nature', 'water'] })).to.deep.equal(['a1']);
    expect(await find({ conditions: { licenseType: 'FREE' } })).to.deep.equal(['a1']);
    expect(await find({ conditions: { licenseType: 'CREATIVE_COMMONS' } })).to.deep.equal(['b2', 'b1']);
    const by = { conditions: { licenseType: 'CREATIVE_COMMONS', ccType: 'BY' } };
    for (const token of [undefined, bob.token]) expect(await find(by, token)).to.deep.equal(['b1']);
    const bundleId = '00000000-0000-4000-8000-000000000000';
    expect(await find({ conditions: { licenseType: 'CONTENT_BUNDLE', bundleId } })).to.deep.equal([]);
    expect(await find({ conditions: {} })).to.have.lengthOf(3);
  });

  it('returns 400 for a dependent filter without its license type, or with another one', async () => {
    const refused: readonly [object, string][] = [
      [{ ccType: 'BY' }, 'conditions.ccType'],
      [{ licenseType: 'FREE', ccType: 'BY' }, 'conditions.ccType'],
      [{ licenseType: 'CREATIVE_COMMONS', ccType: 'CC0' }, 'conditions.ccType'],
      [{ bundleId: '00000000-0000-4000-8000-000000000000' }, 'conditions.bundleId'],
      [{ licenseType: 'CREATIVE_COMMONS', bundleId: '00000000-0000-4000-8000-000000000000' }, 'conditions.bundleId'],
      [{ licenseType: 'GRATIS' }, 'conditions.licenseType'],
    ];
    for (const [conditions, field] of refused)
      for (const [path, token] of [
        ['/api/search/vod/contents', ann.token],
        ['/api/public/search/vod/contents', anybody],
      ] as const) {
        const { errors } = bodyOf(400, await api.call('POST', path, { token, body: { conditions } }));
        expect(
          errors.map((error: { field: string }) => error.field),
          JSON.stringify(conditions),
        ).to.deep.equal([field]);
      }
  });

  it('returns only items that the rows permit, also if the index is outdated', async () => {
    await add('e', bob, { title: 'Ephemeral' }, { licenseType: 'FREE' });
    const [vodId = ''] = [...ids].find(([, name]) => name === 'e') ?? [];
    await drained();
    expect(await find({ queryString: 'ephemeral' })).to.deep.equal(['e']);
    await changeRow(ctx, VodItem, vodId, { public: false });
    expect(await find({ queryString: 'ephemeral' })).to.deep.equal([]);
    expect((await api.call('DELETE', `/api/vod/${vodId}`, { token: bob.token })).status).to.equal(204);
    await drained();
    expect(await find({ queryString: 'ephemeral' }, bob.token)).to.deep.equal([]);
  });
});
