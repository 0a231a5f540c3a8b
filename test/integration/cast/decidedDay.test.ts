import { expect } from 'chai';
import { bodyOf } from '../../support/responses.js';
import { expectFrozen, idsOf, openSchedule } from './schedule.js';
import { useFixture } from '../../support/fixtures.js';

/** `docs/contract.md#choices-cast`: decided programs cannot be changed. */
describe('POST .../dailyprogramming/{yyyyMMdd} of a day that is decided or changed concurrently', () => {
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
