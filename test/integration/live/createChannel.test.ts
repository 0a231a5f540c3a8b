import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { bodyOf, rejectedFields, statusesOf } from '../../support/responses.js';
import { openStudio } from './studio.js';
import { useFixture } from '../../support/fixtures.js';

describe('POST /api/live/channel', () => {
  const studio = useFixture(openStudio);

  describe('201', () => {
    it('returns the whole channel to its owner, as a read does', async () => {
      const sent = studio.aChannel({ name: ' Alps ', description: 'Snow', tags: ['winter', 'winter'], public: false });
      const body = bodyOf(201, await studio.createChannel(sent));
      expect(body).to.deep.equal({
        channelId: body.channelId,
        embedUrl: `${studio.ctx.config.service.publicUrl}/embed/?live=${body.channelId}`,
        name: 'Alps',
        description: 'Snow',
        tags: ['winter'],
        streamingBaseUrl: `rtmp://${new URL(studio.ctx.config.service.publicUrl).hostname}:${studio.ctx.config.live.rtmp.port}/live`,
        streamPath: sent['streamPath'],
        public: false,
      });
      expect((await studio.get(`/api/live/channel/${body.channelId}`)).body).to.deep.equal(body);
    });

    it('is public by default, and shows no empty members', async () => {
      const hidden = { description: '', tags: [], thumbnailId: '', public: ' ' };
      for (const members of [{}, hidden, { public: null }]) {
        const body = bodyOf(201, await studio.createChannel(studio.aChannel(members)));
        expect(body).to.have.all.keys('channelId', 'embedUrl', 'name', 'streamingBaseUrl', 'streamPath', 'public');
        expect(body.public).to.equal(true);
      }
    });

    it('with a thumbnail of the caller; 400 for that of another user, also of an event', async () => {
      const mine = await studio.thumbnail();
      const theirs = await studio.thumbnail(studio.viewer);
      const body = bodyOf(201, await studio.createChannel(studio.aChannel({ thumbnailId: mine })));
      expect(body.thumbnailId).to.equal(mine);
      expect((await studio.event(10, 20, { thumbnailId: mine }, body.channelId)).thumbnailId).to.equal(mine);
      const event = studio.anEvent(30, 40, { thumbnailId: theirs });
      for (const response of [
        await studio.createChannel(studio.aChannel({ thumbnailId: theirs })),
        await studio.post(`/api/live/channel/${body.channelId}`, { ...body, thumbnailId: theirs }),
        await studio.createEvent(body.channelId, event),
      ])
        expect(rejectedFields(response)).to.deep.equal(['thumbnailId thumbnailUnknown']);
    });

    it('with a path made from its name where none is sent, and with a number where that is taken', async () => {
      const end = randomUUID().slice(0, 8);
      const pathOf = async (name: string, members: object = {}) =>
        bodyOf(201, await studio.createChannel({ name, ...members })).streamPath;
      expect(await pathOf(` Straße № 7 — Śnieg ${end}! `)).to.equal(`strasse-no-7-snieg-${end}`);
      expect(await pathOf(`STRASSE no 7 ('snieg') ${end}`, { streamPath: '' })).to.equal(`strasse-no-7-snieg-${end}-2`);
      expect(await pathOf(`Strasse no 7 snieg ${end}`, { streamPath: null })).to.equal(`strasse-no-7-snieg-${end}-3`);
      const long = `${end} ${'x'.repeat(240)}`;
      expect(await pathOf(long)).to.equal(`${end}-${'x'.repeat(46)}`);
      expect(await pathOf(long)).to.equal(`${end}-${'x'.repeat(46)}-2`);
      for (const name of ['☃', 'Снег', '…']) expect(await pathOf(name)).to.match(/^live(-\d+)?$/);
    });

    it('with a path of its own for each of ten requests with one name at the same time', async () => {
      const name = `Alps ${randomUUID().slice(0, 8)}`;
      const stem = name.toLowerCase().replace(' ', '-');
      const responses = await Promise.all(Array.from({ length: 10 }, () => studio.createChannel({ name })));
      expect(responses.map((response) => bodyOf(201, response).streamPath)).to.have.members([
        stem,
        ...Array.from({ length: 9 }, (_, index) => `${stem}-${index + 2}`),
      ]);
    });

    it('with every form of stream path, up to 64 characters', async () => {
      const end = randomUUID().slice(0, 8);
      for (const streamPath of [`9_a-B.c${end}`, `${'x'.repeat(56)}${end}`, ` ${end} `])
        expect(bodyOf(201, await studio.createChannel({ name: 'A', streamPath })).streamPath).to.equal(
          streamPath.trim(),
        );
    });
  });

  describe('400', () => {
    const cases: readonly [string, object, string][] = [
      ['without a name', { name: undefined }, 'name required'],
      ['for a blank name', { name: ' ' }, 'name blank'],
      ['for a long name', { name: 'x'.repeat(256) }, 'name tooLong'],
      ['for a long stream path', { streamPath: 'x'.repeat(65) }, 'streamPath tooLong'],
      ['for a `public` that is no boolean', { public: 'perhaps' }, 'public boolean'],
      ['for a thumbnail that is no id', { thumbnailId: 'mine' }, 'thumbnailId id'],
      ['for an unknown thumbnail', { thumbnailId: randomUUID() }, 'thumbnailId thumbnailUnknown'],
    ];
    for (const [name, members, rejected] of cases) {
      it(name, async () => {
        expect(rejectedFields(await studio.createChannel(studio.aChannel(members)))).to.deep.equal([rejected]);
      });
    }

    it('for stream paths with other characters', async () => {
      for (const streamPath of ['-a', '.a', '_a', 'a/b', 'a b', 'a?b', 'à', '../a', 'a\nb', 'a%2fb', 'a&user=x']) {
        const response = await studio.createChannel({ name: 'A', streamPath });
        expect(rejectedFields(response), streamPath).to.deep.equal(['streamPath streamPathForm']);
      }
    });
  });

  describe('409', () => {
    it('for a stream path that is taken, by the same user and by another one', async () => {
      const body = studio.aChannel();
      bodyOf(201, await studio.createChannel(body));
      for (const by of [studio.publisher, await studio.newPublisher()]) {
        const error = bodyOf(409, await studio.createChannel(body, by));
        expect(error.exception).to.equal('DataIntegrityViolationException');
        expect(error.message).to.include(body['streamPath']);
      }
    });

    it('for all but one of ten requests at the same time', async () => {
      const body = studio.aChannel();
      const responses = await Promise.all(Array.from({ length: 10 }, () => studio.createChannel(body)));
      expect(statusesOf(responses)).to.deep.equal([201, ...Array(9).fill(409)]);
    });
  });
});
