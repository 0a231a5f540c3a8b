import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { firstFreeTime } from '../../../shared/cast/playout.service.js';
import { CastSlate, CastProgram } from '../../../shared/cast/cast.model.js';
import { addSlate } from '../../support/cast/playoutFixture.js';
import { addProgram } from '../../support/cast/programRows.js';
import { makeRun } from '../../support/liveStreams.js';
import { bodyOf } from '../../support/responses.js';
import { castItem, castKinds, channelKind, streamKind, studioOfFile } from './castItems.js';
import { LiveRun } from '../../../shared/streaming/streaming.model.js';
import { useFixture } from '../../support/fixtures.js';
import { removeRows } from '../../support/rows.js';

const castStudio = studioOfFile();

for (const kind of castKinds) {
  describe(`DELETE ${kind.path}/{${kind.idMember}}`, () => {
    const studio = useFixture(castStudio);

    it('returns 204, then 404 for the item, and frees its path', async () => {
      const sent = studio.aChannel();
      const path = `${kind.path}/${await castItem(studio, kind, sent)}`;
      bodyOf(204, await studio.remove(path));
      bodyOf(404, await studio.get(path));
      bodyOf(404, await studio.remove(path));
      await castItem(studio, kind, sent);
    });

    it('returns 404 for another user’s item, and for an unknown and a malformed id', async () => {
      const path = `${kind.path}/${await castItem(studio, kind)}`;
      bodyOf(404, await studio.remove(path, studio.viewer.token));
      for (const id of [randomUUID(), '1']) bodyOf(404, await studio.remove(`${kind.path}/${id}`));
      bodyOf(200, await studio.get(path));
    });
  });
}

describe('DELETE /api/cast/channel/{channelId} of a channel on air', () => {
  it('returns 204, removes its programs, frees their streams and releases its slates', async () => {
    const studio = await castStudio();
    const [channelId, streamId] = [await castItem(studio, channelKind), await castItem(studio, streamKind)];
    const channel = { channelId, owner: studio.publisher };
    await addProgram(studio.ctx, channel, [-1, 1], { type: 'LIVE', streamId });
    await addProgram(studio.ctx, channel, [1, 2], { type: 'BREAK' });
    await studio.ctx.db.change('INSERT INTO cast_playouts VALUES ($channelId, 1)', { channelId });
    const slateId = await addSlate(studio.ctx, channelId);
    bodyOf(204, await studio.remove(`/api/cast/channel/${channelId}`));
    bodyOf(404, await studio.get(`/api/public/cast/channel/${channelId}`, studio.anybody));
    for (const table of ['cast_programs', 'cast_playouts'])
      expect(
        await studio.ctx.db.rows(`SELECT 1 FROM ${table} WHERE channel_id = $channelId`, { channelId }),
      ).to.deep.equal([]);
    bodyOf(204, await studio.remove(`/api/cast/stream/${streamId}`));
    const slate = await studio.ctx.db.model(CastSlate).findByPk(slateId);
    const hour = 3_600_000;
    expect(slate?.neededUntil.getTime(), 'its slate').to.be.below(studio.ctx.clock.now().getTime() + hour);
  });

  it('returns 204 and leaves no playout if the channel is decided concurrently', async () => {
    const studio = await castStudio();
    for (let round = 0; round < 5; round += 1) {
      const channelId = await castItem(studio, channelKind);
      const [removed] = await Promise.all([
        studio.remove(`/api/cast/channel/${channelId}`),
        studio.ctx.db.transaction((tx) => firstFreeTime(studio.ctx, tx, channelId)),
      ]);
      bodyOf(204, removed);
      const left = await studio.ctx.db.rows('SELECT 1 FROM cast_playouts WHERE channel_id = $channelId', { channelId });
      expect(left).to.deep.equal([]);
    }
  });
});

describe('DELETE /api/cast/stream/{streamId} of a stream in use', () => {
  const studio = useFixture(castStudio);

  it('returns 204 and ends the stream’s publication', async () => {
    const streamId = await castItem(studio, streamKind);
    const { runId } = await makeRun(studio.ctx, { streamId, ownerId: studio.publisher.userId, path: '' });
    bodyOf(204, await studio.remove(`/api/cast/stream/${streamId}`));
    expect(await studio.ctx.db.model(LiveRun).findByPk(runId)).to.include({ state: 'ENDED' });
  });

  it('returns 409 with the title while a current or future program shows it, and 204 afterwards', async () => {
    const streamId = await castItem(studio, streamKind);
    const channelId = await castItem(studio, channelKind);
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
      bodyOf(200, await studio.get(path));
      await removeRows(studio.ctx, CastProgram, { id });
    }
    bodyOf(204, await studio.remove(path));
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
