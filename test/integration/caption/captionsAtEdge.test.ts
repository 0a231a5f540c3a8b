import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { addGeneratedCaption } from '../../../shared/caption/caption.service.js';
import { captionsOf } from '../../../shared/caption/caption.queries.js';
import { Content } from '../../../shared/content/content.model.js';
import { playContent } from '../../../shared/playback/playContent.js';
import { seedBoxItem } from '../../support/contents.js';
import { useFixture } from '../../support/fixtures.js';
import { runTool } from '../../support/media.js';
import { serviceFixture } from '../../support/service.js';
import { changeRow } from '../../support/rows.js';
import { createUser } from '../../support/users.js';

const kept = 'public, max-age=60';

describe('captions behind an edge', () => {
  const { ctx, api } = serviceFixture({ PLAYBACK_DELIVERY: 'edge', EDGE_KEYS: 'e1:the-signing-key-of-the-edge' });

  /** 40 s of video with captions. `master` is the URL of its master playlist. */
  const item = useFixture(async () => {
    const seeded = await seedBoxItem(ctx, await createUser(ctx), { durationMs: 40_000 });
    const folder = await mkdtemp(join(tmpdir(), 'video-platform-captions-'));
    const hls = ['-hls_time', '4', '-hls_segment_type', 'fmp4', '-hls_playlist_type', 'vod'];
    await runTool('ffmpeg', [
      ...['-f', 'lavfi', '-i', 'color=s=64x64:r=25:d=40', '-c:v', 'libx264', '-g', '100', '-f', 'hls', ...hls],
      ...['-hls_segment_filename', join(folder, '%05d.m4s'), join(folder, '240p.m3u8')],
    ]);
    const master = '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n240p.m3u8\n';
    const put = (name: string, bytes: Buffer) => ctx.storage.put(seeded.folder + name, bytes, { contentType: 'x/y' });
    for (const name of await readdir(folder)) await put(name, await readFile(join(folder, name)));
    await put('master.m3u8', Buffer.from(master));
    await rm(folder, { recursive: true });
    const cues = [{ startMs: 3_000, endMs: 5_000, text: 'at 3', settings: '' }];
    await addGeneratedCaption(ctx, seeded.contentId, { origin: 'SOURCE', stream: 2, language: 'en', cues });
    const content = await ctx.db.model(Content).findByPk(seeded.contentId, { rejectOnEmpty: true });
    const request = { content, kind: 'full', publisherCode: 'ada', viewerCode: null } as const;
    const { streamer } = await playContent(ctx, request);
    const [caption] = await captionsOf(ctx, seeded.contentId);
    return { ...seeded, master: streamer, captions: `captions/${caption?.id}/` };
  });
  const get = async (name: string) => {
    const { status, text, headers } = await api.call('GET', new URL(name, item.master).pathname);
    return { status, text, caching: headers.get('cache-control') };
  };
  const listed = async (): Promise<string[]> =>
    (await get(`${item.captions}240p.m3u8`)).text.split('\n').filter((line) => line.endsWith('.vtt'));

  it('are cacheable if a playlist lists them, and sent uncached for other times', async () => {
    const parts = await listed();
    expect(parts).to.have.length(2);
    for (const part of parts) expect(await get(item.captions + part), part).to.include({ status: 200, caching: kept });
    const [, from = '', to = '', local = '', ticks = ''] = /^(\d+)-(\d+)-(\d+)-(\d+)/.exec(parts[0] ?? '') ?? [];
    for (const times of [
      [from, String(Number(to) + 1), local, ticks],
      [from, to, String(Number(local) + 1), ticks],
      [from, to, local, String(Number(ticks) + 1)],
    ]) {
      const other = await get(`${item.captions}${times.join('-')}.vtt`);
      expect(other, times.join(' ')).to.include({ status: 200, caching: 'no-store' });
      expect(other.text).to.include('at 3');
    }
  });

  it('have exactly one URL each', async () => {
    const [part = ''] = await listed();
    const spellings = [
      `x/${item.captions}${part}`,
      `${item.captions}x/${item.captions}${part}`,
      `${item.captions}0${part}`,
    ];
    for (const name of spellings) expect((await get(name)).status, name).to.equal(404);
  });

  it('share this rule with seek pictures', async () => {
    const storyboard = {
      folder: 'storyboard-0123456789abcdef',
      tileWidth: 64,
      tileHeight: 64,
      tileCount: 1,
      intervalSeconds: 40,
    };
    await changeRow(ctx, Content, item.contentId, { storyboard });
    const key = `content/${item.contentId}/${storyboard.folder}/000.jpg`;
    await ctx.storage.put(key, Buffer.from('a sheet'), { contentType: 'image/jpeg' });
    expect(await get('storyboard/000.jpg')).to.include({ status: 200, text: 'a sheet' });
    for (const name of ['x/storyboard/000.jpg', 'storyboard/storyboard/000.jpg', 'storyboard/0000.jpg'])
      expect((await get(name)).status, name).to.equal(404);
  });
});
