import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { bodyOf, rejectedFields } from '../../support/responses.js';
import { openSchedule } from './schedule.js';
import { changeRow, storedRows } from '../../support/rows.js';
import { BoxItem } from '../../../shared/box/box.model.js';
import { useFixture } from '../../support/fixtures.js';
import { CastProgram } from '../../../shared/cast/cast.model.js';

describe('GET and POST /api/cast/program/{programId}, GET /api/public/cast/program/{programId}', () => {
  const schedule = useFixture(openSchedule);
  let channelId: string;
  let film: string;

  before(async () => {
    film = await schedule.film(3600, { title: 'Film', description: 'Long', tags: ['snow'] });
  });

  async function program(members: object = {}): Promise<string> {
    channelId = await schedule.castChannel();
    const { programs } = await schedule.saved(channelId, 2, [
      {
        ...{ startDate: schedule.at(2, '10:00'), endDate: schedule.at(2, '10:30') },
        ...{ programType: 'PRERECORDED', sourceId: film, offset: 60, ...members },
      },
    ]);
    return programs[0].programId;
  }
  const own = (programId: string, token?: string) => schedule.get(`/api/cast/program/${programId}`, token);
  const everybody = (programId: string, token = schedule.anybody) =>
    schedule.get(`/api/public/cast/program/${programId}`, token);
  const change = (programId: string, body: object, token?: string) =>
    schedule.post(`/api/cast/program/${programId}`, body, token);

  it('returns 200 to its owner as in its day, in the request’s time zone', async () => {
    const programId = await program();
    const body = bodyOf(200, await own(programId.toUpperCase()));
    expect(body).to.deep.equal(bodyOf(200, await schedule.read(channelId, 2)).programs[0]);
    expect(body).to.include({ programId, title: 'Film', description: 'Long', itemType: 'PRERECORDED', offset: 60 });
    const rome = await schedule.get(`/api/cast/program/${programId}`, undefined, { 'x-service-timezone': '3600000' });
    expect(bodyOf(200, rome).startDate).to.deep.equal(schedule.at(2, '11:00'));
  });

  it('returns 200 to everybody with the channel instead of the content', async () => {
    const programId = await program();
    const { boxContent: _content, offset: _offset, ...shown } = bodyOf(200, await own(programId));
    const body = bodyOf(200, await everybody(programId));
    const channel = await schedule.get(`/api/public/cast/channel/${channelId}`, schedule.anybody);
    expect(body).to.deep.equal({ ...shown, channel: bodyOf(200, channel) });
    expect(bodyOf(200, await everybody(programId, schedule.viewer.token))).to.deep.equal(body);
  });

  it('200: replaces title, description, thumbnail and tags, and nothing else', async () => {
    const programId = await program({ tags: ['a'], description: 'Before' });
    const before = bodyOf(200, await own(programId));
    const thumbnailId = await schedule.thumbnail();
    const changed = { title: ' New ', description: 'Text', thumbnailId, tags: ['x', 'y', 'x'] };
    const body = bodyOf(
      200,
      await change(programId, { ...before, ...changed, startDate: schedule.at(2, '09:00'), offset: 1 }),
    );
    expect(body).to.deep.equal({ ...before, ...changed, title: 'New', tags: ['x', 'y'] });
    expect(bodyOf(200, await own(programId))).to.deep.equal(body);
    const emptied = bodyOf(200, await change(programId, { title: 'Only' }));
    expect(emptied).to.not.have.any.keys('description', 'thumbnailId', 'tags');
    const day = await schedule.read(channelId, 2);
    expect(bodyOf(200, day).programs[0]).to.deep.equal(emptied);
  });

  it('200: without a title, changes only the members sent', async () => {
    const programId = await program({ tags: ['a'], description: 'Before' });
    const before = bodyOf(200, await own(programId));
    expect(bodyOf(200, await change(programId, { tags: ['b'] }))).to.deep.equal({ ...before, tags: ['b'] });
    const emptied = bodyOf(200, await change(programId, { description: '' }));
    expect(emptied)
      .to.deep.include({ title: before.title, tags: ['b'] })
      .and.not.have.property('description');
  });

  it('returns 200 also for a program on air', async () => {
    const today = schedule.today(await schedule.castChannel());
    const times = { startDate: today.fromFree(0), endDate: today.fromFree(600) };
    const { programs } = bodyOf(200, await today.save({ ...times, programType: 'PRERECORDED', sourceId: film }));
    schedule.ctx.clock.advance((schedule.ctx.config.cast.freezeSeconds + 10) * 1000);
    expect(bodyOf(200, await change(programs[0].programId, { title: 'On air' })).title).to.equal('On air');
  });

  it('shows its content’s thumbnail, which is not stored if the program is sent back', async () => {
    const { ctx } = schedule;
    const thumbnailId = await schedule.thumbnail();
    const other = await schedule.film(60);
    await changeRow(ctx, BoxItem, other, { thumbnailId });
    const programId = await program({ sourceId: other, offset: 0, endDate: schedule.at(2, '10:01') });
    const read = bodyOf(200, await own(programId));
    expect(read.thumbnailId).to.equal(thumbnailId);
    bodyOf(200, await change(programId, read));
    bodyOf(200, await schedule.save(channelId, 2, [read]));
    const [row] = await storedRows(ctx, CastProgram, { id: programId });
    expect(row?.thumbnailId).to.equal(null);
  });

  it('returns 400 without a title, and for another user’s thumbnail', async () => {
    const programId = await program();
    expect(rejectedFields(await change(programId, {}))).to.deep.equal(['title required']);
    expect(rejectedFields(await change(programId, { title: ' ' }))).to.deep.equal(['title blank']);
    const thumbnailId = await schedule.thumbnail(schedule.viewer);
    expect(rejectedFields(await change(programId, { title: 'New', thumbnailId }))).to.deep.equal([
      'thumbnailId thumbnailUnknown',
    ]);
  });

  it('returns 404 for another user, an unknown and a malformed id, and publicly for a disabled publisher', async () => {
    const programId = await program();
    bodyOf(404, await own(programId, schedule.viewer.token));
    bodyOf(404, await change(programId, { title: 'New' }, schedule.viewer.token));
    for (const id of [randomUUID(), '1', channelId]) {
      bodyOf(404, await own(id));
      bodyOf(404, await everybody(id));
      bodyOf(404, await change(id, { title: 'New' }));
    }
    const publisher = await schedule.newPublisher();
    const foreign = await schedule.castChannel(publisher);
    const pause = { programType: 'BREAK', startDate: schedule.at(2, '10:00'), endDate: schedule.at(2, '11:00') };
    const saved = await schedule.post(schedule.dayPath(foreign, 2), { programs: [pause] }, publisher.token);
    const id = bodyOf(200, saved).programs[0].programId;
    bodyOf(200, await everybody(id));
    bodyOf(204, await schedule.post('/api/user/me/disable', {}, publisher.token));
    bodyOf(404, await everybody(id));
  });
});
