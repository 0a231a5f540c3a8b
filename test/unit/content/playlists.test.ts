import { expect } from 'chai';
import { bandwidthOf } from '../../../shared/content/variantStreams.js';
import { parse, type types } from 'hls-parser';
import {
  masterPlaylist,
  mediaPlaylist,
  type PlaylistRendition,
  type PlaylistSegment,
} from '../../../shared/content/playlists.js';

function segment(uri: string, durationSeconds: number, bytes: number, map = 'init.mp4'): PlaylistSegment {
  return { uri, durationSeconds, bytes, map };
}

const segments = [segment('a/0.m4s', 4.004, 1000), segment('b/1.m4s', 4.004, 3000), segment('b/2.m4s', 1.5, 100)];

describe('playlists', () => {
  it('list every segment with its duration, after one initialisation segment', () => {
    const playlist = parse(mediaPlaylist(segments)) as types.MediaPlaylist;
    expect(playlist).to.include({
      version: 7,
      targetDuration: 4,
      playlistType: 'VOD',
      endlist: true,
      independentSegments: true,
    });
    expect(playlist.segments.map(({ uri, duration }) => [uri, duration])).to.deep.equal([
      ['a/0.m4s', 4.004],
      ['b/1.m4s', 4.004],
      ['b/2.m4s', 1.5],
    ]);
    expect(mediaPlaylist(segments).match(/EXT-X-MAP/g)).to.have.length(1);
  });

  it('of a content in processing grow, start at the first segment, and end when all segments are stored', () => {
    const read = (state: 'growing' | 'grown') =>
      parse(mediaPlaylist(segments, { state, targetSeconds: 6 })) as types.MediaPlaylist;
    const [growing, grown] = [read('growing'), read('grown')];
    expect(growing).to.include({ targetDuration: 6, playlistType: 'EVENT', endlist: false });
    expect(grown).to.include({ targetDuration: 6, playlistType: 'EVENT', endlist: true });
    for (const list of [growing, grown]) expect(list.start).to.deep.include({ offset: 0 });
    expect(mediaPlaylist(segments)).to.not.include('EXT-X-START');
  });

  it('write EXT-X-MAP again when the initialisation segment changes', () => {
    const playlist = parse(
      mediaPlaylist([...segments, segment('b/tail.m4s', 1, 10, 'tail.mp4')]),
    ) as types.MediaPlaylist;
    expect(playlist.segments.map(({ map }) => map?.uri)).to.deep.equal([
      'init.mp4',
      'init.mp4',
      'init.mp4',
      'tail.mp4',
    ]);
  });

  it('state the peak bit rate of a segment and the average bit rate', () =>
    expect(bandwidthOf(segments)).to.deep.equal({
      peak: Math.ceil(24_000 / 4.004),
      average: Math.ceil((4100 * 8) / 9.508),
    }));

  it('list all renditions, a middle one first', () => {
    const rendition = (name: string, height: number): PlaylistRendition => ({
      name,
      width: height * 2,
      height,
      codecs: 'avc1.64001f,mp4a.40.2',
      segments,
    });
    const master = parse(
      masterPlaylist({
        renditions: [rendition('240p', 240), rendition('360p', 360), rendition('720p', 720)],
        frameRate: [30_000, 1001],
      }),
    ) as types.MasterPlaylist;
    expect(master.variants.map(({ uri }) => uri)).to.deep.equal(['360p.m3u8', '240p.m3u8', '720p.m3u8']);
    expect(master.variants[2]).to.deep.include({
      codecs: 'avc1.64001f,mp4a.40.2',
      resolution: { width: 1440, height: 720 },
      frameRate: 29.97,
    });
  });
});
