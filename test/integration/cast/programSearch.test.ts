import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { indexes } from '../../../shared/indexes.js';
import { type TestResponse, type TestUser, bodyOf } from '../../support/api.js';
import { addProgram, type ProgramMembers } from '../../support/cast/playoutFixture.js';
import { openStudio } from '../live/studio.js';
import { useFixture } from '../../support/fixtures.js';

describe('POST /api/public/search/cast/programs with and without a last path segment', () => {
  const studio = useFixture(openStudio);
  let ann: TestUser;
  let bob: TestUser;
  let hills: string;
  let seas: string;
  /** A word that no program of another test contains. */
  const word = `gneiss${randomBytes(4).toString('hex')}`;
  const names = new Map<string, string>();
  const path = '/api/public/search/cast/programs';

  before(async () => {
    [ann, bob] = [await studio.newPublisher({ firstName: word }), await studio.newPublisher()];
    hills = await newChannel({ name: 'Hills' }, ann);
    seas = await newChannel({ name: 'Seas', description: `deep ${word}` }, bob);
    await add('older', ann, hills, [-90, -60], { title: `Older ${word}` });
    await add('over', ann, hills, [-60, -10], { title: `Over ${word}`, tags: ['snow'] });
    await add('now', ann, hills, [-10, 10], { tags: ['Snow', 'sun'] });
    await add('break', ann, hills, [10, 20], { type: 'BREAK', title: word });
    await add('failed', ann, hills, [20, 30], { failureKey: 'cast.licenseForbids', title: word });
    await add('live', ann, hills, [30, 90], { type: 'LIVE', title: `Live ${word}`, tags: ['snow'] });
    await add('soon', bob, seas, [5, 30], { description: `about ${word}` });
    await add('later', bob, seas, [30, 60], {});
    await studio.drained();
  });

  async function newChannel(members: object, by = studio.publisher): Promise<string> {
    const response = await studio.post('/api/cast/channel', studio.aChannel(members), by.token);
    return bodyOf(201, response).channelId;
  }

  async function add(
    name: string,
    owner: TestUser,
    channelId: string,
    when: [number, number],
    members: ProgramMembers,
  ) {
    names.set(await addProgram(studio.ctx, { channelId, owner }, when, members), name);
  }

  function found(response: TestResponse): string[] {
    const { items, totalCount } = bodyOf(200, response);
    expect(totalCount).to.equal(items.length);
    return namesOf(items);
  }
  const namesOf = (items: { programId: string }[]) => items.map(({ programId }) => names.get(programId) ?? programId);
  const everybody = async (body: unknown) => found(await studio.post(path, body, studio.anybody));
  const ofAnn = (body: object = {}) => everybody({ userCode: ann.userCode, ...body });
  const past = { pastIncluded: true };

  it('returns 200 with current and future programs by start and end, without breaks and unplayable programs, filtered', async () => {
    expect(await ofAnn()).to.deep.equal(['now', 'live']);
    expect(await everybody({ channelId: seas })).to.deep.equal(['soon', 'later']);
    expect(await everybody({ userCode: 'nobody' })).to.deep.equal([]);
    expect(await ofAnn({ tags: ['snow'] })).to.deep.equal(['now', 'live']);
    expect(await ofAnn({ tags: ['snow', 'sun'], ...past })).to.deep.equal(['now']);
  });

  it('ignores the last path segment, and accepts a missing body', async () => {
    const body = { channelId: seas };
    const plain = bodyOf(200, await studio.post(path, body, studio.anybody));
    for (const segment of ['x', 'all', '20261122', '%C3%A9'])
      expect(bodyOf(200, await studio.post(`${path}/${segment}`, body, studio.anybody)), segment).to.deep.equal(plain);
    expect(bodyOf(200, await studio.post(`${path}/x`, '', studio.anybody)).items).to.not.have.length(0);
    // A byte that PostgreSQL text cannot contain, and one path segment too many.
    for (const segment of ['%00', 'x/y'])
      expect((await studio.post(`${path}/${segment}`, body, studio.anybody)).status, segment).to.equal(404);
    expect((await studio.post(path, body, '')).status).to.equal(401);
  });

  it('appends past programs, latest first, with `pastIncluded`, in pages of every size', async () => {
    const all = ['now', 'live', 'over', 'older'];
    expect(await ofAnn(past)).to.deep.equal(all);
    expect(await ofAnn({ ...past, pagination: false })).to.deep.equal(all);
    for (let pageSize = 1; pageSize <= 5; pageSize += 1) {
      for (let pageIndex = 0; pageIndex <= 4; pageIndex += 1) {
        const body = { userCode: ann.userCode, ...past, pageSize, pageIndex };
        const page = bodyOf(200, await studio.post(path, body, studio.anybody));
        const expected = all.slice(pageIndex * pageSize, (pageIndex + 1) * pageSize);
        expect(namesOf(page.items), `page ${pageIndex} of ${pageSize}`).to.deep.equal(expected);
        expect({ ...page, items: [] }).to.deep.equal({
          ...{ items: [], pageSize, pageIndex, totalCount: 4, pageCount: Math.ceil(4 / pageSize) },
        });
      }
    }
  });

  it('returns 200 with programs as a read returns them, in the caller’s time zone', async () => {
    const zone = { 'x-service-timezone': '3600000' };
    const [item] = bodyOf(200, await studio.post(path, { channelId: seas }, studio.anybody, zone)).items;
    const read = await studio.get(`/api/public/cast/program/${item.programId}`, studio.anybody, zone);
    expect(item).to.deep.equal(read.body);
    const utc = await studio.get(`/api/public/cast/program/${item.programId}`, studio.anybody);
    expect(item.startDate).to.not.deep.equal(utc.body.startDate);
  });

  it('ranks the program, then the channel and the publisher unless they are filters', async () => {
    expect(await everybody({ queryString: word })).to.deep.equal(['now', 'soon', 'later', 'live']);
    expect(await everybody({ queryString: word, channelId: hills })).to.deep.equal(['now', 'live']);
    expect(await everybody({ queryString: word, channelId: seas })).to.deep.equal(['soon']);
    expect(await ofAnn({ queryString: word })).to.deep.equal(['live']);
    expect(await ofAnn({ queryString: word, ...past })).to.deep.equal(['live', 'over', 'older']);
    expect(await everybody({ queryString: `${word.slice(0, -2)}*`, userCode: bob.userCode })).to.deep.equal([
      'soon',
      'later',
    ]);
    expect(await everybody({ queryString: word, channelId: hills, userCode: bob.userCode })).to.deep.equal([]);
  });

  it('hides failed programs and those of disabled publishers at once', async () => {
    const carl = await studio.newPublisher();
    const channelId = await newChannel({}, carl);
    await add('first', carl, channelId, [10, 20], {});
    await add('second', carl, channelId, [20, 30], {});
    await studio.drained();
    const listed = () => everybody({ channelId });
    expect(await listed()).to.deep.equal(['first', 'second']);
    await studio.ctx.db.change(
      `UPDATE cast_programs SET failure_key = 'cast.licenseForbids' WHERE title = 'Program' AND channel_id = $channelId
         AND starts_at = (SELECT min(starts_at) FROM cast_programs WHERE channel_id = $channelId)`,
      { channelId },
    );
    expect(await listed()).to.deep.equal(['second']);
    bodyOf(204, await studio.post('/api/user/me/disable', {}, carl.token));
    expect(await listed()).to.deep.equal([]);
  });

  describe('the search documents of programs', () => {
    const index = indexes.find(({ name }) => name === 'castProgram');

    it('contain the texts of program, channel and publisher', async () => {
      const channelId = await newChannel({ name: 'Alps', description: 'White', tags: ['snow'] });
      const owner = studio.publisher;
      const id = await addProgram(studio.ctx, { channelId, owner }, [10, 20], { title: 'A', tags: ['b'] });
      const now = studio.ctx.clock.now().getTime();
      const wholeSeconds = (minutes: number) => Math.floor((now + minutes * 60_000) / 1000) * 1000;
      const [document] = (await index?.document(studio.ctx, [id])) ?? [];
      expect(document).to.deep.equal({
        ...{ id, channelId, ownerId: owner.userId, visible: true, title: 'A', description: null, tags: ['b'] },
        ...{ startsAt: wholeSeconds(10), endsAt: wholeSeconds(20) },
        ...{ channelName: 'Alps', channelDescription: 'White', channelTags: ['snow'] },
        ...{ userCode: owner.userCode, firstName: 'Ada', lastName: 'Lovelace', pageTitle: null, pageDescription: null },
      });
    });

    it('leave the index 30 days after the program’s end, and a renamed channel does not mark them again', async () => {
      const channelId = await newChannel({ name: 'Old' });
      const owner = studio.publisher;
      const day = 24 * 60;
      const within = await addProgram(studio.ctx, { channelId, owner }, [-30 * day, -30 * day + 10]);
      const outside = await addProgram(studio.ctx, { channelId, owner }, [-30 * day - 10, -30 * day]);
      const marked = await addProgram(studio.ctx, { channelId, owner }, [10, 20], { type: 'BREAK' });
      const all = [within, outside, marked];
      expect(((await index?.document(studio.ctx, all)) ?? []).map(({ id }) => id)).to.deep.equal([within]);
      const before = previousId(within);
      expect(await index?.ids(studio.ctx, before, 1)).to.deep.equal([within]);
      const ids = await studio.ctx.db.transaction(
        async (tx) => (await index?.madeFrom['castChannel']?.(studio.ctx, tx, [channelId])) ?? [],
      );
      expect(ids).to.deep.equal([within]);
      await studio.drained();
      const stored = await studio.ctx.db.rows<{ id: string }>(
        'SELECT id FROM "search_documents_castProgram" WHERE id = ANY ($all::text[])',
        { all },
      );
      expect(stored).to.deep.equal([{ id: within }]);
    });
  });
});

/** The id immediately before this id. */
function previousId(id: string): string {
  const number = BigInt(`0x${id.replaceAll('-', '')}`) - 1n;
  const digits = number.toString(16).padStart(32, '0');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
