import { randomBytes, randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { LiveRun } from '../../../shared/streaming/streaming.model.js';
import { useFixture } from '../../support/fixtures.js';
import { makeRun } from '../../support/liveStreams.js';
import { bodyOf, rejectedFields, statusesOf } from '../../support/api.js';
import { openStudio } from './studio.js';

describe('POST /api/live/channel', () => {
  const studio = useFixture(openStudio);

  it('returns 201 to the owner with the complete channel as read, without empty members and public by default', async () => {
    const sent = studio.aChannel({ name: ' Alps ', description: 'Snow', tags: ['winter', 'winter'], public: false });
    const body = bodyOf(201, await studio.createChannel(sent));
    const { service, live } = studio.ctx.config;
    expect(body).to.deep.equal({
      ...{ channelId: body.channelId, name: 'Alps', description: 'Snow', tags: ['winter'] },
      embedUrl: `${service.publicUrl}/embed/?live=${body.channelId}`,
      streamingBaseUrl: `rtmp://${new URL(service.publicUrl).hostname}:${live.rtmp.port}/live`,
      ...{ streamPath: sent['streamPath'], public: false },
    });
    expect((await studio.get(`/api/live/channel/${body.channelId}`)).body).to.deep.equal(body);
    const hidden = { description: '', tags: [], thumbnailId: '', public: ' ' };
    for (const members of [{}, hidden, { public: null }]) {
      const shown = bodyOf(201, await studio.createChannel(studio.aChannel(members)));
      expect(shown).to.have.all.keys('channelId', 'embedUrl', 'name', 'streamingBaseUrl', 'streamPath', 'public');
      expect(shown.public).to.equal(true);
    }
  });

  it('accepts thumbnails of the caller, and returns 400 for another user’s thumbnail, also for an event', async () => {
    const mine = await studio.thumbnail();
    const theirs = await studio.thumbnail(studio.viewer);
    const body = bodyOf(201, await studio.createChannel(studio.aChannel({ thumbnailId: mine })));
    expect(body.thumbnailId).to.equal(mine);
    expect((await studio.event(10, 20, { thumbnailId: mine }, body.channelId)).thumbnailId).to.equal(mine);
    for (const response of [
      await studio.createChannel(studio.aChannel({ thumbnailId: theirs })),
      await studio.post(`/api/live/channel/${body.channelId}`, { ...body, thumbnailId: theirs }),
      await studio.createEvent(body.channelId, studio.anEvent(30, 40, { thumbnailId: theirs })),
    ])
      expect(rejectedFields(response)).to.deep.equal(['thumbnailId thumbnailUnknown']);
  });

  it('makes the stream path from the name if none is sent, with a number if it is in use, also for ten concurrent requests', async () => {
    const end = randomUUID().slice(0, 8);
    const pathOf = async (name: string, members: object = {}) =>
      bodyOf(201, await studio.createChannel({ name, ...members })).streamPath;
    expect(await pathOf(` Straße № 7 — Śnieg ${end}! `)).to.equal(`strasse-no-7-snieg-${end}`);
    expect(await pathOf(`STRASSE no 7 ('snieg') ${end}`, { streamPath: '' })).to.equal(`strasse-no-7-snieg-${end}-2`);
    const long = `${end} ${'x'.repeat(240)}`;
    expect(await pathOf(long, { streamPath: null })).to.equal(`${end}-${'x'.repeat(46)}`);
    expect(await pathOf(long)).to.equal(`${end}-${'x'.repeat(46)}-2`);
    for (const name of ['☃', 'Снег']) expect(await pathOf(name)).to.match(/^live(-\d+)?$/);
    const paths = await Promise.all(Array.from({ length: 10 }, () => pathOf(`Alps ${end}`)));
    expect(paths).to.have.members([`alps-${end}`, ...Array.from({ length: 9 }, (_, at) => `alps-${end}-${at + 2}`)]);
  });

  it('returns 400 for invalid members; a stream path has up to 64 letters, digits and -._ and starts with a letter or digit', async () => {
    const end = randomUUID().slice(0, 8);
    for (const streamPath of [`9_a-B.c${end}`, `${'x'.repeat(56)}${end}`, ` ${end} `])
      expect(bodyOf(201, await studio.createChannel({ name: 'A', streamPath })).streamPath).to.equal(streamPath.trim());
    const invalid: readonly (readonly [members: object, rejected: string])[] = [
      [{ name: undefined }, 'name required'],
      [{ name: ' ' }, 'name blank'],
      [{ name: 'x'.repeat(256) }, 'name tooLong'],
      [{ streamPath: 'x'.repeat(65) }, 'streamPath tooLong'],
      [{ public: 'perhaps' }, 'public boolean'],
      [{ thumbnailId: 'mine' }, 'thumbnailId id'],
      [{ thumbnailId: randomUUID() }, 'thumbnailId thumbnailUnknown'],
      ...['-a', '.a', '_a', 'a/b', 'a b', 'a?b', 'à', '../a', 'a\nb', 'a%2fb', 'a&user=x'].map(
        (streamPath) => [{ streamPath }, 'streamPath streamPathForm'] as const,
      ),
    ];
    for (const [members, rejected] of invalid)
      expect(rejectedFields(await studio.createChannel(studio.aChannel(members))), rejected).to.deep.equal([rejected]);
  });

  it('returns 409 for a used stream path: for all but one of ten concurrent requests, other users and updates', async () => {
    const body = studio.aChannel();
    const responses = await Promise.all(Array.from({ length: 10 }, () => studio.createChannel(body)));
    expect(statusesOf(responses)).to.deep.equal([201, ...Array(9).fill(409)]);
    const channelId = await studio.channel();
    for (const response of [
      await studio.createChannel(body, await studio.newPublisher()),
      await studio.post(`/api/live/channel/${channelId}`, body),
    ]) {
      const error = bodyOf(409, response);
      expect(error.exception).to.equal('DataIntegrityViolationException');
      expect(error.message).to.include(body['streamPath']);
    }
  });
});

describe('GET /api/public/live/channel/{channelId}', () => {
  const studio = useFixture(openStudio);

  it('returns 200 with the publisher and without the encoder address, also for an unlisted channel, and 404 otherwise', async () => {
    const publisher = await studio.newPublisher();
    const read = (channelId: string, token = studio.anybody) =>
      studio.get(`/api/public/live/channel/${channelId}`, token);
    for (const isPublic of [true, false]) {
      const members = { name: 'Alps', description: 'Snow', tags: ['a'] };
      const channelId = await studio.channel({ ...members, public: isPublic }, publisher);
      const embedUrl = `${studio.ctx.config.service.publicUrl}/embed/?live=${channelId}`;
      const shown = {
        ...{ channelId, embedUrl, ...members },
        publisher: { userCode: publisher.userCode, licenseExpired: false },
      };
      expect(bodyOf(200, await read(channelId.toUpperCase()))).to.deep.equal(shown);
      expect(bodyOf(200, await read(channelId, studio.viewer.token))).to.deep.equal(shown);
    }
    const hidden = await studio.channel({}, publisher);
    bodyOf(204, await studio.post('/api/user/me/disable', {}, publisher.token));
    for (const id of [hidden, randomUUID(), '1']) bodyOf(404, await read(id));
  });
});

describe('POST /api/live/channel/{channelId}', () => {
  const studio = useFixture(openStudio);

  const update = (channelId: string, body: object) => studio.post(`/api/live/channel/${channelId}`, body);

  it('200: replaces all members except an omitted `public`, and frees the old stream path', async () => {
    const before = studio.aChannel({ description: 'Snow', tags: ['a'], public: false });
    const { streamPath } = studio.aChannel();
    const created = bodyOf(201, await studio.createChannel(before));
    const { channelId } = created;
    expect(bodyOf(200, await update(channelId, created)), 'as it was read').to.deep.equal(created);
    const changed = bodyOf(200, await update(channelId, { name: 'Sea', streamPath }));
    expect(changed).to.include({ channelId, name: 'Sea', streamPath, public: false });
    expect(changed).to.not.have.any.keys('description', 'tags');
    expect(bodyOf(200, await update(channelId, { name: 'Sea', streamPath, public: true })).public).to.equal(true);
    expect((await studio.get(`/api/live/channel/${channelId}`)).body.public).to.equal(true);
    bodyOf(201, await studio.createChannel(before));
    const rejected = await update(channelId, { name: ' ', streamPath: '/' });
    expect(rejectedFields(rejected)).to.deep.equal(['name blank', 'streamPath streamPathForm']);
  });

  it('200: without name or stream path, changes only the members sent, also concurrently', async () => {
    const sent = studio.aChannel({ description: 'Snow', tags: ['a'], public: false });
    const channelId = await studio.channel(sent);
    const changes = [{ name: 'Sea' }, { description: 'Salt' }, { tags: ['b'] }, { public: true }];
    for (const response of await Promise.all(changes.map((body) => update(channelId, body)))) bodyOf(200, response);
    const complete = { name: 'Sea', description: 'Salt', tags: ['b'], public: true, streamPath: sent['streamPath'] };
    expect((await studio.get(`/api/live/channel/${channelId}`)).body).to.deep.include(complete);
    expect(bodyOf(200, await update(channelId, { description: '' }))).to.not.have.property('description');
    expect(rejectedFields(await update(channelId, {}))).to.deep.equal(['name required']);
  });
});

describe('DELETE /api/live/channel/{channelId}', () => {
  const studio = useFixture(openStudio);

  const remove = (channelId: string) => studio.remove(`/api/live/channel/${channelId}`);

  it('returns 204 and ends its run; afterwards the channel is not found and its stream path is free', async () => {
    const sent = studio.aChannel();
    const channelId = await studio.channel(sent);
    const { runId } = await makeRun(studio.ctx, { streamId: channelId, ownerId: studio.publisher.userId, path: '' });
    bodyOf(204, await remove(channelId));
    for (const kind of ['', '/public']) bodyOf(404, await studio.get(`/api${kind}/live/channel/${channelId}`));
    bodyOf(404, await remove(channelId));
    bodyOf(201, await studio.createChannel(sent));
    expect(await studio.ctx.db.model(LiveRun).findByPk(runId)).to.include({ state: 'ENDED' });
  });

  it('returns 409 with a message while it has events, including past ones', async () => {
    for (const start of [10, -20]) {
      const channelId = await studio.channel();
      const { eventId } = await studio.event(start, start + 10, {}, channelId);
      const error = bodyOf(409, await remove(channelId));
      expect(error.exception).to.equal('DataIntegrityViolationException');
      expect(error.message).to.match(/events/);
      bodyOf(204, await studio.remove(`/api/live/event/${eventId}`));
      bodyOf(204, await remove(channelId));
    }
  });

  it('never leaves an event without a channel if one is created concurrently', async () => {
    for (let round = 0; round < 5; round += 1) {
      const channelId = await studio.channel();
      const creating = studio.createEvent(channelId, studio.anEvent(10, 20));
      const [created, removed] = await Promise.all([creating, remove(channelId)]);
      expect(`${created.status} ${removed.status}`).to.be.oneOf(['201 409', '404 204']);
    }
  });
});

describe('GET /api/public/live/streampath', () => {
  const studio = useFixture(openStudio);

  const suggest = async (query = ''): Promise<string> =>
    bodyOf(200, await studio.get(`/api/public/live/streampath${query}`, studio.anybody)).streamPath;

  it('returns 200 with a free path from the base’s letters and digits, numbered if in use, also for any or no base', async () => {
    const end = randomBytes(6).toString('hex');
    const base = `?base=${encodeURIComponent(` My Café № 7 — ${end}x `)}`;
    const paths = [];
    for (let round = 0; round < 3; round += 1) {
      paths.push(await suggest(base));
      await studio.channel({ streamPath: paths[round] });
    }
    const [first = ''] = paths;
    expect(first).to.match(new RegExp(`^mycafe(no)?7${end}x$`));
    expect(paths.slice(1)).to.deep.equal([`${first}2`, `${first}3`]);
    await studio.channel({ streamPath: `${first}7` });
    expect(await suggest(base)).to.equal(`${first}8`);
    for (const query of ['', '?base=', '?base=%20', '?base=%E2%98%83'])
      expect(await suggest(query), query).to.match(/^[a-z0-9]+$/);
    for (let round = 0; round < 2; round += 1)
      await studio.channel({ streamPath: await suggest(`?base=${end}${'x'.repeat(243)}`) });
    bodyOf(400, await studio.get(`/api/public/live/streampath?base=${'x'.repeat(256)}`, studio.anybody));
  });
});
