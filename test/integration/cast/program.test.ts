import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { bodyOf, rejectedFields } from '../../support/api.js';
import { addProgram } from '../../support/cast/playoutFixture.js';
import { openSchedule, worded } from './schedule.js';
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

  it('returns 200 to its owner as in its day, in the request’s time zone, and to everybody with the channel instead of the content', async () => {
    const programId = await program();
    const body = bodyOf(200, await own(programId.toUpperCase()));
    expect(body).to.deep.equal(bodyOf(200, await schedule.read(channelId, 2)).programs[0]);
    expect(body).to.include({ programId, title: 'Film', description: 'Long', itemType: 'PRERECORDED', offset: 60 });
    const rome = await schedule.get(`/api/cast/program/${programId}`, undefined, { 'x-service-timezone': '3600000' });
    expect(bodyOf(200, rome).startDate).to.deep.equal(schedule.at(2, '11:00'));

    const { boxContent: _content, offset: _offset, ...shown } = body;
    const everywhere = bodyOf(200, await everybody(programId));
    const channel = await schedule.get(`/api/public/cast/channel/${channelId}`, schedule.anybody);
    expect(everywhere).to.deep.equal({ ...shown, channel: bodyOf(200, channel) });
    expect(bodyOf(200, await everybody(programId, schedule.viewer.token))).to.deep.equal(everywhere);
  });

  it('200: replaces title, description, thumbnail and tags, without a title only the members sent, and nothing else', async () => {
    const programId = await program({ tags: ['a'], description: 'Before' });
    const before = bodyOf(200, await own(programId));
    expect(bodyOf(200, await change(programId, { tags: ['b'] })), 'without a title').to.deep.equal({
      ...before,
      tags: ['b'],
    });
    expect(bodyOf(200, await change(programId, { description: '' })))
      .to.deep.include({ title: before.title, tags: ['b'] })
      .and.not.have.property('description');
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

  it('returns 404 publicly for an unknown id and a disabled publisher', async () => {
    bodyOf(404, await everybody(randomUUID()));
    const publisher = await schedule.newPublisher();
    const channel = { channelId: await schedule.castChannel(publisher), owner: publisher };
    const id = await addProgram(schedule.ctx, channel, [10, 20], { type: 'BREAK' });
    bodyOf(200, await everybody(id));
    bodyOf(204, await schedule.post('/api/user/me/disable', {}, publisher.token));
    bodyOf(404, await everybody(id));
  });
});

const hourMs = 3_600_000;
const zone = (hours: number) => ({ 'x-service-timezone': String(hours * hourMs) });

describe('GET .../dailyprogramming/{yyyyMMdd}, private and public', () => {
  const schedule = useFixture(openSchedule);
  let channelId: string;

  before(async () => {
    channelId = await schedule.castChannel();
    const film = await schedule.film(3600, { title: 'Film', description: 'Long', tags: ['snow'] });
    const pause = { programType: 'BREAK' };
    await schedule.saved(channelId, 2, [
      { ...pause, title: 'early', startDate: schedule.at(2, '00:00'), endDate: schedule.at(2, '01:00') },
      {
        startDate: schedule.at(2, '01:00'),
        endDate: schedule.at(2, '02:00'),
        programType: 'PRERECORDED',
        sourceId: film,
      },
      { ...pause, title: 'late', startDate: schedule.at(2, '23:30'), endDate: schedule.at(3, '00:30') },
    ]);
  });

  const everybody = (path: string, token = schedule.anybody) =>
    schedule.get(path.replace('/api/', '/api/public/'), token);

  it('returns 200 to everybody without content and stream, with the public view of the channel once', async () => {
    const own = bodyOf(200, await schedule.read(channelId, 2));
    const shown = bodyOf(200, await everybody(schedule.dayPath(channelId, 2)));
    expect(shown.channel).to.include.keys('publisher').and.to.not.include.keys('streamPath');
    const withoutContent = own.programs.map(({ boxContent: _content, ...program }: { boxContent?: object }) => program);
    expect(shown).to.deep.equal({ ...own, channel: shown.channel, programs: withoutContent });
    expect(shown.programs[1]).to.include({ title: 'Film', description: 'Long' });
  });

  it('contains the programs that start in the day, in the request’s time zone', async () => {
    const days = async (hours: number) =>
      Promise.all(
        [1, 2, 3].map(async (day) => worded(bodyOf(200, await schedule.read(channelId, day, zone(hours))).programs)),
      );
    const film = 'PRERECORDED Film';
    expect(await days(0)).to.deep.equal([
      [],
      ['00:00-01:00 BREAK early', `01:00-02:00 ${film}`, '02:00-23:30 BREAK Break', '23:30-00:30 BREAK late'],
      [],
    ]);
    expect(await days(-1)).to.deep.equal([
      ['23:00-00:00 BREAK early'],
      [`00:00-01:00 ${film}`, '01:00-22:30 BREAK Break', '22:30-23:30 BREAK late'],
      [],
    ]);
    expect(await days(1)).to.deep.equal([
      [],
      ['01:00-02:00 BREAK early', `02:00-03:00 ${film}`, '03:00-00:30 BREAK Break'],
      ['00:30-01:30 BREAK late'],
    ]);
  });

  it('contains the earliest start and the latest end for an empty day', async () => {
    const body = bodyOf(200, await schedule.read(channelId, 3));
    expect(body.programs).to.deep.equal([]);
    expect(body.startDateMin).to.deep.equal(schedule.at(3, '00:30'));
    expect(body.endDateMax).to.deep.equal(schedule.at(4, '23:59:59'));
    const before = bodyOf(200, await schedule.read(channelId, 1));
    expect(before.startDateMin).to.deep.equal(schedule.at(1, '00:00'));
    expect(before.endDateMax).to.deep.equal(schedule.at(2, '00:00'));
  });

  it('has the same tag for the same programs', async () => {
    const tag = async (day: number, headers = {}) => (await schedule.read(channelId, day, headers)).headers.get('etag');
    expect(await tag(2)).to.equal(await tag(2, { 'accept-language': 'it' }));
    expect(await tag(2)).to.not.equal(await tag(3));
  });

  it('returns 400 for a day that does not exist', async () => {
    for (const date of ['20260230', '20261301', '0', '31122026']) {
      const path = `/api/cast/channel/${channelId}/dailyprogramming/${date}`;
      expect(rejectedFields(await schedule.get(path)), date).to.deep.equal(['date date']);
      expect(rejectedFields(await everybody(path)), date).to.deep.equal(['date date']);
    }
  });

  it('returns 404 in public for an unknown id and a disabled publisher', async () => {
    bodyOf(404, await everybody(schedule.dayPath(randomUUID(), 2)));
    bodyOf(200, await everybody(schedule.dayPath(channelId, 2), schedule.viewer.token));
    const other = await schedule.newPublisher();
    const disabled = schedule.dayPath(await schedule.castChannel(other), 2);
    bodyOf(200, await everybody(disabled));
    bodyOf(204, await schedule.post('/api/user/me/disable', {}, other.token));
    bodyOf(404, await everybody(disabled));
  });
});
