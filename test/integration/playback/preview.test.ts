import { expect } from 'chai';
import { publicToken, registerUser, type TestResponse } from '../../support/api.js';
import { readyClip } from '../../support/clips.js';
import { runTool } from '../../support/media.js';
import { serviceFixture } from '../../support/service.js';

/** Seconds from the first to the last frame (`v`) or audio packet (`a`) of a playlist. */
async function secondsOf(stream: 'v' | 'a', address: string): Promise<number> {
  const entries = ['-show_entries', 'packet=pts_time,duration_time', '-of', 'json'];
  const printed = await runTool('ffprobe', ['-select_streams', `${stream}:0`, ...entries, address]);
  const packets = (JSON.parse(printed).packets as { pts_time: string; duration_time: string }[]).map((packet) => ({
    start: Number(packet.pts_time),
    end: Number(packet.pts_time) + Number(packet.duration_time ?? 0),
  }));
  return Math.max(...packets.map(({ end }) => end)) - Math.min(...packets.map(({ start }) => start));
}

describe('the preview of a content', function () {
  this.timeout(120_000);
  const { ctx, api } = serviceFixture();
  let address: string;
  let folder: string;
  let vodId: string;

  before(async () => {
    const owner = await registerUser(api);
    const boxId = await readyClip(ctx, api, owner, { size: '320x180', seconds: 21 });
    vodId = (await api.call('POST', `/api/box/${boxId}/vod`, { token: owner.token, body: { licenseType: 'FREE' } }))
      .body.vodId;
    const { body } = await api.call('POST', `/api/public/vod/${vodId}/preview`, { token: await publicToken(api) });
    expect(body.result).to.equal('PLAY');
    address = api.url + new URL(body.streamer).pathname;
    folder = body.file.replace(/master\.m3u8$/, '');
  });

  const get = (relative: string, base = address): Promise<TestResponse> =>
    api.call('GET', new URL(relative, base).pathname.slice(new URL(api.url).pathname.replace(/\/$/, '').length));

  it('lasts 15.0 seconds in every file that its grant opens', async () => {
    const reached = new Set<string>([folder + 'master.m3u8']);
    const master = (await get('')).text;
    const renditions = [...master.matchAll(/^[^#\n]+$|^#EXT-X-MEDIA:.*URI="([^"]+)"/gm)].map(
      ([line, uri]) => uri ?? line,
    );
    expect(renditions).to.have.lengthOf.at.least(1);
    for (const rendition of renditions) {
      const playlist = (await get(rendition)).text;
      const seconds = [...playlist.matchAll(/#EXTINF:([\d.]+)/g)].map(([, length]) => Number(length));
      expect(seconds.reduce((sum, length) => sum + length, 0)).to.be.within(14.9, 15.0);
      const parts = [...playlist.matchAll(/^[^#\n]+$|URI="([^"]+)"/gm)].map(([line, uri]) => uri ?? line);
      for (const part of [...parts, ''])
        reached.add(folder + rendition.replace(/[^/]*$/, '') + (part || rendition.replace(/^.*\//, '')));
      const kind = rendition.startsWith('audio-') ? 'a' : 'v';
      expect(await secondsOf(kind, new URL(rendition, address).href)).to.be.within(14.9, 15.0001);
    }
    // A grant opens all files of the folder, including those that no playlist lists.
    for await (const { key } of ctx.storage.list(folder)) expect(reached).to.include(key);
  });

  it('opens no other file of the content', async () => {
    const grant = new URL(address).pathname.split('/').slice(0, 3).join('/');
    for await (const { key } of ctx.storage.list(folder.split('/').slice(0, 2).join('/'))) {
      const { status } = await api.call('GET', `${grant}/${key}`);
      expect(status, key).to.equal(key.startsWith(folder) ? 200 : 403);
    }
  });
});
