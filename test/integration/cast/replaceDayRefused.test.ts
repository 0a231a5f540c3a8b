import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { seedPreparing } from '../../support/rows.js';
import { bodyOf, rejectedFields } from '../../support/api.js';
import { expectFrozen, idsOf, openSchedule, worded } from './schedule.js';
import { useFixture } from '../../support/fixtures.js';

/** `docs/contract.md#choices-cast` */
describe('POST .../dailyprogramming/{yyyyMMdd} of an invalid, decided or concurrently changed day', () => {
  const schedule = useFixture(openSchedule);
  let film: string;
  let stream: string;

  before(async () => {
    film = await schedule.film(3600);
    stream = await schedule.castStream();
  });

  const entry = (start: string, end: string, members: object = {}, day = 2) => ({
    ...{ startDate: schedule.at(day, start), endDate: schedule.at(day, end) },
    ...{ programType: 'PRERECORDED', sourceId: film },
    ...members,
  });
  const pause = (start: string, end: string, members: object = {}) =>
    entry(start, end, { programType: 'BREAK', sourceId: undefined, ...members });

  it('returns 400 with one error per invalid program, and stores nothing', async () => {
    const channelId = await schedule.castChannel();
    await schedule.saved(channelId, 2, [pause('09:00', '10:00', { title: 'Kept' })]);
    const pending = await schedule.film(3600, { state: 'PENDING' });
    const foreign = await schedule.film(3600, {}, schedule.viewer);
    const incomplete = await schedule.film(3600);
    await schedule.ctx.db.change(
      'UPDATE contents SET ready_grid = NULL WHERE id = (SELECT content_id FROM box_items WHERE id = $incomplete)',
      { incomplete },
    );
    const preparing = await schedule.film(3600);
    const contents = 'SELECT content_id AS id FROM box_items WHERE id = $preparing';
    const [content] = await schedule.ctx.db.rows<{ id: string }>(contents, { preparing });
    await seedPreparing(schedule.ctx, content!.id);
    const response = await schedule.save(channelId, 2, [
      entry('10:00', '10:30'),
      entry('10:29:59', '10:45', { title: 'Too early' }),
      entry('11:00', '12:00:01'),
      entry('13:00', '13:30', { offset: 3600 }),
      entry('14:00', '14:30', { sourceId: pending }),
      entry('15:00', '15:30', { sourceId: foreign }),
      entry('16:00', '16:30', { sourceId: 'no id' }),
      entry('17:00', '17:30', { programType: 'LIVE', sourceId: film }),
      entry('18:00', '18:30', { programId: randomUUID() }),
      entry('19:00', '19:30', { programType: undefined }),
      entry('20:00', '20:30', { sourceId: undefined }),
      { ...pause('21:00', '22:00'), startDate: schedule.at(1, '23:59:59') },
      pause('22:00', '21:59:59'),
      entry('22:30', '23:00', { thumbnailId: randomUUID() }),
      pause('23:00', '23:30'),
      entry('23:30', '23:45', { sourceId: incomplete }),
      entry('23:45', '23:50', { sourceId: preparing }),
    ]);
    expect(rejectedFields(response)).to.deep.equal([
      'programs[1].startDate overlap',
      'programs[2].endDate contentTooShort',
      'programs[3].offset offsetTooLarge',
      'programs[4].sourceId contentNotReady',
      'programs[5].sourceId contentUnknown',
      'programs[6].sourceId contentUnknown',
      'programs[7].sourceId streamUnknown',
      'programs[8].programId programUnknown',
      'programs[9].programType required',
      'programs[10].sourceId required',
      'programs[11].startDate otherDay',
      'programs[12].endDate endBeforeStart',
      'programs[13].thumbnailId thumbnailUnknown',
      'programs[15].sourceId renditionsMissing',
      'programs[16].sourceId renditionsPreparing',
    ]);
    expect(response.body.errors.at(-1).defaultMessage).to.include('52 percent');
    expect(response.body.message).to.include('programs[1].startDate').and.to.include('The program starts before');
    expect(worded(bodyOf(200, await schedule.read(channelId, 2)).programs)).to.deep.equal(['09:00-10:00 BREAK Kept']);
    const italian = await schedule.save(channelId, 2, [pause('22:00', '21:59:59')], { 'accept-language': 'it' });
    expect(bodyOf(400, italian).errors[0].defaultMessage).to.equal('La fine deve essere successiva all’inizio.');
  });

  it('returns 400 for a program of another day, a duplicate id, and a length above 24 hours', async () => {
    const channelId = await schedule.castChannel();
    const { programs } = await schedule.saved(channelId, 3, [entry('10:00', '10:30', {}, 3)]);
    const programId = programs[0].programId;
    expect(rejectedFields(await schedule.save(channelId, 2, [entry('10:00', '10:30', { programId })]))).to.deep.equal([
      'programs[0].programId programUnknown',
    ]);
    const twice = [entry('10:00', '10:30', { programId }, 3), entry('11:00', '11:30', { programId }, 3)];
    expect(rejectedFields(await schedule.save(channelId, 3, twice))).to.deep.equal([
      'programs[1].programId programTwice',
    ]);
    const long = { ...pause('10:00', '10:00'), endDate: schedule.at(3, '09:00') };
    const longer = { ...long, endDate: schedule.at(3, '10:00:01') };
    await schedule.saved(await schedule.castChannel(), 2, [{ ...long, endDate: schedule.at(3, '10:00') }]);
    expect(rejectedFields(await schedule.save(channelId, 2, [longer]))).to.deep.equal(['programs[0].endDate tooLong']);
  });

  it('accepts a program up to the content’s duration rounded for clients', async () => {
    const channelId = await schedule.castChannel();
    const rounded = await schedule.film(59.6);
    await schedule.saved(channelId, 2, [entry('10:00', '10:01', { sourceId: rounded })]);
    const response = await schedule.save(channelId, 2, [entry('10:00', '10:01:01', { sourceId: rounded })]);
    expect(rejectedFields(response)).to.deep.equal(['programs[0].endDate contentTooShort']);
  });

  it('returns 400 for more programs than a day may have, including breaks', async () => {
    const channelId = await schedule.castChannel();
    const time = (second: number) => new Date(second * 1000).toISOString().slice(11, 19);
    const many = (count: number, step: number) =>
      Array.from({ length: count }, (_, index) => pause(time(index * step), time(index * step + 60)));
    const full = await schedule.saved(channelId, 2, many(400, 60));
    expect(full.programs).to.have.length(400);
    bodyOf(200, await schedule.post(schedule.dayPath(channelId, 2), full));
    expect(rejectedFields(await schedule.save(channelId, 2, many(401, 60)))).to.deep.equal(['programs tooMany']);
    expect(rejectedFields(await schedule.save(channelId, 2, many(201, 120)))).to.deep.equal([
      'programs tooManyPrograms',
    ]);
    const item = { sourceType: 'BREAK', duration: 1 };
    const inserted = await schedule.edit(channelId, 2, 'insert', { index: 0, sourceItems: [item] });
    expect(rejectedFields(inserted)).to.deep.equal(['programs tooManyPrograms']);
  }).timeout(20_000);

  it('returns 400 for an invalid date and invalid members', async () => {
    const channelId = await schedule.castChannel();
    const path = `/api/cast/channel/${channelId}/dailyprogramming/`;
    for (const date of ['20260230', '19991231', '2026-01-01', '1', '202601011'])
      expect(rejectedFields(await schedule.post(path + date, { programs: [] })), date).to.deep.equal(['date date']);
    const wrong = [
      { ...entry('10:00', '10:30'), endDate: { date: '1/1/2030', time: '24:00:00' }, programType: 'FILM', offset: -1 },
    ];
    expect(rejectedFields(await schedule.save(channelId, 2, wrong))).to.have.members([
      'programs[0].endDate.date date',
      'programs[0].endDate.time time',
      'programs[0].programType choice',
      'programs[0].offset minimum',
    ]);
  });

  it('returns 409 that names the first editable second, for an earlier start, and accepts a start at that second', async () => {
    const today = schedule.today(await schedule.castChannel());
    const save = (start: number, end: number) =>
      today.save({
        ...{ programType: 'LIVE', sourceId: stream },
        ...{ startDate: today.fromFree(start), endDate: today.fromFree(end) },
      });
    const refused = await save(-1, 60);
    expectFrozen(refused);
    const { date, time } = today.fromFree(0);
    expect(refused.body.message).to.include(`${date} ${time}`);
    expectFrozen(await save(-7200, -3600));
    bodyOf(200, await save(0, 60));
  });

  it('accepts a partly decided day if it is unchanged or changed later, and rejects earlier changes', async () => {
    const today = schedule.today(await schedule.castChannel());
    const start = today.fromFree(0);
    const live = (from: typeof start, until: typeof start, members: object = {}) => ({
      ...{ programType: 'LIVE', sourceId: stream, startDate: from, endDate: until, ...members },
    });
    const end = today.fromFree(600);
    const { programs } = bodyOf(200, await today.save(live(start, end)));
    const programId = programs[0].programId;
    // The program is on air.
    schedule.ctx.clock.advance((schedule.ctx.config.cast.freezeSeconds + 5) * 1000);
    bodyOf(200, await today.save(live(start, end, { programId })));
    const unnamed = bodyOf(200, await today.save(live(start, end)));
    expect(idsOf(unnamed.programs)).to.deep.equal([programId]);
    bodyOf(200, await today.save(live(start, end, { title: 'New title' })));
    bodyOf(200, await today.save(live(start, today.fromFree(0))));
    bodyOf(200, await today.save(live(start, today.fromFree(100)), live(today.fromFree(100), today.fromFree(200))));
    expectFrozen(await today.save(live(start, today.fromFree(-1))));
    expectFrozen(await today.save());
    const sourceId = await schedule.film(7200);
    expectFrozen(await today.save(live(start, end, { programType: 'PRERECORDED', sourceId })));
    expectFrozen(await today.save(live(today.fromFree(10), end)));
  });

  it('returns 412 if the day has changed since it was read, and saves it with its current tag', async () => {
    const channelId = await schedule.castChannel();
    const empty = await schedule.read(channelId, 2);
    const old = empty.headers.get('etag') ?? '';
    const programs = [pause('10:00', '11:00')];
    const first = await schedule.save(channelId, 2, programs, { 'if-match': old });
    const tag = first.headers.get('etag') ?? '';
    expect(tag)
      .to.match(/^"[\w-]{22}"$/)
      .and.to.not.equal(old);
    const refused = bodyOf(412, await schedule.save(channelId, 2, [], { 'if-match': old }));
    expect(refused.exception).to.equal('PreconditionFailedException');
    expect(refused.message).to.include('has changed');
    for (const ifMatch of [tag, `W/${tag}`, `"other", ${tag}`, '*'])
      bodyOf(200, await schedule.save(channelId, 2, programs, { 'if-match': ifMatch }));
    const title = [pause('10:00', '11:00', { title: 'New' })];
    expect((await schedule.save(channelId, 2, title)).headers.get('etag')).to.not.equal(tag);
    bodyOf(412, await schedule.save(channelId, 2, title, { 'if-match': tag }));
  });
});
