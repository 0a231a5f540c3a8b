import { expect } from 'chai';
import { masterWithCaptions } from '../../../shared/playback/captions/captionMaster.js';
import { readCaptionPartKey, readCaptionPlaylistKey } from '../../../shared/playback/captions/captionPath.js';
import {
  captionPartsOf,
  captionPlaylist,
  sectionsOfPlaylist,
} from '../../../shared/playback/captions/captionPlaylist.js';

const id = '0b7e4d9e-3d3c-4d52-8a64-0f0a4a4c2b11';
const caption = {
  id,
  contentId: id,
  origin: 'OWNER' as const,
  language: 'de',
  label: 'Ger"man\n',
  kind: 'captions' as const,
  ...{ forced: false, shownByDefault: false, leftOutCues: 0 },
};

describe('captions in playlists', () => {
  it('are one group that every variant of the master playlist refers to', () => {
    const master =
      '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=2\n720p-a2.m3u8\n#EXT-X-STREAM-INF:BANDWIDTH=1\n360p-a2.m3u8\n';
    expect(masterWithCaptions(master, [caption]).split('\n')).to.deep.equal([
      '#EXTM3U',
      `#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="captions",NAME="Ger'man ",LANGUAGE="de",DEFAULT=NO,AUTOSELECT=YES,FORCED=NO,CHARACTERISTICS="public.accessibility.transcribes-spoken-dialog,public.accessibility.describes-music-and-sound",URI="captions/${id}/720p-a2.m3u8"`,
      '#EXT-X-STREAM-INF:BANDWIDTH=2,SUBTITLES="captions"',
      '720p-a2.m3u8',
      '#EXT-X-STREAM-INF:BANDWIDTH=1,SUBTITLES="captions"',
      '360p-a2.m3u8',
      '',
    ]);
    expect(masterWithCaptions(master, [])).to.equal(master);
    const forced = { ...caption, forced: true };
    expect(masterWithCaptions(master, [forced])).to.include(',DEFAULT=NO,AUTOSELECT=YES,FORCED=YES,');
    const byDefault = { ...caption, shownByDefault: true };
    expect(masterWithCaptions(master, [byDefault])).to.include(',DEFAULT=YES,AUTOSELECT=YES,FORCED=NO,');
  });

  it('are cut at segment boundaries and keep the media times after a discontinuity', () => {
    const segment = (uri: string, seconds: number) => `#EXTINF:${seconds},\n${uri}\n`;
    const playlist = [
      '#EXTM3U\n#EXT-X-MAP:URI="init/a.mp4"\n',
      ...Array.from({ length: 9 }, (_, index) => segment(`a${index}.m4s`, 4)),
      '#EXT-X-DISCONTINUITY\n#EXT-X-MAP:URI="init/b.mp4"\n',
      segment('b0.m4s', 2.5),
      '#EXT-X-ENDLIST\n',
    ].join('');
    const sections = sectionsOfPlaylist(playlist);
    expect(sections.map(({ first }) => [first.uri, first.map])).to.deep.equal([
      ['a0.m4s', 'init/a.mp4'],
      ['b0.m4s', 'init/b.mp4'],
    ]);
    const parts = captionPartsOf(sections, [1, 2 ** 33 / 90_000 - 1]);
    expect(captionPlaylist(parts).split('\n')).to.deep.equal([
      '#EXTM3U',
      '#EXT-X-VERSION:7',
      '#EXT-X-TARGETDURATION:32',
      '#EXT-X-MEDIA-SEQUENCE:0',
      '#EXT-X-PLAYLIST-TYPE:VOD',
      '#EXTINF:32.000,',
      '0-32000-0-90000.vtt',
      '#EXTINF:4.000,',
      '32000-36000-0-90000.vtt',
      '#EXT-X-DISCONTINUITY',
      '#EXTINF:2.500,',
      `36000-38500-36000-${2 ** 33 - 90_000}.vtt`,
      '#EXT-X-ENDLIST',
      '',
    ]);
  });

  it('have keys that are parsed only in the form in which they are written', () => {
    const folder = 'content/x/g1';
    expect(readCaptionPlaylistKey(`${folder}/captions/${id}/720p-a2.m3u8`)).to.deep.equal({
      captionId: id,
      mediaPlaylistKey: `${folder}/720p-a2.m3u8`,
    });
    expect(readCaptionPartKey(`${folder}/captions/${id}/0-32000-0-90000.vtt`)).to.deep.equal({
      ...{ captionId: id, fromMs: 0, toMs: 32_000, localMs: 0, mpegTicks: 90_000 },
    });
    for (const path of [
      `${id}/master.m3u8`,
      `${id}/../720p.m3u8`,
      `x/720p.m3u8`,
      `${id}/-1-2-3-4.vtt`,
      `${id}/1-2.vtt`,
    ]) {
      const key = `${folder}/captions/${path}`;
      expect([readCaptionPlaylistKey(key), readCaptionPartKey(key)], path).to.deep.equal([null, null]);
    }
  });
});
