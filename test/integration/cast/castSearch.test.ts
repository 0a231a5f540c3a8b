import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { type TestResponse, type TestUser, bodyOf } from '../../support/api.js';
import { useFixture } from '../../support/fixtures.js';
import { indexes } from '../../../shared/indexes.js';
import { openStudio, type Studio } from '../live/studio.js';
import { castItem, castKinds, channelKind, streamKind, type CastKind } from './castItems.js';

/** Ids of items of two publishers by short name. The word occurs in no item of another test. */
async function openItems(studio: Studio, kind: CastKind) {
  const word = `quartz${randomBytes(4).toString('hex')}`;
  const names = new Map<string, string>();
  const [ann, bob] = [await studio.newPublisher({ firstName: word }), await studio.newPublisher()];
  const add = async (name: string, owner: TestUser, members: object) => {
    names.set(await castItem(studio, kind, members, owner), name);
  };
  await add('zebra', ann, { name: 'Zebra', tags: ['Nature', 'snow'] });
  await add('ape', ann, { name: 'ape', tags: ['nature'] });
  await add('named', bob, { name: `Bee ${word}` });
  await add('described', bob, { name: 'Bear', description: `all about ${word}` });
  await add('tagged', bob, { name: 'Ant', tags: [word] });
  await studio.drained();
  const found = async (response: Promise<TestResponse>): Promise<string[]> => {
    const { items, totalCount } = bodyOf(200, await response);
    expect(totalCount).to.equal(items.length);
    return items.map((item: Record<string, string>) => names.get(item[kind.idMember] ?? '') ?? 'another');
  };
  const own = (body: unknown, by: TestUser) => found(studio.post(kind.search, body, by.token));
  return { word, names, ann, bob, found, own };
}

describe('cast items in searches', () => {
  const studio = useFixture(() => openStudio());

  for (const kind of castKinds) {
    describe(`POST ${kind.search}`, () => {
      const opened = useFixture(() => openItems(studio, kind));

      it('returns 200 with the caller’s own items by name, case-insensitively, filtered by all tags, also without a body', async () => {
        const { own, ann, bob } = opened;
        expect(await own('', bob)).to.deep.equal(['tagged', 'described', 'named']);
        expect(await own({}, studio.viewer)).to.deep.equal([]);
        for (const body of [{}, { tags: ['nature'] }]) expect(await own(body, ann)).to.deep.equal(['ape', 'zebra']);
        expect(await own({ tags: ['nature', 'snow'] }, ann)).to.deep.equal(['zebra']);
      });

      it('returns 200 with items as a read returns them, in pages', async () => {
        const { ann } = opened;
        const page = bodyOf(200, await studio.post(kind.search, { pageSize: 1, pageIndex: 1 }, ann.token));
        const [item] = page.items;
        const expected = { items: [], pageSize: 1, pageIndex: 1, totalCount: 2, pageCount: 2 };
        expect({ ...page, items: [] }).to.deep.equal(expected);
        const read = await studio.get(`${kind.path}/${item[kind.idMember]}`, ann.token);
        expect(item).to.deep.equal(read.body);
      });

      it('200: ranks matches in the name, then description and tags, and ignores the publisher', async () => {
        const { own, ann, bob, word } = opened;
        expect(await own({ queryString: word }, bob)).to.deep.equal(['named', 'described', 'tagged']);
        expect(await own({ queryString: word }, ann)).to.deep.equal([]);
      });

      it('200: shows changes to the owner before any drain', async () => {
        const { own, word } = opened;
        const carl = await studio.newPublisher();
        const sent = studio.aChannel({ name: `First ${word}` });
        const id = await castItem(studio, kind, sent, carl);
        opened.names.set(id, 'first');
        expect(await own({ queryString: word }, carl)).to.deep.equal(['first']);
        bodyOf(200, await studio.post(`${kind.path}/${id}`, { ...sent, name: 'Second' }, carl.token));
        expect(await own({ queryString: word }, carl)).to.deep.equal([]);
        expect(await own({ queryString: 'second' }, carl)).to.deep.equal(['first']);
        bodyOf(204, await studio.remove(`${kind.path}/${id}`, carl.token));
        expect(await own({}, carl)).to.deep.equal([]);
      });
    });
  }

  describe('POST /api/public/search/cast/channels', () => {
    const opened = useFixture(() => openItems(studio, channelKind));

    const search = (body: unknown) => studio.post('/api/public/search/cast/channels', body, studio.anybody);
    const everybody = (body: unknown) => opened.found(search(body));

    it('returns 200 with channels as a public read returns them', async () => {
      const [item] = bodyOf(200, await search({ userCode: opened.ann.userCode })).items;
      const read = await studio.get(`/api/public/cast/channel/${item.channelId}`, studio.anybody);
      expect(item).to.deep.equal(read.body);
    });

    it('200: ranks matches in the channel before matches in the publisher, unless it is a filter', async () => {
      const { ann, word } = opened;
      expect(await everybody({ userCode: ann.userCode.toUpperCase() })).to.deep.equal(['ape', 'zebra']);
      expect(await everybody({ userCode: ann.userCode, queryString: word })).to.deep.equal([]);
      expect(await everybody({ userCode: 'nobody' })).to.deep.equal([]);
      expect(await everybody({ queryString: word })).to.deep.equal(['named', 'described', 'tagged', 'ape', 'zebra']);
      expect(await everybody({ queryString: `${word.slice(0, -2)}*`, tags: ['snow'] })).to.deep.equal(['zebra']);
    });

    it('200: hides deleted channels and those of a disabled publisher at once', async () => {
      const carl = await studio.newPublisher();
      const [first, second] = [
        await castItem(studio, channelKind, {}, carl),
        await castItem(studio, channelKind, {}, carl),
      ];
      const idsOf = async () =>
        bodyOf(200, await search({ userCode: carl.userCode })).items.map(
          ({ channelId }: { channelId: string }) => channelId,
        );
      await studio.drained();
      expect(await idsOf()).to.have.members([first, second]);
      bodyOf(204, await studio.remove(`/api/cast/channel/${first}`, carl.token));
      expect(await idsOf()).to.deep.equal([second]);
      bodyOf(204, await studio.post('/api/user/me/disable', {}, carl.token));
      expect(await idsOf()).to.deep.equal([]);
    });
  });

  /** The digests of stored documents depend on these members and values: after a change, the drift sweep writes all documents. */
  describe('the search documents of cast channels and streams', () => {
    it('contain the texts of the item, and for a channel those of its publisher', async () => {
      const { userId: ownerId, userCode } = studio.publisher;
      const publisher = { userCode, firstName: 'Ada', lastName: 'Lovelace', pageTitle: null, pageDescription: null };
      for (const [name, kind, members] of [
        ['castChannel', channelKind, { visible: true, ...publisher }],
        ['castStream', streamKind, {}],
      ] as const) {
        const id = await castItem(studio, kind, { name: 'Alps', tags: ['snow'] });
        const document = await indexes.find((index) => index.name === name)?.document(studio.ctx, [id]);
        expect(document).to.deep.equal([{ id, ownerId, name: 'Alps', description: null, tags: ['snow'], ...members }]);
      }
    });
  });
});
