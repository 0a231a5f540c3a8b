import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { withCaptionWords, captionsOf } from '../../../shared/caption/caption.queries.js';
import { Caption } from '../../../shared/caption/caption.model.js';
import { maxWordsOfContent } from '../../../shared/caption/captionWords.js';
import { seedBoxItem, drainSearch } from '../../support/rows.js';
import { useFixture, serviceFixture } from '../../support/fixtures.js';
import { createUser } from '../../support/users.js';
import { boxFixture } from '../box/openBox.js';
import { addGeneratedCaption } from '../../../shared/caption/caption.service.js';
import { Content } from '../../../shared/content/content.model.js';
import { playContent } from '../../../shared/playback/playContent.js';
import { runTool } from '../../support/media.js';
import { changeRow } from '../../support/rows.js';

describe('the search words of a content’s captions', () => {
  const { ctx } = serviceFixture();

  const wordsOf = async (lengths: readonly number[]): Promise<string[][]> => {
    const { contentId } = await seedBoxItem(ctx, await createUser(ctx));
    const now = ctx.clock.now();
    for (const [index, count] of lengths.entries())
      await ctx.db.model(Caption).create({
        ...{ id: randomUUID(), contentId, origin: 'OWNER', stream: null, language: 'en', label: `${index}` },
        ...{ kind: 'captions', cues: [], bytes: 0, createdAt: new Date(now.getTime() + index), updatedAt: now },
        words: Array.from({ length: count }, (_, word) => `w${index}x${String(word).padStart(5, '0')}`).join(' '),
      });
    const [row] = await withCaptionWords(ctx, [{ contentId }]);
    const words = (row?.captionWords ?? '').split(' ');
    expect(words.join(' ').length).to.be.at.most(maxWordsOfContent + lengths.length);
    return lengths.map((_, index) => words.filter((word) => word.startsWith(`w${index}x`)));
  };

  it('contain all words up to the size limit', async () => {
    const found = await wordsOf([3_000, 20, 4_000]);
    expect(found.map(({ length }) => length)).to.deep.equal([3_000, 20, 4_000]);
  });

  it('contain all short captions, and complete words from the start of each long caption, above the limit', async () => {
    const found = await wordsOf([6_000, 100, 6_500, 6_000, 6_000]);
    // 9 characters each, including the space.
    const share = Math.floor((maxWordsOfContent - 100 * 9) / 4 / 9);
    expect(found.map(({ length }) => length)).to.deep.equal([share, 100, share, share, share]);
    for (const words of found) for (const word of words) expect(word).to.match(/^w\dx\d{5}$/);
  });
});

describe('a search for words of captions', () => {
  const { ctx, api, user, other, call } = boxFixture();
  const items = useFixture(async () => {
    const [said, titled] = [
      await seedBoxItem(ctx, user.userId),
      await seedBoxItem(ctx, user.userId, { title: 'Zyzzyva' }),
    ];
    const form = new FormData();
    form.append('language', 'en');
    form.append('file', new Blob(['WEBVTT\n\n00:01.000 --> 00:02.000\nA zyzzyva, really\n']), 'x.vtt');
    const { status } = await api.call('POST', `/api/box/${said.boxId}/captions`, { token: user.token, body: form });
    expect(status).to.equal(201);
    for (const { boxId } of [said, titled]) await call('POST', `/api/box/${boxId}/vod`, { licenseType: 'FREE' });
    await drainSearch(ctx);
    return { said, titled };
  });
  const found = async (path: string, queryString: string, as = user): Promise<string[]> => {
    const { body } = await call('POST', path, { queryString }, as);
    return (body.items as { boxId: string }[]).map(({ boxId }) => boxId);
  };

  it('finds the item in the box and in VOD, ranked after items with the word in their title', async () => {
    const expected = [items.titled.boxId, items.said.boxId];
    for (const path of ['/api/search/box/contents', '/api/public/search/vod/contents', '/api/search/vod/contents'])
      expect(await found(path, 'zyzzyva'), path).to.deep.equal(expected);
    expect(await found('/api/search/box/contents', 'really')).to.deep.equal([items.said.boxId]);
    expect(await found('/api/search/box/contents', 'zyzzyva', other)).to.deep.equal([]);
  });
});

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
