import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Caption } from '../../../shared/caption/caption.model.js';
import { vttBytes } from '../../../shared/caption/cue.js';
import { maxCuesAtOnce } from '../../../shared/caption/shownAtOnce.js';
import { addGeneratedCaption } from '../../../shared/caption/caption.service.js';
import { Content } from '../../../shared/content/content.model.js';
import { playContent } from '../../../shared/playback/playContent.js';
import { BoxItem } from '../../../shared/box/box.model.js';
import { seedBoxItem, changeRow } from '../../support/rows.js';
import { useFixture } from '../../support/fixtures.js';
import { watchLoop } from '../../support/loopWatch.js';
import { boxFixture } from '../box/openBox.js';

describe('captions, audio tracks, chapters and seek pictures of a play', () => {
  const { ctx, api, user, call } = boxFixture();
  const playlist = '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n240p.m3u8\n';

  /** A content with captions at 3, 14 and 38 seconds. */
  const item = useFixture(async () => {
    const seeded = await seedBoxItem(ctx, user.userId);
    for (const folder of ['', 'preview/'])
      await ctx.storage.put(`${seeded.folder}${folder}master.m3u8`, Buffer.from(playlist), { contentType: 'x/y' });
    const cues = [3, 14, 38].map((second) => ({
      ...{ startMs: second * 1000, endMs: second * 1000 + 2000, text: `at ${second}`, settings: '' },
    }));
    await addGeneratedCaption(ctx, seeded.contentId, { origin: 'SOURCE', stream: 2, language: 'en', cues });
    const { body } = await call('GET', `/api/box/${seeded.boxId}/captions`);
    return { ...seeded, captionId: (body.items as { captionId: string }[])[0]?.captionId ?? '' };
  });
  const play = async (kind: 'full' | 'preview') => {
    const content = await ctx.db.model(Content).findByPk(item.contentId, { rejectOnEmpty: true });
    return playContent(ctx, { content, kind, publisherCode: user.userCode, viewerCode: null });
  };
  const get = async (address: string, name: string) => {
    const { pathname } = new URL(name, address);
    return api.call('GET', pathname);
  };

  it('list captions in the master playlist if the content has any', async () => {
    const { streamer } = await play('full');
    const { status, text, headers } = await get(streamer, 'master.m3u8');
    expect([status, headers.get('cache-control')]).to.deep.equal([200, 'private, max-age=60']);
    expect(text).to.include(`URI="captions/${item.captionId}/240p.m3u8"`).and.include('SUBTITLES="captions"');
    expect((await get(streamer, 'captions/none/240p.m3u8')).status).to.equal(404);
  });

  it('send at most the permitted number of simultaneous cues, at constant cost, from captions of an earlier release', async () => {
    const text = 'x'.repeat(40);
    const cues = Array.from({ length: 50_000 }, (_, index) => ({
      ...{ startMs: 0, endMs: 600_000, text: `${index} ${text}`, settings: '' },
    }));
    const id = randomUUID();
    await addGeneratedCaption(ctx, item.contentId, {
      origin: 'SOURCE',
      stream: 3,
      language: 'de',
      cues: cues.slice(0, 1),
    });
    const [stored] = await ctx.db.model(Caption).findAll({ where: { contentId: item.contentId, stream: 3 } });
    if (!stored) throw new Error('no captions');
    await ctx.db.model(Caption).create({ ...stored, id, label: 'Crowd', stream: 4, cues, bytes: vttBytes(cues) });
    const { streamer } = await play('full');
    const loop = watchLoop();
    const { text: part } = await get(streamer, `captions/${id}/0-30000-0-0.vtt`);
    expect(part.match(/-->/g)).to.have.lengthOf(maxCuesAtOnce);
    const { text: all } = await get(streamer, `captions/${id}/0-999999999-0-0.vtt`);
    loop.stop();
    expect(all).to.equal(part);
    expect(loop.maxMs).to.be.below(100);
    await ctx.db.model(Caption).destroy({ where: { contentId: item.contentId, language: 'de' } });
  });

  it('end the captions of a preview with the preview, whatever times a URL names', async () => {
    const [full, preview] = [await play('full'), await play('preview')];
    const part = (times: string) => `captions/${item.captionId}/${times}-0-0.vtt`;
    expect((await get(full.streamer, part('0-60000'))).text).to.include('at 38');
    const { text } = await get(preview.streamer, part('0-15000'));
    expect(text).to.include('at 3\n').and.include('at 14').and.not.include('at 38');
    for (const times of ['0-60000', '30000-45000', '0-15001'])
      expect((await get(preview.streamer, part(times))).status, times).to.equal(404);
  });

  it('list the audio tracks that the owner offers from the next play on', async () => {
    const audio = (group: string, id: number) =>
      `#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="${group}",NAME="Audio ${id}",DEFAULT=${id === 0 ? 'YES' : 'NO'},AUTOSELECT=YES,CHANNELS="2",URI="audio-${id}.m3u8"`;
    const variants =
      '#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="audio"\n240p.m3u8\n#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="audio"\naudio-0.m3u8\n';
    const lists = ['#EXTM3U', audio('audio', 0), audio('audio', 1), audio('audio', 2), variants].join('\n');
    await ctx.storage.put(`${item.folder}master.m3u8`, Buffer.from(lists), { contentType: 'x/y' });
    const known = [0, 1, 2].map((trackId) => ({
      ...{ trackId, language: 'und', label: `Audio ${trackId}`, channels: 2, isOffered: true },
    }));
    await changeRow(ctx, Content, item.contentId, { audioTracks: known });
    const path = `/api/box/${item.boxId}/tracks`;
    expect((await call('GET', path)).body).to.deep.equal({ tracks: known });
    const requested = [
      { trackId: 2, language: 'PT_br', label: 'Português "BR"' },
      { trackId: 0, language: 'it', label: 'Italiano' },
    ];
    const { status, body } = await call('POST', path, { tracks: requested });
    expect(status).to.equal(200);
    expect(body.tracks).to.deep.equal([
      { ...requested[0], language: 'pt-BR', channels: 2, isOffered: true },
      { ...requested[1], channels: 2, isOffered: true },
      { ...known[1], isOffered: false },
    ]);
    const { text } = await get((await play('full')).streamer, 'master.m3u8');
    expect(text.split('\n').filter((line) => /TYPE=AUDIO|^[^#].*m3u8/.test(line))).to.deep.equal([
      `#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="Português 'BR'",LANGUAGE="pt-BR",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2",URI="audio-2.m3u8"`,
      '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="Italiano",LANGUAGE="it",DEFAULT=NO,AUTOSELECT=YES,CHANNELS="2",URI="audio-0.m3u8"',
      '240p.m3u8',
    ]);
    // The audio-only variant comes from an earlier version.
    expect(text.match(/STREAM-INF/g)).to.have.length(1);
    const [first] = requested;
    for (const [wrong, field] of [
      [[{ ...first, trackId: 3 }], 'tracks[0].trackId'],
      [[first, { ...first, label: 'Other' }], 'tracks[1].trackId'],
      [[first, { ...first, trackId: 1 }], 'tracks[1].label'],
      [[{ ...first, language: 'not a language' }], 'tracks[0].language'],
      [[], 'tracks'],
    ] as const) {
      const refused = await call('POST', path, { tracks: wrong });
      expect([refused.status, (refused.body.errors as { field: string }[])[0]?.field]).to.deep.equal([400, field]);
    }
  });

  it('contain chapters and seek pictures only if the complete content plays', async () => {
    const none = await play('full');
    expect(none).to.not.have.any.keys('chapters', 'storyboard');
    expect((await get(none.streamer, 'storyboard.vtt')).status).to.equal(404);
    const chapters = [
      { startSeconds: 30.5, title: 'B <i>' },
      { startSeconds: 0, title: 'A' },
    ];
    const path = `/api/box/${item.boxId}/chapters`;
    const { body } = await call('POST', path, { chapters });
    expect(body).to.deep.equal({ chapters: chapters.toReversed() });
    expect((await call('GET', path)).body).to.deep.equal(body);
    const played = await call('POST', `/api/box/${item.boxId}/play`);
    expect((await get(String(played.body.chapters), '')).text).to.equal(
      'WEBVTT\n\n00:00:00.000 --> 00:00:30.500\nA\n\n00:00:30.500 --> 00:01:00.000\nB &lt;i&gt;\n',
    );
    const preview = await play('preview');
    expect(preview).to.not.have.any.keys('chapters', 'storyboard');
    for (const name of ['chapters.vtt', 'storyboard.vtt', 'storyboard/000.jpg'])
      expect((await get(preview.streamer, name)).status, name).to.equal(404);
    for (const [wrong, field] of [
      [[{ startSeconds: 60, title: 'x' }], 'chapters[0].startSeconds'],
      [[...chapters, { startSeconds: 0, title: 'x' }], 'chapters[2].startSeconds'],
      [[{ startSeconds: -1, title: 'x' }], 'chapters[0].startSeconds'],
    ] as const) {
      const refused = await call('POST', path, { chapters: wrong });
      expect([refused.status, (refused.body.errors as { field: string }[])[0]?.field]).to.deep.equal([400, field]);
    }
    expect((await call('POST', path, { chapters: [] })).body).to.deep.equal({ chapters: [] });
    await changeRow(ctx, BoxItem, item.boxId, { source: 'MARKET_PLACE' });
    expect((await call('POST', path, { chapters })).status).to.equal(403);
  });
});
