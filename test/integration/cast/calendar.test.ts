import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { lockCastChannel } from '../../../shared/cast/castChannel.service.js';
import { type TestResponse, bodyOf, rejectedFields } from '../../support/api.js';
import { fullChannel } from '../../support/cast/fullChannel.js';
import { watchLoop } from '../../support/loopWatch.js';
import { eventually } from '../../support/eventually.js';
import { expectFrozen, idsOf, openSchedule, worded } from './schedule.js';
import { useFixture } from '../../support/fixtures.js';

describe('the calendar of a channel over several days', () => {
  const schedule = useFixture(openSchedule);
  let stream: string;

  before(async () => {
    stream = await schedule.castStream();
  });

  const live = (day: number, start: string, end: string, title: string, endDay = day) => ({
    ...{ startDate: schedule.at(day, start), endDate: schedule.at(endDay, end), title },
    ...{ programType: 'LIVE', sourceId: stream, description: `About ${title}`, tags: [title] },
  });
  /** A channel with A and B on day 2, nothing on day 3, and C over midnight on day 4. */
  async function programmed(): Promise<string> {
    const channelId = await schedule.castChannel();
    await schedule.saved(channelId, 2, [live(2, '10:00', '11:00', 'A'), live(2, '11:00', '12:00', 'B')]);
    await schedule.saved(channelId, 4, [live(4, '23:00', '01:00', 'C', 5)]);
    return channelId;
  }
  const path = (channelId: string, day: number, count: number | string) =>
    `/api/cast/channel/${channelId}/calendar/${schedule.date(day)}/${count}`;
  const read = (channelId: string, day: number, count: number | string, token?: string) =>
    schedule.get(path(channelId, day, count), token);
  const wordedDays = (response: TestResponse) =>
    bodyOf(200, response).dailyProgrammings.map(({ programs }: { programs: object[] }) => worded(programs));

  it('GET: returns 200 with every day, including days without programs', async () => {
    const channelId = await programmed();
    const response = await read(channelId, 1, 5);
    expect(wordedDays(response)).to.deep.equal([
      [],
      ['10:00-11:00 LIVE A', '11:00-12:00 LIVE B'],
      [],
      ['23:00-01:00 LIVE C'],
      [],
    ]);
    const dates = response.body.dailyProgrammings.map(({ targetDate }: { targetDate: string }) => targetDate);
    expect(dates).to.deep.equal([1, 2, 3, 4, 5].map((day) => schedule.at(day, '00:00').date));
    const day = bodyOf(200, await schedule.read(channelId, 2));
    expect(response.body.dailyProgrammings[1].programs).to.deep.equal(day.programs);
    expect(bodyOf(200, await read(channelId, 1, 62)).dailyProgrammings).to.have.length(62);
  });

  it('DELETE: returns 204, also for one day, and keeps a program that only ends in these days', async () => {
    const channelId = await programmed();
    bodyOf(204, await schedule.remove(path(channelId, 5, 2)));
    bodyOf(204, await schedule.remove(path(channelId, 2, 2)));
    expect(wordedDays(await read(channelId, 2, 4))).to.deep.equal([[], [], ['23:00-01:00 LIVE C'], []]);
    bodyOf(204, await schedule.remove(schedule.dayPath(channelId, 5)));
    expect(wordedDays(await read(channelId, 4, 1))).to.deep.equal([['23:00-01:00 LIVE C']]);
    bodyOf(204, await schedule.remove(schedule.dayPath(channelId, 4)));
    bodyOf(204, await schedule.remove(schedule.dayPath(channelId, 4)));
    expect(wordedDays(await read(channelId, 4, 1))).to.deep.equal([[]]);
  });

  it('DELETE: returns 409 for days that are partly decided, and 412 with an outdated tag', async () => {
    const channelId = await schedule.castChannel();
    const today = schedule.today(channelId);
    const program = {
      programType: 'LIVE',
      sourceId: stream,
      startDate: today.fromFree(0),
      endDate: today.fromFree(60),
    };
    bodyOf(200, await today.save(program));
    const remove = (headers: object = {}) =>
      schedule.api.call('DELETE', today.path, {
        token: schedule.publisher.token,
        headers: { ...today.headers, ...headers },
      });
    bodyOf(412, await remove({ 'if-match': '"other"' }));
    schedule.ctx.clock.advance(30_000);
    expectFrozen(await remove());
    expectFrozen(await schedule.remove(path(channelId, -1, 4)));
    expect(wordedDays(await read(channelId, -1, 4)).flat()).to.have.length(1);
  });

  const copy = (body: object, token?: string, headers?: Readonly<Record<string, string>>) =>
    schedule.post('/api/cast/calendar/copy', body, token, headers);
  const days = (
    sourceChannelId: string,
    destChannelId: string,
    source: readonly [number, number],
    dest: readonly [number, number],
  ) => ({
    ...{ sourceChannelId, destChannelId, sourceDayCount: source[1], destDayCount: dest[1] },
    ...{ sourceStartDate: schedule.date(source[0]), destStartDate: schedule.at(dest[0], '00:00').date },
  });

  it('copy: returns 200, repeats the source days until the destination is full, and replaces its programs', async () => {
    const [source, destination] = [await programmed(), await schedule.castChannel()];
    await schedule.saved(destination, 11, [live(11, '09:00', '10:00', 'old')]);
    const response = await copy(days(source, destination, [2, 3], [10, 5]));
    const [ab, c] = [['10:00-11:00 LIVE A', '11:00-12:00 LIVE B'], ['23:00-01:00 LIVE C']];
    expect(wordedDays(response)).to.deep.equal([ab, [], c, ab, []]);
    expect(bodyOf(200, await read(destination, 10, 5))).to.deep.equal(response.body);
    const [copied] = response.body.dailyProgrammings[0].programs;
    expect(copied).to.deep.include({ description: 'About A', tags: ['A'] });
    const ids = response.body.dailyProgrammings.flatMap(({ programs }: { programs: object[] }) => idsOf(programs));
    const sourceIds = idsOf(bodyOf(200, await schedule.read(source, 2)).programs);
    expect(new Set([...ids, ...sourceIds]).size).to.equal(7);
    // The same copy again changes nothing.
    expect(bodyOf(200, await copy(days(source, destination, [2, 3], [10, 5])))).to.deep.equal(response.body);
  });

  it('copy: works within one channel, also if the days overlap', async () => {
    const channelId = await programmed();
    expect(wordedDays(await copy(days(channelId, channelId, [2, 1], [3, 2])))).to.deep.equal([
      ['10:00-11:00 LIVE A', '11:00-12:00 LIVE B'],
      ['10:00-11:00 LIVE A', '11:00-12:00 LIVE B'],
    ]);
    const before = bodyOf(200, await read(channelId, 2, 3));
    expect(bodyOf(200, await copy(days(channelId, channelId, [2, 3], [2, 3])))).to.deep.equal(before);
    expect(wordedDays(await copy(days(channelId, channelId, [7, 1], [2, 3])))).to.deep.equal([[], [], []]);
  });

  it('copy: returns 400 with one error per program that does not fit, stores nothing, and 409 for decided days', async () => {
    const [source, destination] = [await programmed(), await schedule.castChannel()];
    await schedule.saved(source, 4, [live(4, '00:00', '01:00', 'first'), live(4, '23:00', '01:00', 'C', 5)]);
    await schedule.saved(destination, 12, [live(12, '00:30', '01:00', 'present')]);
    const response = await copy(days(source, destination, [4, 1], [10, 2]));
    expect(rejectedFields(response)).to.deep.equal([
      'dailyProgrammings[1].programs[0].startDate overlap',
      'dailyProgrammings[1].programs[2].endDate overlapsDayAfter',
    ]);
    expect(wordedDays(await read(destination, 10, 2))).to.deep.equal([[], []]);
    expectFrozen(await copy(days(source, destination, [4, 1], [-1, 1])));
  });

  it('copy: completes two concurrent copies in opposite directions', async () => {
    const [one, other] = [await programmed(), await programmed()];
    const copies = [days(one, other, [2, 1], [8, 1]), days(other, one, [2, 1], [8, 1])];
    const statuses = (await Promise.all([...copies, ...copies].map((body) => copy(body)))).map(({ status }) => status);
    expect(statuses).to.deep.equal([200, 200, 200, 200]);
  });

  it('is limited to four requests of a user at a time: further ones return 429 with Retry-After', async () => {
    const { ctx } = schedule;
    const [channelId, foreign] = [await programmed(), await schedule.castChannel(schedule.viewer)];
    const body = days(channelId, channelId, [2, 1], [8, 1]);
    let copies: Promise<TestResponse>[] = [];
    await ctx.db.transaction(async (tx) => {
      await lockCastChannel(ctx, tx, { channelId, ownerId: schedule.publisher.userId });
      const refused: TestResponse[] = [];
      copies = Array.from({ length: 10 }, async () => {
        const response = await copy(body);
        if (response.status === 429) refused.push(response);
        return response;
      });
      await eventually(() => expect(refused).to.have.length(6));
      for (const { headers } of refused) expect(Number(headers.get('retry-after'))).to.be.above(0);
      bodyOf(429, await read(channelId, 2, 1));
      bodyOf(429, await schedule.remove(path(channelId, 2, 1)));
      bodyOf(200, await read(foreign, 2, 1, schedule.viewer.token));
    });
    const statuses = (await Promise.all(copies)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).to.have.length(4);
    bodyOf(200, await read(channelId, 2, 1));
  });

  it('never blocks the event loop for long, for reads and copies of many full days', async () => {
    const { ctx, api, publisher } = schedule;
    const full = await fullChannel(api, publisher, { days: 15, programsOfDay: 400 });
    const destination = await schedule.castChannel();
    const body = { ...days(full.channelId, destination, [1, 15], [1, 15]) };
    const works: readonly (readonly [name: string, work: () => Promise<unknown>])[] = [
      ['read', () => statusOf(`/api/cast/channel/${full.channelId}/calendar/${full.firstDay}/15`)],
      ['copy', () => statusOf('/api/cast/calendar/copy', body)],
    ];
    for (const [name, work] of works) {
      // Garbage may be collected during one of the runs.
      const maxMs: number[] = [];
      while (maxMs.length < 3 && !maxMs.some((ms) => ms < 80)) {
        const loop = watchLoop();
        expect(await work(), name).to.equal(200);
        loop.stop();
        maxMs.push(loop.maxMs);
      }
      expect(Math.min(...maxMs), `${name}: ${maxMs.join()} ms`).to.be.below(80);
    }
    const [{ count } = { count: 0 }] = await ctx.db.rows<{ count: number }>(
      'SELECT count(*)::int AS count FROM cast_programs WHERE channel_id = $destination',
      { destination },
    );
    expect(count).to.equal(15 * 400);
    // Other tests of this service search few programs.
    for (const channelId of [full.channelId, destination])
      bodyOf(204, await schedule.remove(`/api/cast/channel/${channelId}`));
    await schedule.drained();
  });

  /** The status of a response whose body is received but not parsed, because parsing would block the event loop too. */
  async function statusOf(address: string, body?: object): Promise<number | undefined> {
    const sent = httpRequest(`${schedule.api.url}${address}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${schedule.publisher.token}` },
    });
    sent.end(body ? JSON.stringify(body) : undefined);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    await once(response.resume(), 'end');
    return response.statusCode;
  }

  it('returns 400 for too many days and invalid dates, and 404 for copies from or to other users’ channels', async () => {
    const channelId = await schedule.castChannel();
    for (const count of ['0', '63', '1.5', 'x', '99999']) {
      const fields = rejectedFields(await read(channelId, 2, count));
      expect(fields.join(), count).to.match(/^dayCount (minimum|maximum|integer)$/);
      bodyOf(400, await schedule.remove(path(channelId, 2, count)));
    }
    bodyOf(400, await schedule.get(`/api/cast/channel/${channelId}/calendar/20260230/1`));
    const body = days(channelId, channelId, [2, 1], [3, 1]);
    const wrong = { ...body, sourceStartDate: '2026-02-30', destDayCount: 63, sourceDayCount: 0, destChannelId: 'x' };
    expect(rejectedFields(await copy(wrong))).to.have.members([
      'sourceStartDate date',
      'destDayCount maximum',
      'sourceDayCount minimum',
      'destChannelId id',
    ]);
    const iso = (date: string) => date.replace(/(....)(..)(..)/, '$1-$2-$3');
    bodyOf(200, await copy({ ...body, sourceStartDate: iso(schedule.date(2)), destStartDate: iso(schedule.date(3)) }));
    const foreign = await schedule.castChannel(schedule.viewer);
    bodyOf(404, await copy({ ...body, destChannelId: foreign }));
    bodyOf(404, await copy({ ...body, sourceChannelId: foreign }));
  });
});
