import { expect } from 'chai';
import { bodyOf, rejectedFields } from '../../support/api.js';
import { expectFrozen, idsOf, openSchedule, worded } from './schedule.js';
import { useFixture } from '../../support/fixtures.js';

/** Operations that shift later programs: `docs/contract.md#choices-cast`. Random sequences of them: programmingModel.test.ts. */
describe('POST .../dailyprogramming/{yyyyMMdd}/insert, move and remove', () => {
  const schedule = useFixture(openSchedule);
  let film: string;
  let stream: string;

  before(async () => {
    film = await schedule.film(90.7, { title: 'Film', description: 'Long', tags: ['snow'] });
    stream = await schedule.castStream();
  });

  const pause = (title: string, start: string, end: string) => ({
    ...{ startDate: schedule.at(2, start), endDate: schedule.at(2, end), programType: 'BREAK', title },
  });
  /** A channel with the programs A 10:00-10:10, B 10:10-10:30, C 10:30-11:00. */
  async function abc(): Promise<string> {
    const channelId = await schedule.castChannel();
    await schedule.saved(channelId, 2, [
      pause('A', '10:00', '10:10'),
      pause('B', '10:10', '10:30'),
      pause('C', '10:30', '11:00'),
    ]);
    return channelId;
  }
  const aBreak = (title: string, minutes: number) => ({ sourceType: 'BREAK', duration: minutes * 60, title });
  const insert = (channelId: string, index: number | undefined, ...sourceItems: object[]) =>
    schedule.edit(channelId, 2, 'insert', { index, sourceItems });
  const move = (channelId: string, fromIndex: number, toIndex: number) =>
    schedule.edit(channelId, 2, 'move', { fromIndex, toIndex });
  const remove = (channelId: string, index: number, count: number) =>
    schedule.edit(channelId, 2, 'remove', { index, count });
  const programsOf = async (channelId: string) => bodyOf(200, await schedule.read(channelId, 2)).programs;

  it('insert: returns 200, shifts later programs, and takes whole seconds and texts from the content', async () => {
    const channelId = await abc();
    const before = idsOf(await programsOf(channelId));
    const response = await insert(
      channelId,
      1,
      { sourceType: 'PRERECORDED', sourceId: film, duration: 5 },
      { sourceType: 'PRERECORDED', sourceId: film.toUpperCase(), offset: 30, title: 'Rest' },
      { sourceType: 'LIVE', sourceId: stream, duration: 120, offset: 9 },
      aBreak('Ads', 1),
    );
    const { programs } = bodyOf(200, response);
    expect(worded(programs)).to.deep.equal([
      '10:00-10:10 BREAK A',
      '10:10-10:11 PRERECORDED Film',
      '10:11-10:12 PRERECORDED Rest',
      '10:12-10:14 LIVE Mountain channel',
      '10:14-10:15 BREAK Ads',
      '10:15-10:35 BREAK B',
      '10:35-11:05 BREAK C',
    ]);
    expect(programs[1].endDate.time).to.equal('10:11:30');
    expect(programs[1]).to.deep.include({ description: 'Long', tags: ['snow'] });
    expect(programs[2].offset).to.equal(30);
    expect(programs[3]).to.not.have.property('offset');
    expect(idsOf(programs).filter((_, index) => [0, 5, 6].includes(index))).to.deep.equal(before);
    const read = await schedule.read(channelId, 2);
    expect(bodyOf(200, read)).to.deep.equal(response.body);
    expect(read.headers.get('etag')).to.equal(response.headers.get('etag'));
  });

  it('insert: appends without an index, also in concurrent requests', async () => {
    const channelId = await abc();
    const last = async (title: string) => bodyOf(200, await insert(channelId, undefined, aBreak(title, 5)));
    expect(worded((await last('last')).programs).at(-1)).to.equal('11:00-11:05 BREAK last');
    await Promise.all([last('one'), last('other')]);
    expect(
      worded(await programsOf(channelId))
        .slice(4)
        .map((program) => program.slice(0, 17)),
    ).to.deep.equal(['11:05-11:10 BREAK', '11:10-11:15 BREAK']);
  });

  it('insert: starts an empty day at midnight or at the end of the previous day’s programs', async () => {
    const channelId = await schedule.castChannel();
    const { programs } = bodyOf(200, await insert(channelId, 0, aBreak('first', 5)));
    expect(worded(programs)).to.deep.equal(['00:00-00:05 BREAK first']);
    const other = await schedule.castChannel();
    const evening = { ...pause('evening', '22:00', '22:00'), endDate: schedule.at(3, '01:00') };
    await schedule.saved(other, 2, [evening]);
    const next = await schedule.edit(other, 3, 'insert', { index: 0, sourceItems: [aBreak('next', 5)] });
    expect(worded(bodyOf(200, next).programs)).to.deep.equal(['01:00-01:05 BREAK next']);
  });

  it('insert: starts a program after today’s past as early as possible, after a break', async () => {
    const today = schedule.today(await schedule.castChannel());
    const post = (operation: string, body: object) =>
      schedule.post(`${today.path}/${operation}`, body, undefined, today.headers);
    const start = today.fromFree(0);
    const first = bodyOf(200, await post('insert', { index: 0, sourceItems: [aBreak('first', 1)] }));
    expect(first.programs[0].startDate).to.deep.equal(start);
    schedule.ctx.clock.advance(600_000);
    const last = { sourceType: 'LIVE', sourceId: stream, duration: 60, title: 'last' };
    const second = bodyOf(200, await post('insert', { index: 1, sourceItems: [last] }));
    expect(second.programs.map(({ title }: { title: string }) => title)).to.deep.equal(['first', 'Break', 'last']);
    expect(second.programs[2].startDate).to.deep.equal(today.fromFree(0));
    expectFrozen(await post('insert', { index: 0, sourceItems: [last] }));
    // The last program is on air now: changes that keep it are accepted.
    schedule.ctx.clock.advance((schedule.ctx.config.cast.freezeSeconds + 1) * 1000);
    expectFrozen(await post('remove', { index: 2, count: 1 }));
    expectFrozen(await post('move', { fromIndex: 2, toIndex: 0 }));
    bodyOf(200, await post('insert', { index: 3, sourceItems: [aBreak('more', 1)] }));
    bodyOf(200, await post('remove', { index: 3, count: 2 }));
  });

  it('insert: returns 400 for invalid sources, one error each, and for programs that would start on the next day', async () => {
    const channelId = await abc();
    const foreign = await schedule.film(60, {}, schedule.viewer);
    const wrong = await insert(channelId, 0, { sourceType: 'PRERECORDED', sourceId: foreign }, aBreak('right', 1), {
      sourceType: 'PRERECORDED',
      sourceId: await schedule.film(60, { state: 'FAILED', failureKey: 'content.failure.empty' }),
    });
    expect(rejectedFields(wrong)).to.deep.equal([
      'sourceItems[0].sourceId contentUnknown',
      'sourceItems[2].sourceId contentNotReady',
    ]);
    expect(wrong.body.errors[1].defaultMessage).to.match(/cannot be programmed\. The file is empty\.$/);
    const other = await insert(channelId, 0, { sourceType: 'LIVE', sourceId: foreign, duration: 60 });
    expect(rejectedFields(other)).to.deep.equal(['sourceItems[0].sourceId streamUnknown']);
    const beyond = await insert(channelId, 0, { sourceType: 'PRERECORDED', sourceId: film, offset: 91 });
    expect(rejectedFields(beyond)).to.deep.equal(['sourceItems[0].offset offsetTooLarge']);
    const long = await insert(channelId, 1, aBreak('long', 14 * 60));
    expect(rejectedFields(long)).to.deep.equal(['programs[1].startDate otherDay', 'programs[2].startDate otherDay']);
    expect(worded(await programsOf(channelId))).to.have.length(3);
  });

  it('insert: returns 400 for invalid bodies', async () => {
    const channelId = await abc();
    const item = (members: object) => insert(channelId, 0, members);
    expect(rejectedFields(await item({ sourceType: 'BREAK' }))).to.deep.equal(['sourceItems[0].duration required']);
    expect(rejectedFields(await item({ sourceType: 'LIVE', duration: 0 }))).to.have.members([
      'sourceItems[0].sourceId required',
      'sourceItems[0].duration minimum',
    ]);
    expect(rejectedFields(await item({ sourceType: 'BREAK', duration: 86_401 }))).to.deep.equal([
      'sourceItems[0].duration maximum',
    ]);
    expect(rejectedFields(await insert(channelId, 4, aBreak('a', 1)))).to.deep.equal(['index outOfRange']);
    expect(rejectedFields(await insert(channelId, -1))).to.have.members(['index minimum', 'sourceItems tooFew']);
  });

  it('move: returns 200 and counts both indexes before the move', async () => {
    const channelId = await abc();
    const ids = idsOf(await programsOf(channelId));
    const { programs } = bodyOf(200, await move(channelId, 0, 3));
    expect(worded(programs)).to.deep.equal(['10:00-10:20 BREAK B', '10:20-10:50 BREAK C', '10:50-11:00 BREAK A']);
    expect(idsOf(programs)).to.deep.equal([ids[1], ids[2], ids[0]]);
    expect(worded(bodyOf(200, await move(channelId, 2, 0)).programs)[0]).to.equal('10:00-10:10 BREAK A');
    const unchanged = await schedule.read(channelId, 2);
    for (const to of [1, 2]) {
      const response = await move(channelId, 1, to);
      expect(bodyOf(200, response)).to.deep.equal(unchanged.body);
      expect(response.headers.get('etag')).to.equal(unchanged.headers.get('etag'));
    }
  });

  it('remove: returns 200 and shifts later programs forward, up to removing all', async () => {
    const channelId = await abc();
    expect(worded(bodyOf(200, await remove(channelId, 0, 1)).programs)).to.deep.equal([
      '10:00-10:20 BREAK B',
      '10:20-10:50 BREAK C',
    ]);
    expect(worded(bodyOf(200, await remove(channelId, 1, 1)).programs)).to.deep.equal(['10:00-10:20 BREAK B']);
    expect(bodyOf(200, await remove(channelId, 0, 1)).programs).to.deep.equal([]);
  });

  it('move and remove: return 400 for indexes outside the day', async () => {
    const channelId = await abc();
    expect(rejectedFields(await move(channelId, 3, 0))).to.deep.equal(['fromIndex outOfRange']);
    expect(rejectedFields(await move(channelId, 3, 4))).to.deep.equal(['fromIndex outOfRange', 'toIndex outOfRange']);
    expect(rejectedFields(await remove(channelId, 3, 1))).to.deep.equal(['index outOfRange']);
    expect(rejectedFields(await remove(channelId, 2, 2))).to.deep.equal(['count outOfRange']);
    expect(rejectedFields(await remove(channelId, 0, 0))).to.deep.equal(['count minimum']);
    expect(rejectedFields(await remove(await schedule.castChannel(), 0, 1))).to.deep.equal(['index outOfRange']);
  });

  it('return 412 with an outdated tag and 400 for an invalid date', async () => {
    const channelId = await abc();
    const bodies = {
      insert: { index: 0, sourceItems: [aBreak('a', 1)] },
      move: { fromIndex: 0, toIndex: 1 },
      remove: { index: 0, count: 1 },
    };
    for (const [operation, body] of Object.entries(bodies)) {
      bodyOf(412, await schedule.edit(channelId, 2, operation, body, { 'if-match': '"other"' }));
      const wrongDay = `/api/cast/channel/${channelId}/dailyprogramming/20300231/${operation}`;
      expect(rejectedFields(await schedule.post(wrongDay, body))).to.deep.equal(['date date']);
    }
    expect(worded(await programsOf(channelId))).to.have.length(3);
  });
});
