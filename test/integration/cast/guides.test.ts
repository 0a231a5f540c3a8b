import { expect } from 'chai';
import { guidePrograms } from '../../../shared/cast/guide/guide.queries.js';
import { type TestResponse, bodyOf } from '../../support/api.js';
import { addProgram } from '../../support/cast/playoutFixture.js';
import { seedBoxItem, changeRow } from '../../support/rows.js';
import { programsIn } from '../../support/xmltv.js';
import { openStudio } from '../live/studio.js';
import { BoxItem } from '../../../shared/box/box.model.js';
import { useFixture, fixtureEach } from '../../support/fixtures.js';

/** Requests have no token, because players have none. */
describe('the guides of cast channels', () => {
  const studio = useFixture(openStudio);
  const owner = fixtureEach(() => studio.newPublisher({}));
  let channelId: string;
  beforeEach(async () => {
    channelId = await newChannel({ name: 'Tom & Jerry, "live"' });
    // Guides are cached for ten seconds.
    studio.ctx.clock.advance(10_000);
  });

  async function newChannel(members: object, by = owner): Promise<string> {
    const response = await studio.post('/api/cast/channel', studio.aChannel(members), by.token);
    return bodyOf(201, response).channelId;
  }

  const add = (when: [number, number], members: Parameters<typeof addProgram>[3] = {}) =>
    addProgram(studio.ctx, { channelId, owner }, when, members);
  const get = (path: string, headers: Record<string, string> = {}): Promise<TestResponse> =>
    studio.api.call('GET', `/api/public/cast/${path}`, { headers });
  const ofChannel = (path: string, headers?: Record<string, string>) => get(`channel/${channelId}/${path}`, headers);
  const thumbnail = () => studio.thumbnail(owner);
  const publicUrl = () => studio.ctx.config.service.publicUrl;

  describe('GET /api/public/cast/channel/{channelId}/guide', () => {
    it('returns 200 with the current and the following programs, without breaks and unplayable programs', async () => {
      const thumbnailId = await thumbnail();
      const now = await add([-1, 10], { title: 'Now', description: 'Text', tags: ['a'], thumbnailId });
      await add([-60, -1], { title: 'Over' });
      await add([10, 20], { type: 'BREAK' });
      await add([20, 30], { failureKey: 'cast.licenseForbids' });
      const next = await add([30, 40], { type: 'LIVE', title: 'Next' });
      const last = await add([40, 50], { title: 'Last' });
      const guide = bodyOf(200, await ofChannel('guide', { 'x-service-timezone': '0' }));
      const { startDate, endDate, startsAt, endsAt, ...program } = guide.now;
      expect(program).to.deep.equal({
        ...{ programId: now, title: 'Now', description: 'Text', itemType: 'PRERECORDED', thumbnailId, tags: ['a'] },
      });
      expect(Date.parse(endsAt) - Date.parse(startsAt)).to.equal(11 * 60_000);
      expect(startsAt.slice(11, 19)).to.equal(startDate.time);
      expect(endsAt.slice(11, 19)).to.equal(endDate.time);
      const time = studio.ctx.clock.now().toISOString();
      expect({ ...guide, now: 0, next: 0 }).to.deep.equal({
        ...{ channelId, name: 'Tom & Jerry, "live"', serverTime: time, now: 0, next: 0 },
      });
      const ids = (items: { programId: string }[]) => items.map(({ programId }) => programId);
      expect(ids(guide.next)).to.deep.equal([next]);
      expect(ids(bodyOf(200, await ofChannel('guide?count=5')).next)).to.deep.equal([next, last]);
    });

    it('returns 200 without `now` in a break and without programs; a program is current until just before its end', async () => {
      expect(bodyOf(200, await ofChannel('guide')))
        .to.deep.include({ next: [] })
        .and.not.have.property('now');
      await add([0, 1], { title: 'Short' });
      await add([1, 2], { type: 'BREAK' });
      const shown = async () => bodyOf(200, await ofChannel('guide')).now?.title;
      expect(await shown()).to.equal('Short');
      studio.ctx.clock.advance(60_000);
      expect(await shown()).to.equal(undefined);
    });

    it('contains the thumbnail of the content if the program has none', async () => {
      const { boxId } = await seedBoxItem(studio.ctx, owner.userId);
      const thumbnailId = await thumbnail();
      await changeRow(studio.ctx, BoxItem, boxId, { thumbnailId });
      await add([-1, 10], { boxItemId: boxId });
      expect(bodyOf(200, await ofChannel('guide')).now.thumbnailId).to.equal(thumbnailId);
      expect((await ofChannel('epg.xml')).text).to.contain(
        `<icon src="${publicUrl()}/asset/thumbnail/${thumbnailId}/480"/>`,
      );
    });

    it('returns 404 for an unknown channel and a disabled publisher, 400 for an invalid count', async () => {
      for (const path of ['none/guide', `${owner.userId}/guide`, `${owner.userId}/epg.xml`])
        expect((await get(`channel/${path}`)).status, path).to.equal(404);
      for (const count of ['0', '51', 'x']) expect((await ofChannel(`guide?count=${count}`)).status).to.equal(400);
      bodyOf(204, await studio.post('/api/user/me/disable', {}, owner.token));
      for (const path of ['guide', 'epg.xml', 'playlist.m3u8'])
        expect((await ofChannel(path)).status, path).to.equal(404);
    });
  });

  describe('GET /api/public/cast/channel/{channelId}/epg.xml', () => {
    it('returns 200 with the programs of the requested days, valid by the XMLTV DTD', async () => {
      await add([-10 * 60, -2 * 60], { title: 'Over' });
      await add([-1, 10], { title: 'A <b> & "c"', description: 'é', tags: ['x'], thumbnailId: await thumbnail() });
      await add([10, 20], { type: 'BREAK', title: 'Break' });
      await add([20, 30], { failureKey: 'cast.licenseForbids', title: 'Failed' });
      await add([25 * 60, 26 * 60], { title: 'Tomorrow' });
      await add([8 * 24 * 60, 8 * 24 * 60 + 1], { title: 'Later' });
      const titles = async (query: string) =>
        programsIn((await ofChannel(`epg.xml${query}`)).text).map(({ title }) => title);
      const first = 'A &lt;b&gt; &amp; &quot;c&quot;';
      expect(await titles('?days=1')).to.deep.equal([first]);
      expect(await titles('')).to.deep.equal([first, 'Tomorrow']);
      expect(await titles('?days=14')).to.deep.equal([first, 'Tomorrow', 'Later']);
      const { text, headers } = await ofChannel('epg.xml');
      expect(headers.get('content-type')).to.equal('application/xml; charset=utf-8');
      expect(text).to.contain(
        `<channel id="${channelId}">\n    <display-name>Tom &amp; Jerry, &quot;live&quot;</display-name>`,
      );
      expect(text).to.contain(`<url>${publicUrl()}/embed/?cast=${channelId}</url>`);
    });

    it('returns 400 for invalid days and 405 for POST, and ignores a token', async () => {
      for (const days of ['0', '15', '-1', '1.5', 'x', '1e9'])
        expect((await ofChannel(`epg.xml?days=${days}`)).status, days).to.equal(400);
      expect((await studio.post(`/api/public/cast/channel/${channelId}/epg.xml`, {})).status).to.equal(405);
      expect((await ofChannel('epg.xml', { authorization: 'Bearer none' })).status).to.equal(200);
      // Neighbouring paths need a token.
      expect((await get(`channel/${channelId}`)).status).to.equal(401);
      expect((await get(`channel/${channelId}/epg.xml/x`)).status).to.equal(401);
      expect((await get(`channel/${channelId}/guides`)).status).to.equal(401);
    });

    it('omits the last programs of a guide with too many programs or too long texts', async () => {
      for (let number = 0; number < 12; number += 1)
        await add([number, number + 1], { title: `T${number}`, description: 'é'.repeat(number < 11 ? 50 : 3_000) });
      const from = studio.ctx.clock.now();
      const window = { from, until: new Date(from.getTime() + 3_600_000) };
      const channel = { id: channelId, name: '', thumbnailId: null, publisherName: '' };
      const titles = async (programs: number, textBytes: number) =>
        (await guidePrograms(studio.ctx, [channel], window, { programs, textBytes })).map(({ title }) => title);
      const first = (count: number) => Array.from({ length: count }, (_, number) => `T${number}`);
      expect(await titles(100, 100_000)).to.deep.equal(first(12));
      expect(await titles(5, 100_000)).to.deep.equal(first(5));
      // Each program has 2 bytes of title and 100 of description.
      expect(await titles(100, 3 * 102)).to.deep.equal(first(3));
      expect(await titles(100, 4 * 102 - 1)).to.deep.equal(first(3));
      const [longest] = (await guidePrograms(studio.ctx, [channel], window)).slice(-1);
      expect(longest?.description).to.equal('é'.repeat(1_000));
    });
  });

  describe('GET /api/public/cast/epg.xml and channels.m3u', () => {
    it('return 200 with all channels of a publisher, under the same ids in list and guide', async () => {
      const other = await newChannel({ name: 'Another', thumbnailId: await thumbnail() });
      await add([-1, 10], { title: 'First' });
      await addProgram(studio.ctx, { channelId: other, owner }, [-2, 10], { title: 'Second' });
      const list = await get(`channels.m3u?userCode=${owner.userCode.toUpperCase()}`);
      expect(list.headers.get('content-type')).to.equal('audio/x-mpegurl; charset=utf-8');
      const guideAddress = /^#EXTM3U url-tvg="([^"]*)" x-tvg-url="\1"\n/.exec(list.text)?.[1] ?? '';
      const ids = [...list.text.matchAll(/tvg-id="([^"]*)"/g)].map(([, id]) => id);
      expect(ids).to.deep.equal([other, channelId]);
      expect(list.text).to.contain(
        `,Tom & Jerry - 'live'\n${publicUrl()}/api/public/cast/channel/${channelId}/playlist.m3u8\n`,
      );
      expect(list.text).to.contain(`group-title="${owner.userCode}"`);
      expect(list.text).to.match(/tvg-logo="http[^"]*\/asset\/thumbnail\/[^"]*\/480"/);
      expect(guideAddress).to.equal(`${publicUrl()}/api/public/cast/epg.xml?userCode=${owner.userCode.toUpperCase()}`);
      const { text } = await get(guideAddress.slice(`${publicUrl()}/api/public/cast/`.length));
      expect(programsIn(text).map(({ title }) => title)).to.deep.equal(['Second', 'First']);
      expect([...text.matchAll(/<channel id="([^"]*)"/g)].map(([, id]) => id)).to.deep.equal(ids);
      expect(text.indexOf('<programme')).to.be.above(text.lastIndexOf('</channel>'));
    });

    it('are generated once in ten seconds, cacheable, revalidated, permitted to other origins, and compressed on request', async () => {
      await add([-1, 10]);
      const code = `userCode=${owner.userCode}`;
      for (const path of [`channel/${channelId}/epg.xml`, `epg.xml?${code}`, `channels.m3u?${code}`]) {
        const { headers, text } = await get(path);
        expect(headers.get('cache-control'), path).to.equal('public, max-age=60');
        expect(headers.get('access-control-allow-origin'), path).to.equal('*');
        const known = { 'if-none-match': headers.get('etag') ?? '', 'cache-control': 'max-age=0' };
        const { status, text: nothing } = await get(path, known);
        expect([status, nothing], path).to.deep.equal([304, '']);
        const address = `${studio.api.url}/api/public/cast/${path}`;
        const compressed = await fetch(address, { headers: { 'accept-encoding': 'gzip' } });
        expect(compressed.headers.get('content-encoding'), path).to.equal('gzip');
        expect(await compressed.text(), path).to.equal(text);
        await add([10, 20], { title: 'Added' });
        await newChannel({ name: 'Added' });
        const again = await Promise.all(Array.from({ length: 8 }, () => get(path)));
        expect(new Set(again.map((response) => response.text)), path).to.deep.equal(new Set([text]));
        studio.ctx.clock.advance(10_000);
        const changed = await get(path, known);
        expect([changed.status, changed.text.includes('Added')], path).to.deep.equal([200, true]);
      }
    });

    it('return 200 with everybody’s channels, and none of unknown and disabled publishers', async () => {
      const everywhere = async (path: string) => (await get(path)).text;
      expect(await everywhere('channels.m3u')).to.contain(`tvg-id="${channelId}"`);
      expect(await everywhere('epg.xml?days=1')).to.contain(`<channel id="${channelId}">`);
      for (const nobody of ['nobody.at.all', '%22%0A%23EXTINF:-1,x%22']) {
        const none = await everywhere(`channels.m3u?userCode=${nobody}`);
        expect([none.split('\n').length, none.match(/"/g)?.length], nobody).to.deep.equal([2, 4]);
      }
      const code = owner.userCode;
      bodyOf(204, await studio.post('/api/user/me/disable', {}, owner.token));
      studio.ctx.clock.advance(10_000);
      for (const path of ['channels.m3u', 'epg.xml', `channels.m3u?userCode=${code}`, `epg.xml?userCode=${code}`])
        expect(await everywhere(path), path).not.to.contain(channelId);
    });
  });
});
