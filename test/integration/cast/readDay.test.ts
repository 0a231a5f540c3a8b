import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { bodyOf, rejectedFields } from '../../support/responses.js';
import { openSchedule, worded } from './schedule.js';
import { useFixture } from '../../support/fixtures.js';

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

  it('returns 404 for unknown and malformed ids, to other users in private, and for a disabled publisher in public', async () => {
    for (const id of [randomUUID(), '1']) {
      bodyOf(404, await schedule.read(id, 2));
      bodyOf(404, await everybody(schedule.dayPath(id, 2)));
    }
    bodyOf(404, await schedule.get(schedule.dayPath(channelId, 2), schedule.viewer.token));
    bodyOf(200, await everybody(schedule.dayPath(channelId, 2), schedule.viewer.token));
    const other = await schedule.newPublisher();
    const disabled = schedule.dayPath(await schedule.castChannel(other), 2);
    bodyOf(200, await everybody(disabled));
    bodyOf(204, await schedule.post('/api/user/me/disable', {}, other.token));
    bodyOf(404, await everybody(disabled));
  });
});
