import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { TestUser } from '../../support/api.js';
import { bodyOf, rejectedFields, statusesOf } from '../../support/responses.js';
import { castItem, castKinds, studioOfFile } from './castItems.js';
import { useFixture } from '../../support/fixtures.js';

const castStudio = studioOfFile();

for (const kind of castKinds) {
  describe(`POST ${kind.path}`, () => {
    const studio = useFixture(castStudio);

    const create = (body: object, by: TestUser = studio.publisher) => studio.post(kind.path, body, by.token);

    it('returns 201 with the complete item, as a read returns it', async () => {
      const { config } = studio.ctx;
      const thumbnailId = await studio.thumbnail();
      const sent = studio.aChannel({ name: ' Alps ', description: 'Snow', tags: ['winter', 'winter'], thumbnailId });
      const body = bodyOf(201, await create({ ...sent, locked: true }));
      expect(body).to.deep.equal({
        ...{ [kind.idMember]: body[kind.idMember], name: 'Alps', description: 'Snow', tags: ['winter'], thumbnailId },
        ...kind.computed(body[kind.idMember], config),
        streamingBaseUrl: `rtmp://${new URL(config.service.publicUrl).hostname}:${config.live.rtmp.port}/live`,
        streamPath: sent['streamPath'],
      });
      expect((await studio.get(`${kind.path}/${body[kind.idMember]}`)).body).to.deep.equal(body);
    });

    it('returns 201 with a path made from its name that no channel or stream has', async () => {
      const name = `Alps ${randomUUID().slice(0, 8)}`;
      const stem = name.toLowerCase().replace(' ', '-');
      await studio.channel({ streamPath: stem });
      expect(bodyOf(201, await create({ name })).streamPath).to.equal(`${stem}-2`);
    });

    it('returns 201 without empty members', async () => {
      for (const members of [{}, { description: '', tags: [], thumbnailId: '' }, { description: null }]) {
        const body = bodyOf(201, await create(studio.aChannel(members)));
        const shown = [
          kind.idMember,
          'name',
          'streamingBaseUrl',
          'streamPath',
          ...Object.keys(kind.computed('', studio.ctx.config)),
        ];
        expect(body).to.have.all.keys(shown);
      }
    });

    const rejected: readonly (readonly [string, object, string])[] = [
      ['without a name', { name: undefined }, 'name required'],
      ['for a blank name', { name: ' ' }, 'name blank'],
      ['for a long name', { name: 'x'.repeat(256) }, 'name tooLong'],
      ['for a stream path with other characters', { streamPath: 'a/b' }, 'streamPath streamPathForm'],
      ['for a long stream path', { streamPath: 'x'.repeat(65) }, 'streamPath tooLong'],
      ['for an unknown thumbnail', { thumbnailId: randomUUID() }, 'thumbnailId thumbnailUnknown'],
    ];
    for (const [name, members, error] of rejected) {
      it(`returns 400 ${name}`, async () => {
        expect(rejectedFields(await create(studio.aChannel(members)))).to.deep.equal([error]);
      });
    }

    it('returns 400 for the thumbnail of another user', async () => {
      const thumbnailId = await studio.thumbnail(studio.viewer);
      const response = await create(studio.aChannel({ thumbnailId }));
      expect(rejectedFields(response)).to.deep.equal(['thumbnailId thumbnailUnknown']);
    });

    it('returns 409 for the path of any channel or stream, of the same or another user', async () => {
      const [live, ...cast] = [studio.aChannel(), studio.aChannel(), studio.aChannel()];
      await studio.channel(live);
      for (const [position, other] of castKinds.entries()) await castItem(studio, other, cast[position]);
      for (const taken of [live, ...cast]) {
        const error = bodyOf(409, await create(taken, taken === live ? studio.viewer : undefined));
        expect(error.exception).to.equal('DataIntegrityViolationException');
        expect(error.message).to.include(taken['streamPath']);
      }
    });

    it('returns 409 for all but one of ten requests at the same time', async () => {
      const body = studio.aChannel();
      const responses = await Promise.all(Array.from({ length: 10 }, () => create(body)));
      expect(statusesOf(responses)).to.deep.equal([201, ...Array(9).fill(409)]);
    });
  });
}
