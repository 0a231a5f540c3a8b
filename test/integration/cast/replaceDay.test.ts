import { expect } from 'chai';
import { bodyOf, rejectedFields } from '../../support/api.js';
import { idsOf, openSchedule, worded } from './schedule.js';
import { useFixture } from '../../support/fixtures.js';
import { CastChannel } from '../../../shared/cast/cast.model.js';
import { storedRows } from '../../support/rows.js';

/**
 * `docs/contract.md#choices-cast`. Rejected days: replaceDayRefused.test.ts.
 */
describe('POST /api/cast/channel/{channelId}/dailyprogramming/{yyyyMMdd}', () => {
  const schedule = useFixture(openSchedule);
  let film: string;
  let stream: string;

  before(async () => {
    film = await schedule.film(3600, { title: 'Film', description: 'Long', tags: ['snow'] });
    stream = await schedule.castStream();
  });

  const entry = (start: string, end: string, members: object = {}, day = 2) => ({
    ...{ startDate: schedule.at(day, start), endDate: schedule.at(day, end) },
    ...{ programType: 'PRERECORDED', sourceId: film },
    ...members,
  });
  const pause = (start: string, end: string, members: object = {}) =>
    entry(start, end, { programType: 'BREAK', sourceId: undefined, ...members });

  it('returns 200 with all programs by time, as later reads do, and turns gaps into breaks', async () => {
    const channelId = await schedule.castChannel();
    const body = await schedule.saved(channelId, 2, [
      entry('12:00', '12:30', { programType: 'LIVE', sourceId: stream, title: 'News' }),
      entry('10:00', '11:00', { offset: 0 }),
      entry('11:00', '11:00:01', { offset: 60, title: 'Second', description: 'Own', tags: ['own'] }),
    ]);
    expect(worded(body.programs)).to.deep.equal([
      '10:00-11:00 PRERECORDED Film',
      '11:00-11:00 PRERECORDED Second',
      '11:00-12:00 BREAK Break',
      '12:00-12:30 LIVE News',
    ]);
    const [first, second, gap, news] = body.programs;
    expect(first).to.include({ description: 'Long' });
    expect(first.tags).to.deep.equal(['snow']);
    expect(first.boxContent).to.include({ boxId: film, title: 'Film', duration: '60:00' });
    expect(first).to.not.have.property('offset');
    expect(second).to.include({ offset: 60, description: 'Own' });
    expect(gap).to.not.have.any.keys('boxContent', 'stream', 'description');
    expect(news.stream.streamId).to.equal(stream);
    expect(body.channel.channelId).to.equal(channelId);
    expect(body).to.deep.include({
      targetDate: schedule.at(2, '00:00').date,
      startDateMin: schedule.at(2, '00:00'),
      endDateMax: schedule.at(3, '23:59:59'),
    });
    const read = await schedule.read(channelId, 2);
    expect(bodyOf(200, read)).to.deep.equal(body);
  });

  it('titles breaks in the request’s language', async () => {
    const channelId = await schedule.castChannel();
    const body = await schedule.saved(channelId, 2, [pause('10:00', '11:00'), pause('12:00', '13:00')], {
      'accept-language': 'it',
    });
    expect(worded(body.programs)).to.deep.equal([
      '10:00-11:00 BREAK Pausa',
      '11:00-12:00 BREAK Pausa',
      '12:00-13:00 BREAK Pausa',
    ]);
  });

  it('changes nothing if a day is sent back as read', async () => {
    const channelId = await schedule.castChannel();
    await schedule.saved(channelId, 2, [
      entry('10:00', '10:30', { offset: 7 }),
      entry('11:00', '12:00', { programType: 'LIVE', sourceId: stream }),
      pause('12:00', '13:00', { title: 'Ads' }),
    ]);
    const read = await schedule.read(channelId, 2);
    const before = await rowsOf(channelId);
    const response = await schedule.post(schedule.dayPath(channelId, 2), bodyOf(200, read));
    expect(bodyOf(200, response)).to.deep.equal(read.body);
    expect(response.headers.get('etag')).to.equal(read.headers.get('etag'));
    expect(await rowsOf(channelId)).to.deep.equal(before);
  });

  const rowsOf = (channelId: string) =>
    schedule.ctx.db.rows('SELECT *, xmin::text FROM cast_programs WHERE channel_id = $channelId ORDER BY starts_at', {
      channelId,
    });

  it('removes omitted programs; entries with an id keep it, and keep their description if they send none', async () => {
    const channelId = await schedule.castChannel();
    const thumbnailId = await schedule.thumbnail();
    const { programs } = await schedule.saved(channelId, 2, [
      entry('10:00', '10:30', { title: 'One', description: 'Text', tags: ['a', 'b'], thumbnailId, offset: 5 }),
      entry('10:30', '11:00', { title: 'Two' }),
      entry('11:00', '11:30', { title: 'Three' }),
    ]);
    const [one, two, three] = idsOf(programs);
    const body = await schedule.saved(channelId, 2, [
      entry('11:00', '11:20', { programId: one, programType: undefined, sourceId: undefined }),
      entry('11:20', '11:40', { programId: three?.toUpperCase(), title: 'New' }),
    ]);
    expect(idsOf(body.programs)).to.deep.equal([one, three]);
    expect(body.programs[0]).to.deep.include({
      title: 'One',
      description: 'Text',
      tags: ['a', 'b'],
      thumbnailId,
      offset: 5,
    });
    expect(body.programs[1].title).to.equal('New');
    bodyOf(404, await schedule.get(`/api/cast/program/${two}`));
    // Two programs swap places, and never start at the same time in between.
    const swapped = await schedule.saved(channelId, 2, [
      entry('11:20', '11:40', { programId: one, offset: 0, tags: [] }),
      entry('11:00', '11:20', { programId: three }),
    ]);
    expect(idsOf(swapped.programs)).to.deep.equal([three, one]);
    expect(swapped.programs[1]).to.not.have.any.keys('offset', 'tags');
    expect((await schedule.saved(channelId, 2, [])).programs).to.deep.equal([]);
  });

  it('keeps the ids of programs and of the breaks between them for clients that send no ids', async () => {
    const channelId = await schedule.castChannel();
    const programs = [entry('10:00', '10:30'), entry('11:00', '11:30', { programType: 'LIVE', sourceId: stream })];
    const before = await schedule.saved(channelId, 2, programs);
    const after = await schedule.saved(channelId, 2, [
      entry('10:00', '10:40'),
      entry('11:00', '11:45', { programType: 'LIVE', sourceId: stream }),
    ]);
    expect(idsOf(after.programs).filter((_, index) => index !== 1)).to.deep.equal([
      before.programs[0].programId,
      before.programs[2].programId,
    ]);
    const again = await schedule.saved(channelId, 2, programs);
    const later = await schedule.saved(channelId, 2, programs);
    expect(idsOf(later.programs)).to.deep.equal(idsOf(again.programs));
  });

  it('lets the last program end on the next day, up to that day’s first program, which may not start earlier', async () => {
    const channelId = await schedule.castChannel();
    const live = { programType: 'LIVE', sourceId: stream };
    const evening = { ...entry('22:00', '00:00', live), endDate: schedule.at(3, '02:00') };
    const body = await schedule.saved(channelId, 2, [evening]);
    expect(body.endDateMax).to.deep.equal(schedule.at(3, '23:59:59'));
    expect(rejectedFields(await schedule.save(channelId, 3, [entry('01:59:59', '03:00', live, 3)]))).to.deep.equal([
      'programs[0].startDate overlapsDayBefore',
    ]);
    const next = await schedule.saved(channelId, 3, [entry('02:00', '03:00', live, 3)]);
    expect(next.startDateMin).to.deep.equal(schedule.at(3, '02:00'));
    const longer = { ...evening, endDate: schedule.at(3, '02:00:01') };
    expect(rejectedFields(await schedule.save(channelId, 2, [longer]))).to.deep.equal([
      'programs[0].endDate overlapsDayAfter',
    ]);
    // No break is added at the end of the first day or at the start of the next one.
    expect(worded(bodyOf(200, await schedule.read(channelId, 2)).programs)).to.have.length(1);
    expect(worded(bodyOf(200, await schedule.read(channelId, 3)).programs)).to.have.length(1);
  });
});

