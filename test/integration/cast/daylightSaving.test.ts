import { expect } from 'chai';
import { bodyOf, rejectedFields } from '../../support/responses.js';
import { openSchedule, worded } from './schedule.js';
import { useFixture } from '../../support/fixtures.js';
import { CastChannel } from '../../../shared/cast/cast.model.js';
import { storedRows } from '../../support/rows.js';

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
        pause('26/03/2044', '20:00', '21:00'),
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
    const [short, next] = bodyOf(200, copied).dailyProgrammings;
    expect(worded(short.programs)).to.deep.equal([
      '01:30-03:00 BREAK 01:30',
      '03:00-04:00 BREAK 02:30',
      '04:00-20:00 BREAK Break',
      '20:00-21:00 BREAK 20:00',
    ]);
    expect(worded(next.programs)).to.deep.equal([
      '01:30-02:30 BREAK 01:30',
      '02:30-04:00 BREAK 02:30',
      '04:00-20:00 BREAK Break',
      '20:00-21:00 BREAK 20:00',
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
