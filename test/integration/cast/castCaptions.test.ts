import { expect } from 'chai';
import { addGeneratedCaption } from '../../../shared/caption/caption.service.js';
import { BoxItem } from '../../../shared/box/box.model.js';
import { Content } from '../../../shared/content/content.model.js';
import { planGrid } from '../../../shared/media/grid.js';
import { openCastFixture, storeContent, storeCut, storeSlate } from '../../support/cast/castFixture.js';
import { addProgram } from '../../support/cast/playoutFixture.js';
import { seedBoxItem, changeRow } from '../../support/rows.js';
import { useFixture } from '../../support/fixtures.js';
import { parseMedia } from '../../support/hlsPlaylist.js';
import { bodyOf } from '../../support/api.js';

describe('captions and audio tracks of a cast channel', () => {
  const fixture = useFixture(openCastFixture);
  let master: URL;

  before(async () => {
    const { ctx, owner } = fixture;
    const channelId = await fixture.channel();
    const slate = await storeSlate(ctx, channelId);
    const content = await storeContent(ctx, owner.userId, { audio: ['audio-0', 'audio-1', 'audio-2'] });
    const { contentId } = content(0) as { contentId: string };
    const readyGrid = planGrid({ frameRate: [25, 1], frameCount: 1200, chunkSeconds: 8 });
    const audioTracks = [
      { trackId: 1, language: 'it', isOffered: true },
      { trackId: 0, language: 'de', isOffered: true },
      { trackId: 2, language: 'fr', isOffered: false },
    ].map((track) => ({ ...track, label: track.language, channels: 2 }));
    await changeRow(ctx, Content, contentId, { readyGrid, audioTracks });
    const ofCut = await storeContent(ctx, owner.userId);
    const { contentId: cutContentId } = ofCut(0) as { contentId: string };
    await changeRow(ctx, Content, cutContentId, { audioTracks });
    const inCut = { contentId: cutContentId, firstFrame: 30, audio: ['audio-0', 'audio-1'] };
    const cut = await storeCut(ctx, ['240p'], inCut);
    const cues = [
      { startMs: 14_000, endMs: 17_000, text: 'before and after', settings: '' },
      { startMs: 19_000, endMs: 19_500, text: 'within', settings: '' },
    ];
    for (const [stream, language] of ['de', 'fr'].entries())
      await addGeneratedCaption(ctx, contentId, { origin: 'SOURCE', stream, language, cues });
    // Forced captions do not count as captions of a language.
    const forced = { forced: true, cues: cues.map((cue) => ({ ...cue, text: `forced, ${cue.text}` })) };
    for (const [index, language] of ['de', 'es'].entries())
      await addGeneratedCaption(ctx, contentId, { origin: 'SOURCE', stream: 5 + index, language, ...forced });
    // A box item of the owner holds the content, so the channel offers the content's languages.
    const { boxId } = await seedBoxItem(ctx, owner.userId);
    await changeRow(ctx, BoxItem, boxId, { contentId });
    await addProgram(ctx, { channelId, owner }, [-5, 60], { boxItemId: boxId });
    await fixture.play(channelId, ctx.clock.now().getTime() - 40_000, [
      { source: slate(4, 0), seconds: [4] },
      { source: content(3), seconds: [4, 4] },
      { source: cut, seconds: [2.4] },
      { source: slate(4, 1), seconds: Array.from({ length: 60 }, () => 4) },
    ]);
    const played = await fixture.api.call('POST', `/api/public/cast/channel/${channelId}/play`, {
      token: fixture.anybody,
    });
    master = new URL(bodyOf(200, played).streamer);
  });

  const read = async (name: string) => {
    const { status, text } = await fixture.api.call('GET', new URL(name, master).pathname);
    return { status, text };
  };

  it('are captions in the languages of the aired contents, in both playlist forms', async () => {
    for (const form of ['master.m3u8', 'continuous/master.m3u8']) {
      const { text } = await read(form);
      expect(text.match(/#EXT-X-MEDIA:TYPE=SUB.*/g)).to.deep.equal([
        '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="captions",NAME="Deutsch",LANGUAGE="de",DEFAULT=NO,AUTOSELECT=YES,FORCED=NO,URI="captions-de.m3u8"',
        '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="captions",NAME="Français",LANGUAGE="fr",DEFAULT=NO,AUTOSELECT=YES,FORCED=NO,URI="captions-fr.m3u8"',
      ]);
      expect(text.match(/,SUBTITLES="captions"/g)).to.have.lengthOf.at.least(2);
    }
  });

  it('are audio tracks as their owner offers them, or the default track if the content lacks the language', async () => {
    const text = (await read('master.m3u8')).text;
    expect(text.match(/TYPE=AUDIO.*/g)).to.deep.equal([
      'TYPE=AUDIO,GROUP-ID="audio",NAME="Original",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2",URI="audio.m3u8"',
      'TYPE=AUDIO,GROUP-ID="audio",NAME="Deutsch",LANGUAGE="de",DEFAULT=NO,AUTOSELECT=YES,CHANNELS="2",URI="audio-de.m3u8"',
      'TYPE=AUDIO,GROUP-ID="audio",NAME="Italiano",LANGUAGE="it",DEFAULT=NO,AUTOSELECT=YES,CHANNELS="2",URI="audio-it.m3u8"',
    ]);
    const video = parseMedia((await read('video-240p.m3u8')).text).segments;
    for (const [name, track] of [
      ['audio', 'audio-1'],
      ['audio-it', 'audio-1'],
      ['audio-de', 'audio-0'],
      // The owner has removed the French track; no content has a track `xx`.
      ['audio-fr', 'audio-1'],
      ['audio-xx', 'audio-1'],
    ] as const) {
      const { segments } = parseMedia((await read(`${name}.m3u8`)).text);
      expect(segments.map(({ sequence }) => sequence)).to.deep.equal(video.map(({ sequence }) => sequence));
      const [slate, first, second, fromCut] = segments.map(({ uri }) => uri);
      expect(slate, name).to.include('/track/audio/own/').and.include('720p');
      expect(
        [first, second].map((uri) => /c\d-a1\/([^/]+)\//.exec(uri ?? '')?.[1]),
        name,
      ).to.deep.equal([track, track]);
      expect(fromCut, name).to.match(new RegExp(`/cast/[^/]+/${track}-0.m4s$`));
      const timed = parseMedia((await read(`continuous/${name}.m3u8`)).text).segments.map(({ uri }) => uri);
      expect(timed[1], name).to.match(
        new RegExp(`/track/audio/\\d+-\\d+-4000000-join-12000000/.*/${track}/00003.m4s$`),
      );
      expect(timed[3], name).to.match(new RegExp(`/track/audio/\\d+-\\d+-2400000-join-1200000/.*/${track}-0.m4s$`));
      expect((await read(first ?? '')).text).to.include(`/${track}/00003.m4s`);
    }
  });

  it('have the video’s sequence numbers, times and discontinuities, and empty caption segments in slates', async () => {
    const captions = parseMedia((await read('captions-de.m3u8')).text);
    const video = parseMedia((await read('video-240p.m3u8')).text);
    const timesOf = ({ segments }: typeof video) =>
      segments.map(({ sequence, durationSeconds, discontinuity }) => ({ sequence, durationSeconds, discontinuity }));
    expect(timesOf(captions)).to.deep.equal(timesOf(video));
    const texts = await Promise.all(captions.segments.slice(0, 4).map(({ uri }) => read(uri)));
    const map = 'X-TIMESTAMP-MAP=LOCAL:00:00:12.000,MPEGTS:1080000';
    const [first, second] = [
      '00:00:14.000 --> 00:00:17.000\nbefore and after\n',
      '00:00:19.000 --> 00:00:19.500\nwithin\n',
    ];
    expect(texts).to.deep.equal([
      { status: 200, text: 'WEBVTT\n' },
      { status: 200, text: `WEBVTT\n${map}\n\n${first}` },
      { status: 200, text: `WEBVTT\n${map}\n\n${first}\n${second}` },
      { status: 200, text: 'WEBVTT\n' },
    ]);
  });

  it('have the times of the channel in the continuous form', async () => {
    const { segments } = parseMedia((await read('continuous/captions-de.m3u8')).text);
    const { text } = await read(`continuous/${segments[1]?.uri}`);
    const startSeconds = (segments[1]?.startsAtMs ?? 0) / 1000;
    const ticks = Math.round(startSeconds * 90_000) % 2 ** 33;
    expect(text).to.include(`X-TIMESTAMP-MAP=LOCAL:00:00:12.000,MPEGTS:${ticks}\n`);
  });

  it('are served without caching in languages that no aired content has', async () => {
    const cachingOf = async (name: string) => {
      const { status, headers } = await fixture.api.call('GET', new URL(name, master).pathname);
      return [status, headers.get('cache-control')];
    };
    for (const name of ['audio', 'audio-de', 'captions-de', 'continuous/captions-fr'])
      expect(await cachingOf(`${name}.m3u8`), name).to.deep.equal([200, 'private, max-age=1']);
    for (const name of ['audio-fr', 'audio-xx', 'continuous/audio-xx', 'captions-it', 'continuous/captions-xx'])
      expect(await cachingOf(`${name}.m3u8`), name).to.deep.equal([200, 'no-store']);
  });

  it('return 403 for segments outside the grant, and 404 for an invalid language', async () => {
    const { segments } = parseMedia((await read('captions-de.m3u8')).text);
    const part = new URL(segments[1]?.uri ?? '', master).pathname;
    for (const path of [part.replace('12000-16000', '0-60000'), part.replace(/captions\/.*/, 'video-240p.m3u8')])
      expect((await fixture.api.call('GET', path)).status, path).to.equal(403);
    expect((await read('captions-.m3u8')).status).to.equal(403);
    for (const name of ['captions-DE', 'captions-d1', 'captions-de-xxxxxxxx', 'audio-DE', 'audio-12', 'audio-de-x-y'])
      for (const form of ['', 'continuous/']) expect((await read(`${form}${name}.m3u8`)).status, name).to.equal(404);
    expect(
      parseMedia((await read('captions-it.m3u8')).text).segments.every(({ uri }) => uri.endsWith('none.vtt')),
    ).to.equal(true);
  });
});
