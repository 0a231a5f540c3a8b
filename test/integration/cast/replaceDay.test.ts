import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { bodyOf, rejectedFields } from '../../support/responses.js';
import { expectFrozen, idsOf, openSchedule, worded, type Schedule } from './schedule.js';

/** `docs/contract.md#choices-cast`. Days with changes of clocks: daylightSaving.test.ts; rights: programRights.test.ts. */
describe('POST /api/cast/channel/{channelId}/dailyprogramming/{yyyyMMdd}', () => {
  let schedule: Schedule;
  let film: string;
  let stream: string;

  before(async () => {
    schedule = await openSchedule();
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

  it('200 with all programs in order of time, as they are read afterwards; gaps become breaks', async () => {
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

  it('a break has a title in the language of the request', async () => {
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

  it('a day can be sent back as it was read, and nothing changes', async () => {
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

  it('replaces what is left out; entries with an id keep it, and the description where they send none', async () => {
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
    // Two programs change places: at no moment do both start at the same time.
    const swapped = await schedule.saved(channelId, 2, [
      entry('11:20', '11:40', { programId: one, offset: 0, tags: [] }),
      entry('11:00', '11:20', { programId: three }),
    ]);
    expect(idsOf(swapped.programs)).to.deep.equal([three, one]);
    expect(swapped.programs[1]).to.not.have.any.keys('offset', 'tags');
  });

  it('programs keep their ids also with clients that send none, and so do the breaks between them', async () => {
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

  it('the last program may end on the next day, up to the first one there, which may not start before', async () => {
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
    // The day before does not get a break up to the next day, and the next day none from midnight on.
    expect(worded(bodyOf(200, await schedule.read(channelId, 2)).programs)).to.have.length(1);
    expect(worded(bodyOf(200, await schedule.read(channelId, 3)).programs)).to.have.length(1);
  });

  it('400 with one error for each wrong program, and nothing is stored', async () => {
    const channelId = await schedule.castChannel();
    await schedule.saved(channelId, 2, [pause('09:00', '10:00', { title: 'Kept' })]);
    const pending = await schedule.film(3600, { state: 'PENDING' });
    const foreign = await schedule.film(3600, {}, schedule.viewer);
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
    ]);
    expect(response.body.message).to.include('programs[1].startDate').and.to.include('The program starts before');
    expect(worded(bodyOf(200, await schedule.read(channelId, 2)).programs)).to.deep.equal(['09:00-10:00 BREAK Kept']);
    const italian = await schedule.save(channelId, 2, [pause('22:00', '21:59:59')], { 'accept-language': 'it' });
    expect(bodyOf(400, italian).errors[0].defaultMessage).to.equal('La fine deve essere successiva all’inizio.');
  });

  it('400 for a program of another day, one that is sent twice, and one of more than 24 hours', async () => {
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

  it('a program may be as long as its content is for clients, which read its duration in seconds', async () => {
    const channelId = await schedule.castChannel();
    const rounded = await schedule.film(59.6);
    await schedule.saved(channelId, 2, [entry('10:00', '10:01', { sourceId: rounded })]);
    const response = await schedule.save(channelId, 2, [entry('10:00', '10:01:01', { sourceId: rounded })]);
    expect(rejectedFields(response)).to.deep.equal(['programs[0].endDate contentTooShort']);
  });

  it('an empty list empties the day', async () => {
    const channelId = await schedule.castChannel();
    await schedule.saved(channelId, 2, [pause('10:00', '11:00')]);
    expect((await schedule.saved(channelId, 2, [])).programs).to.deep.equal([]);
  });

  it('409 that names the first second that can be changed, for what starts before; at that second it is accepted', async () => {
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

  it('a day of which a part is decided is saved unchanged, changed later, and not changed before', async () => {
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

  it('412 where the day has changed since it was read; with the tag of the day it is saved', async () => {
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

  it('400 for more programs than a day may have, the breaks between them included', async () => {
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

  it('400 for a day that does not exist, and bodies of another form', async () => {
    const channelId = await schedule.castChannel();
    const path = `/api/cast/channel/${channelId}/dailyprogramming/`;
    for (const date of ['20260230', '19991231', '2026-01-01', '1', '202601011'])
      expect(rejectedFields(await schedule.post(path + date, { programs: [] })), date).to.deep.equal(['date date']);
    expect(rejectedFields(await schedule.post(`${path}20300101`, {}))).to.deep.equal(['programs required']);
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

  it('404 for the channel of another user, an unknown and a malformed id', async () => {
    const channelId = await schedule.castChannel();
    const path = schedule.dayPath(channelId, 2);
    bodyOf(404, await schedule.post(path, { programs: [] }, schedule.viewer.token));
    for (const id of [randomUUID(), '1', await schedule.channel()]) bodyOf(404, await schedule.save(id, 2, []));
  });
});
