import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { CastProgram, CastSlate } from '../../../shared/cast/cast.model.js';
import { firstFreeTime } from '../../../shared/cast/playout.service.js';
import { LiveRun } from '../../../shared/streaming/streaming.model.js';
import { authorizePublish } from '../../../shared/streaming/publishing.service.js';
import { addSlate, addProgram } from '../../support/cast/playoutFixture.js';
import { useFixture } from '../../support/fixtures.js';
import { makeRun } from '../../support/liveStreams.js';
import { bodyOf, rejectedFields, statusesOf } from '../../support/api.js';
import { removeRows } from '../../support/rows.js';
import { livePassword } from '../../support/users.js';
import { openStudio } from '../live/studio.js';
import { castItem, castKinds, channelKind, streamKind } from './castItems.js';

describe('cast channels and cast streams', () => {
  const studio = useFixture(openStudio);

  for (const kind of castKinds)
    describe(`under ${kind.path}`, () => {
      const create = (body: object, token?: string) => studio.post(kind.path, body, token);
      const update = (id: string, body: object) => studio.post(`${kind.path}/${id}`, body);

      it('POST: returns 201 with the complete item, as a read returns it, and without empty members', async () => {
        const { config } = studio.ctx;
        const thumbnailId = await studio.thumbnail();
        const sent = studio.aChannel({ name: ' Alps ', description: 'Snow', tags: ['winter', 'winter'], thumbnailId });
        const body = bodyOf(201, await create({ ...sent, locked: true }));
        const id = body[kind.idMember];
        expect(body).to.deep.equal({
          ...{ [kind.idMember]: id, name: 'Alps', description: 'Snow', tags: ['winter'], thumbnailId },
          ...kind.computed(id, config),
          streamingBaseUrl: `rtmp://${new URL(config.service.publicUrl).hostname}:${config.live.rtmp.port}/live`,
          streamPath: sent['streamPath'],
        });
        expect((await studio.get(`${kind.path}/${id.toUpperCase()}`)).body).to.deep.equal(body);
        const optional = ['description', 'tags', 'thumbnailId'];
        for (const members of [{}, { description: '', tags: [], thumbnailId: '' }, { description: null }])
          expect(bodyOf(201, await create(studio.aChannel(members)))).to.have.all.keys(
            Object.keys(body).filter((name) => !optional.includes(name)),
          );
      });

      it('POST: returns 201 with a path made from its name that no channel or stream has', async () => {
        const name = `Alps ${randomUUID().slice(0, 8)}`;
        const stem = name.toLowerCase().replace(' ', '-');
        await studio.channel({ streamPath: stem });
        expect(bodyOf(201, await create({ name })).streamPath).to.equal(`${stem}-2`);
      });

      it('POST: returns 400 for invalid members of a new or existing item, and changes nothing', async () => {
        const id = await castItem(studio, kind);
        const before = (await studio.get(`${kind.path}/${id}`)).body;
        for (const [members, error] of [
          [{ name: ' ' }, 'name blank'],
          [{ name: 'x'.repeat(256) }, 'name tooLong'],
          [{ streamPath: 'a/b' }, 'streamPath streamPathForm'],
          [{ streamPath: 'x'.repeat(65) }, 'streamPath tooLong'],
          [{ thumbnailId: randomUUID() }, 'thumbnailId thumbnailUnknown'],
          [{ thumbnailId: await studio.thumbnail(studio.viewer) }, 'thumbnailId thumbnailUnknown'],
        ] as const)
          for (const response of [await create(studio.aChannel(members)), await update(id, studio.aChannel(members))])
            expect(rejectedFields(response)).to.deep.equal([error]);
        expect(rejectedFields(await create({}))).to.deep.equal(['name required']);
        expect((await studio.get(`${kind.path}/${id}`)).body).to.deep.equal(before);
      });

      it('POST: returns 409 for the path of any channel or stream, and for all but one of ten concurrent requests', async () => {
        const [live, ...cast] = [studio.aChannel(), studio.aChannel(), studio.aChannel()];
        await studio.channel(live);
        for (const [position, other] of castKinds.entries()) await castItem(studio, other, cast[position]);
        const id = await castItem(studio, kind);
        for (const taken of [live, ...cast])
          for (const response of [await create(taken, studio.viewer.token), await update(id, taken)]) {
            const error = bodyOf(409, response);
            expect(error.exception).to.equal('DataIntegrityViolationException');
            expect(error.message).to.include(taken['streamPath']);
          }
        const body = studio.aChannel();
        const responses = await Promise.all(Array.from({ length: 10 }, () => create(body)));
        expect(statusesOf(responses)).to.deep.equal([201, ...Array(9).fill(409)]);
      });

      it('POST: returns 200, empties omitted members and frees the old path', async () => {
        const sent = studio.aChannel({ description: 'Snow', tags: ['a'], thumbnailId: await studio.thumbnail() });
        const { streamPath } = studio.aChannel();
        const body = bodyOf(201, await create(sent));
        const id = body[kind.idMember];
        expect(bodyOf(200, await update(id, body)), 'as it was read').to.deep.equal(body);
        const changed = bodyOf(200, await update(id, { name: 'Sea', streamPath }));
        expect(changed).to.include({ [kind.idMember]: id, name: 'Sea', streamPath });
        expect(changed).to.not.have.any.keys('description', 'tags', 'thumbnailId');
        expect((await studio.get(`${kind.path}/${id}`)).body).to.deep.equal(changed);
        await castItem(studio, kind, sent);
      });

      it('POST: returns 200 and, without name or path, changes only the members sent', async () => {
        const sent = studio.aChannel({ description: 'Snow', tags: ['a'], thumbnailId: await studio.thumbnail() });
        const id = await castItem(studio, kind, sent);
        expect(bodyOf(200, await update(id, { name: 'Sea' }))).to.deep.include({ ...sent, name: 'Sea' });
        expect(bodyOf(200, await update(id, { tags: ['b'] }))).to.deep.include({ ...sent, name: 'Sea', tags: ['b'] });
        const emptied = bodyOf(200, await update(id, { thumbnailId: '', description: '' }));
        expect(emptied).to.not.have.any.keys('description', 'thumbnailId');
        expect(emptied).to.deep.include({ name: 'Sea', streamPath: sent['streamPath'], tags: ['b'] });
      });

      it('DELETE: returns 204, then 404 for the item and an item of the other kind, and frees its path', async () => {
        const other = castKinds.find((one) => one !== kind) ?? kind;
        const sent = studio.aChannel();
        const path = `${kind.path}/${await castItem(studio, kind, sent)}`;
        bodyOf(204, await studio.remove(path));
        for (const gone of [
          path,
          `${kind.path}/${await castItem(studio, other)}`,
          `${kind.path}/${await studio.channel()}`,
        ]) {
          bodyOf(404, await studio.get(gone));
          bodyOf(404, await studio.remove(gone));
        }
        await castItem(studio, kind, sent);
      });
    });

  describe('GET /api/public/cast/channel/{channelId}', () => {
    const everybody = (channelId: string, token = studio.anybody) =>
      studio.get(`/api/public/cast/channel/${channelId}`, token);

    it('returns 200 with the publisher and without the path, and 404 otherwise or for a disabled publisher', async () => {
      const user = await studio.newPublisher();
      const members = { name: 'Alps', description: 'Snow', tags: ['a'] };
      const channelId = await castItem(studio, channelKind, members, user);
      const publisher = { userCode: user.userCode, licenseExpired: false };
      const embedUrl = `${studio.ctx.config.service.publicUrl}/embed/?cast=${channelId}`;
      const shown = { channelId, embedUrl, ...members, locked: false, publisher };
      expect(bodyOf(200, await everybody(channelId.toUpperCase()))).to.deep.equal(shown);
      expect(bodyOf(200, await everybody(channelId, studio.viewer.token))).to.deep.equal(shown);
      bodyOf(204, await studio.post('/api/user/me/disable', {}, user.token));
      for (const id of [channelId, randomUUID(), '1', await studio.channel()]) bodyOf(404, await everybody(id));
    });

    it('has `locked` true from CAST_FREEZE_SECONDS before a program’s start until its end, or if it is decided', async () => {
      const { ctx } = studio;
      const freeze = ctx.config.cast.freezeSeconds;
      /** Seconds from now of a break and of the end of what is decided. */
      const rows: readonly (readonly [times: readonly [number, number] | null, locked: boolean, decided?: number])[] = [
        [null, false],
        [[freeze + 60, freeze + 120], false],
        [[freeze - 10, freeze + 60], true],
        [[-60, 60], true],
        [[-60, -1], false],
        [[freeze + 60, freeze + 120], true, freeze + 61],
        [[freeze + 60, freeze + 120], false, freeze + 59],
      ];
      for (const [times, locked, decided] of rows) {
        const channelId = await castItem(studio, channelKind);
        const channel = { channelId, owner: studio.publisher };
        if (times) await addProgram(ctx, channel, [times[0] / 60, times[1] / 60], { type: 'BREAK' });
        if (decided !== undefined)
          await ctx.db.change('INSERT INTO cast_playouts VALUES ($channelId, $decidedUntil::bigint)', {
            channelId,
            decidedUntil: (ctx.clock.now().getTime() + decided * 1000) * 1000,
          });
        const own = bodyOf(200, await studio.get(`/api/cast/channel/${channelId}`));
        const shown = bodyOf(200, await everybody(channelId));
        expect([own.locked, shown.locked], `${String(times)}, decided ${decided}`).to.deep.equal([locked, locked]);
      }
    });
  });

  describe('with a channel on air', () => {
    it('POST: returns 200 and keeps its programs', async () => {
      const channelId = await castItem(studio, channelKind);
      const id = await addProgram(studio.ctx, { channelId, owner: studio.publisher }, [-1, 1]);
      expect(bodyOf(200, await studio.post(`/api/cast/channel/${channelId}`, studio.aChannel())).locked).to.equal(true);
      expect(await rowsOf('cast_programs', channelId)).to.deep.equal([{ id }]);
    });

    const rowsOf = (table: string, channelId: string) =>
      studio.ctx.db.rows(`SELECT id FROM ${table} WHERE channel_id = $channelId`, { channelId });
    const playoutsOf = (channelId: string) =>
      studio.ctx.db.rows('SELECT 1 FROM cast_playouts WHERE channel_id = $channelId', { channelId });

    it('DELETE: returns 204, removes its programs, frees their streams and releases its slates', async () => {
      const [channelId, streamId] = [await castItem(studio, channelKind), await castItem(studio, streamKind)];
      const channel = { channelId, owner: studio.publisher };
      await addProgram(studio.ctx, channel, [-1, 1], { type: 'LIVE', streamId });
      await addProgram(studio.ctx, channel, [1, 2], { type: 'BREAK' });
      await studio.ctx.db.change('INSERT INTO cast_playouts VALUES ($channelId, 1)', { channelId });
      const slateId = await addSlate(studio.ctx, channelId);
      bodyOf(204, await studio.remove(`/api/cast/channel/${channelId}`));
      bodyOf(404, await studio.get(`/api/public/cast/channel/${channelId}`, studio.anybody));
      expect([await rowsOf('cast_programs', channelId), await playoutsOf(channelId)]).to.deep.equal([[], []]);
      bodyOf(204, await studio.remove(`/api/cast/stream/${streamId}`));
      const slate = await studio.ctx.db.model(CastSlate).findByPk(slateId);
      const hour = 3_600_000;
      expect(slate?.neededUntil.getTime(), 'its slate').to.be.below(studio.ctx.clock.now().getTime() + hour);
    });

    it('DELETE: returns 204 and leaves no playout if the channel is decided concurrently', async () => {
      for (let round = 0; round < 5; round += 1) {
        const channelId = await castItem(studio, channelKind);
        const [removed] = await Promise.all([
          studio.remove(`/api/cast/channel/${channelId}`),
          studio.ctx.db.transaction((tx) => firstFreeTime(studio.ctx, tx, channelId)),
        ]);
        bodyOf(204, removed);
        expect(await playoutsOf(channelId)).to.deep.equal([]);
      }
    });
  });

  describe('DELETE /api/cast/stream/{streamId} of a stream in use', () => {
    it('returns 409 with the title while a current or future program shows it, then 204, and ends its publication', async () => {
      const [streamId, channelId] = [await castItem(studio, streamKind), await castItem(studio, channelKind)];
      const path = `/api/cast/stream/${streamId}`;
      const members = { type: 'LIVE', streamId, title: 'Evening' } as const;
      const add = (start: number, end: number) =>
        addProgram(studio.ctx, { channelId, owner: studio.publisher }, [start, end], members);
      await add(-2, -1);
      for (const [start, end] of [
        [-1, 1],
        [60, 120],
      ] as const) {
        const id = await add(start, end);
        const error = bodyOf(409, await studio.remove(path));
        expect(error.exception).to.equal('DataIntegrityViolationException');
        expect(error.message).to.equal('A current or upcoming program shows this stream: Evening.');
        await removeRows(studio.ctx, CastProgram, { id });
      }
      const { runId } = await makeRun(studio.ctx, { streamId, ownerId: studio.publisher.userId, path: '' });
      bodyOf(204, await studio.remove(path));
      expect(await studio.ctx.db.model(LiveRun).findByPk(runId)).to.include({ state: 'ENDED' });
    });

    it('never leaves a program without its stream if one is added concurrently', async () => {
      const time = (hours: string) => ({ date: '10/10/2040', time: `${hours}:00:00` });
      for (let round = 0; round < 4; round += 1) {
        const streamId = await castItem(studio, streamKind);
        const day = `/api/cast/channel/${await castItem(studio, channelKind)}/dailyprogramming/20401010`;
        const program = { programType: 'LIVE', sourceId: streamId, startDate: time('20'), endDate: time('21') };
        const [saved, removed] = await Promise.all([
          studio.post(day, { programs: [program] }),
          studio.remove(`/api/cast/stream/${streamId}`),
        ]);
        expect([saved.status, removed.status]).to.be.deep.oneOf([
          [200, 409],
          [400, 204],
        ]);
      }
    });
  });

  it('permit publishing to the path of a stream, and reject it for a channel', async () => {
    const { userCode, userId: ownerId } = studio.publisher;
    for (const kind of castKinds) {
      const streamPath = String(studio.aChannel()['streamPath']);
      const id = await castItem(studio, kind, { streamPath });
      const decision = await authorizePublish(studio.ctx, { streamPath, userCode, livePassword });
      if (kind === streamKind)
        expect(decision).to.deep.equal({ allowed: true, stream: { id, ownerId, path: streamPath } });
      else expect(decision).to.include({ allowed: false, refusal: 'CAST_CHANNEL_PATH' });
    }
  });

  /** Permitted letters are tested with `GET /api/public/live/streampath`. */
  describe('GET /api/public/cast/streampath', () => {
    it('returns 200 with a path that no live channel, cast channel or cast stream has', async () => {
      const base = `alps${randomUUID().slice(0, 8)}x`;
      const suggest = async (query: string): Promise<string> =>
        bodyOf(200, await studio.get(`/api/public/cast/streampath${query}`, studio.anybody)).streamPath;
      const suggested = [await suggest(`?base=${base.toUpperCase()}`)];
      expect(suggested).to.deep.equal([base]);
      await studio.channel({ streamPath: base });
      for (const kind of castKinds) {
        const streamPath = await suggest(`?base=${base}`);
        suggested.push(streamPath);
        await castItem(studio, kind, { streamPath });
      }
      suggested.push(await suggest(`?base=${base}`));
      expect(new Set(suggested).size).to.equal(4);
      for (const path of suggested) expect(path).to.match(new RegExp(`^${base}\\d*$`));
      for (const query of ['', '?base=']) expect(await suggest(query)).to.match(/^[a-z0-9]+$/);
    });
  });
});