const rome = { 'x-service-timezone': 'Europe/Rome' };

/** In Rome, 27/03/2044 has 23 hours and 30/10/2044 has 25. */
describe('daily programming across a daylight saving change', () => {
  const schedule = useFixture(openSchedule);
  let channelId: string;
  beforeEach(async () => {
    channelId = await schedule.castChannel();
  });

  const path = (date: string) => `/api/cast/channel/${channelId}/dailyprogramming/${date}`;
  const pause = (date: string, start: string, end: string, endDate = date) => ({
    ...{ startDate: { date, time: `${start}:00` }, endDate: { date: endDate, time: `${end}:00` } },
    ...{ programType: 'BREAK', title: start },
  });
  const save = (date: string, ...programs: object[]) => schedule.post(path(date), { programs }, undefined, rome);
  const utcOf = () =>
    schedule.ctx.db.rows<{ from: string; until: string }>(
      `SELECT to_char(starts_at AT TIME ZONE 'UTC', 'HH24:MI') AS from, to_char(ends_at AT TIME ZONE 'UTC', 'HH24:MI') AS until
         FROM cast_programs WHERE channel_id = $channelId ORDER BY starts_at`,
      { channelId },
    );

  it('shortens programs over the skipped hour of a day of 23 hours', async () => {
    const date = '27/03/2044';
    const body = bodyOf(
      200,
      await save(
        '20440327',
        pause(date, '00:00', '01:30'),
        pause(date, '01:30', '03:30'),
        pause(date, '03:30', '00:00', '28/03/2044'),
      ),
    );
    expect(worded(body.programs)).to.have.length(3);
    expect(await utcOf()).to.deep.equal([
      { from: '23:00', until: '00:30' },
      { from: '00:30', until: '01:30' },
      { from: '01:30', until: '22:00' },
    ]);
    expect(body.startDateMin).to.deep.equal({ date, time: '00:00:00' });
    expect(body.endDateMax).to.deep.equal({ date: '28/03/2044', time: '23:59:59' });
    const skipped = await save(
      '20440327',
      pause(date, '02:00', '02:30'),
      pause(date, '04:00', '05:00'),
      pause(date, '05:00', '04:59'),
    );
    expect(rejectedFields(skipped)).to.deep.equal([
      'programs[0].startDate noSuchTime',
      'programs[2].endDate endBeforeStart',
    ]);
    expect(skipped.body.message).to.include('does not exist');
  });

  it('has programs twice in the repeated hour of a day of 25 hours, and accepts the day as read', async () => {
    const date = '30/10/2044';
    const programs = [
      pause(date, '00:00', '02:00'),
      pause(date, '02:00', '02:30'),
      pause(date, '02:30', '02:15'),
      pause(date, '02:15', '03:00'),
      pause(date, '03:00', '00:00', '31/10/2044'),
    ];
    const body = bodyOf(200, await save('20441030', ...programs));
    expect(body.programs).to.have.length(5);
    expect(await utcOf()).to.deep.equal([
      { from: '22:00', until: '00:00' },
      { from: '00:00', until: '00:30' },
      { from: '00:30', until: '01:15' },
      { from: '01:15', until: '02:00' },
      { from: '02:00', until: '23:00' },
    ]);
    const again = await schedule.post(path('20441030'), body, undefined, rome);
    expect(bodyOf(200, again)).to.deep.equal(body);
  });

  it('fills a gap of more than 24 hours with two breaks', async () => {
    const date = '30/10/2044';
    const { programs } = bodyOf(
      200,
      await save('20441030', pause(date, '00:00', '00:01'), pause(date, '23:58', '23:59')),
    );
    expect(programs).to.have.length(4);
    expect(programs.map(({ title }: { title: string }) => title)).to.deep.equal(['00:00', 'Break', 'Break', '23:58']);
  });

  it('keeps the local times in a copy', async () => {
    const dates = ['26/03/2044', '27/03/2044'];
    bodyOf(
      200,
      await save(
        '20440326',
        pause('26/03/2044', '01:30', '02:30'),
        pause('26/03/2044', '02:30', '04:00'),
        pause('26/03/2044', '04:00', '05:00'),
      ),
    );
    const body = {
      sourceChannelId: channelId,
      destChannelId: channelId,
      sourceStartDate: dates[0],
      destStartDate: dates[1],
    };
    const copied = await schedule.post(
      '/api/cast/calendar/copy',
      { ...body, sourceDayCount: 1, destDayCount: 2 },
      undefined,
      rome,
    );
    expect(
      bodyOf(200, copied).dailyProgrammings.map(({ programs }: { programs: object[] }) => worded(programs)),
    ).to.deep.equal([
      ['01:30-03:00 BREAK 01:30', '03:00-04:00 BREAK 02:30', '04:00-05:00 BREAK 04:00'],
      ['01:30-02:30 BREAK 01:30', '02:30-04:00 BREAK 02:30', '04:00-05:00 BREAK 04:00'],
    ]);
  });

  it('uses the time zone of the last change, and days of 24 hours for an offset in milliseconds', async () => {
    const zoneOf = async () => (await storedRows(schedule.ctx, CastChannel, { id: channelId }))[0]?.timeZone;
    bodyOf(200, await save('20440327', pause('27/03/2044', '10:00', '11:00')));
    expect(await zoneOf()).to.equal('Europe/Rome');
    const fixed = { 'x-service-timezone': '3600000' };
    const programs = [pause('27/03/2044', '02:30', '03:00')];
    bodyOf(200, await schedule.post(path('20440327'), { programs }, undefined, fixed));
    expect(await zoneOf()).to.equal('3600000');
    expect(await utcOf()).to.deep.equal([{ from: '01:30', until: '02:00' }]);
  });
});
