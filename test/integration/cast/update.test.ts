import { expect } from 'chai';
import { addProgram } from '../../support/cast/programRows.js';
import { bodyOf, rejectedFields } from '../../support/responses.js';
import { castItem, castKinds, channelKind, studioOfFile } from './castItems.js';
import { useFixture } from '../../support/fixtures.js';

const castStudio = studioOfFile();

for (const kind of castKinds) {
  /** Returns 400 in the same cases as a creation. */
  describe(`POST ${kind.path}/{${kind.idMember}}`, () => {
    const studio = useFixture(castStudio);

    const update = (id: string, body: object, token?: string) => studio.post(`${kind.path}/${id}`, body, token);

    it('200: empties omitted members', async () => {
      const sent = studio.aChannel({ description: 'Snow', tags: ['a'], thumbnailId: await studio.thumbnail() });
      const id = await castItem(studio, kind, sent);
      const changed = bodyOf(200, await update(id, { name: 'Sea', streamPath: sent['streamPath'] }));
      expect(changed).to.include({ [kind.idMember]: id, name: 'Sea', streamPath: sent['streamPath'] });
      expect(changed).to.not.have.any.keys('description', 'tags', 'thumbnailId');
      expect((await studio.get(`${kind.path}/${id}`)).body).to.deep.equal(changed);
    });

    it('200: without name or path, changes only the members sent', async () => {
      const sent = studio.aChannel({ description: 'Snow', tags: ['a'], thumbnailId: await studio.thumbnail() });
      const id = await castItem(studio, kind, sent);
      expect(bodyOf(200, await update(id, { name: 'Sea' }))).to.deep.include({ ...sent, name: 'Sea' });
      expect(bodyOf(200, await update(id, { tags: ['b'] }))).to.deep.include({ ...sent, name: 'Sea', tags: ['b'] });
      const emptied = bodyOf(200, await update(id, { thumbnailId: '', description: '' }));
      expect(emptied).to.not.have.any.keys('description', 'thumbnailId');
      expect(emptied).to.deep.include({ name: 'Sea', streamPath: sent['streamPath'], tags: ['b'] });
    });

    it('200: accepts a complete item as read', async () => {
      const body = bodyOf(
        201,
        await studio.post(kind.path, studio.aChannel({ description: 'Snow', tags: ['a', 'b'] })),
      );
      expect(bodyOf(200, await update(body[kind.idMember], body))).to.deep.equal(body);
    });

    it('200: frees the old path when the path changes', async () => {
      const [first, second] = [studio.aChannel(), studio.aChannel()];
      const id = await castItem(studio, kind, first);
      expect(bodyOf(200, await update(id, second)).streamPath).to.equal(second['streamPath']);
      await castItem(studio, kind, first);
    });

    it('returns 400 for the same members as a creation, and changes nothing', async () => {
      const id = await castItem(studio, kind);
      const before = (await studio.get(`${kind.path}/${id}`)).body;
      const response = await update(id, { name: ' ', streamPath: '/' });
      expect(rejectedFields(response)).to.deep.equal(['name blank', 'streamPath streamPathForm']);
      expect((await studio.get(`${kind.path}/${id}`)).body).to.deep.equal(before);
    });

    it('returns 404 for another user’s item, and changes nothing', async () => {
      const id = await castItem(studio, kind);
      bodyOf(404, await update(id, studio.aChannel({ name: 'Mine' }), studio.viewer.token));
      expect((await studio.get(`${kind.path}/${id}`)).body.name).to.not.equal('Mine');
    });

    it('returns 409 for a path in use', async () => {
      const taken = studio.aChannel();
      await castItem(studio, kind, taken);
      const error = bodyOf(409, await update(await castItem(studio, kind), taken));
      expect(error.exception).to.equal('DataIntegrityViolationException');
    });
  });
}

describe('POST /api/cast/channel/{channelId} of a channel on air', () => {
  it('200: keeps its programs', async () => {
    const studio = await castStudio();
    const channelId = await castItem(studio, channelKind);
    const programId = await addProgram(studio.ctx, { channelId, owner: studio.publisher }, [-1, 1]);
    expect(bodyOf(200, await studio.post(`/api/cast/channel/${channelId}`, studio.aChannel())).locked).to.equal(true);
    const programs = await studio.ctx.db.rows('SELECT id FROM cast_programs WHERE channel_id = $channelId', {
      channelId,
    });
    expect(programs).to.deep.equal([{ id: programId }]);
  });
});
