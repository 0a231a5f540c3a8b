import { expect } from 'chai';
import { parse, type types } from 'hls-parser';
import {
  masterPlaylist,
  mediaPlaylist,
  type PlaylistRendition,
  type PlaylistSegment,
} from '../../../shared/content/playlists.js';
import { isObsolete, type RetainedFiles } from '../../../shared/content/retainedFiles.js';
import { contentFolder, newFolder } from '../../../shared/content/storageKeys.js';
import { bandwidthOf } from '../../../shared/content/variantStreams.js';
import { isUuid } from '../../../shared/platform/formats/format.js';
import { contentIdOf, uuidOfName } from '../../../shared/upload/contentIdentifier.js';
import { GrowingPlaylistWriter } from '../../../workers/ingestion/copy/growingPlaylistWriter.js';
import { eventually } from '../../support/eventually.js';

const id = '2f1c7f0e-7d0a-4c63-9a2e-5d7d4a1b9c11';

const playing: RetainedFiles = {
  content: { id, folder: id },
  playing: [{ generation: 2, folders: ['c0-a1', 'c1-a3'], inits: ['init/240p-aa.mp4'] }],
  newest: 2,
  processing: null,
  storyboard: 'storyboard-aa',
};

function obsolete(retained: RetainedFiles, ...paths: readonly string[]): string[] {
  return paths.filter((path) => isObsolete(retained, `content/${id}/${path}`));
}

describe('obsolete files of a content', () => {
  it('include every storyboard except the recorded one, and none while a storyboard may be in progress', () => {
    const paths = ['storyboard-aa/000.jpg', 'storyboard-bb/000.jpg'];
    expect(obsolete(playing, ...paths)).to.deep.equal(['storyboard-bb/000.jpg']);
    expect(obsolete({ ...playing, storyboard: null }, ...paths)).to.deep.equal([]);
    expect(obsolete({ ...playing, storyboard: undefined }, ...paths)).to.deep.equal(paths);
  });

  const needed = [
    ...['g2/master.m3u8', 'g2/240p.m3u8', 'g2/c0-a1/240p/00000.m4s', 'g2/c1-a3/240p/00001.m4s'],
    ...['g2/init/240p-aa.mp4', 'g2/preview/master.m3u8', 'g2/preview/c0-a1/240p/tail.m4s'],
    'g2/preview/init/240p-aa.mp4',
  ];
  const unneeded = [
    'g1/master.m3u8',
    'g2/c1-a1/240p/00001.m4s',
    'g2/c1-a33/240p/00001.m4s',
    'g2/init/240p-bb.mp4',
    'g2/preview/c1-a2/240p/00001.m4s',
    'making-g2/x/audio.aac',
  ];

  it('include files of failed attempts, files of old generations, and intermediate files', () => {
    expect(obsolete(playing, ...needed)).to.deep.equal([]);
    expect(obsolete(playing, ...unneeded)).to.deep.equal(unneeded);
  });

  it('include the playlists of copy attempts except the attempt that plays', () => {
    const copied = { ...playing, playing: [{ generation: 2, folders: ['copy0-a3', 'copy1-a3'], inits: [] }] };
    const lists = ['master-a3.m3u8', '240p-a3.m3u8', 'preview/master-a3.m3u8', 'growing.m3u8', '240p-growing.m3u8'];
    expect(obsolete(copied, ...lists.map((list) => `g2/${list}`))).to.deep.equal([]);
    const others = ['g2/master-a2.m3u8', 'g2/240p-a33.m3u8', 'g2/preview/master-a1.m3u8'];
    expect(obsolete(copied, ...others)).to.deep.equal(others);
  });

  it('exclude the generation in processing', () => {
    const inProgress = ['g3/c0-a1/240p/00000.m4s', 'g3/c0-a2/240p/00000.m4s', 'making-g3/x/audio.aac'];
    expect(obsolete({ ...playing, newest: 3, processing: 3 }, ...needed, ...inProgress)).to.deep.equal([]);
    expect(obsolete({ ...playing, newest: 3, processing: null }, ...inProgress)).to.deep.equal(inProgress);
  });

  it('exclude a generation that has started after the rows were read', () => {
    expect(obsolete(playing, 'g3/c0-a1/240p/00000.m4s', 'g3/master.m3u8', 'making-g3/x/audio.aac')).to.deep.equal([]);
    expect(obsolete({ ...playing, playing: [], processing: null }, 'g3/master.m3u8')).to.deep.equal([]);
  });

  it('include all files of the content if no generation plays', () => {
    expect(obsolete({ ...playing, playing: [] }, ...needed, ...unneeded)).to.deep.equal([...needed, ...unneeded]);
    expect(isObsolete(playing, 'content/another/g1/master.m3u8')).to.equal(false);
  });

  it('include files in any other folder of the content', () => {
    const content = { id, folder: newFolder(id) };
    const other = contentFolder({ id, folder: newFolder(id) });
    expect(isObsolete({ ...playing, content }, `${contentFolder(content)}/g2/master.m3u8`)).to.equal(false);
    expect(isObsolete({ ...playing, content }, `${other}/g2/master.m3u8`)).to.equal(true);
    expect(isObsolete({ ...playing, content }, `content/${id}/g2/master.m3u8`)).to.equal(true);
    expect(isObsolete(playing, `${other}/g2/master.m3u8`)).to.equal(true);
  });
});

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

const owner = '0f8fad5b-d9cb-469f-a165-70867728950e';
const other = '7c9e6679-7425-40de-944b-e07fc1f90ae7';

describe('contentIdentifier', () => {
  it('computes the UUID of the example in RFC 9562', () =>
    expect(uuidOfName('6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'www.example.com')).to.equal(
      '2ed6657d-e927-568b-95e1-2665a8aea6a2',
    ));

  it('creates a new id if none is sent', () => {
    expect(isUuid(contentIdOf('video', owner, undefined))).to.equal(true);
    expect(contentIdOf('video', owner, undefined)).to.not.equal(contentIdOf('video', owner, undefined));
  });

  it('accepts a UUID and the service’s own URN in any case', () => {
    expect(contentIdOf('video', owner, other.toUpperCase())).to.equal(other);
    expect(contentIdOf('acme:video', owner, `urn:acme:video:content:${other}`)).to.equal(other);
  });

  it('derives one id from any name and its owner', () => {
    for (const name of ['summer', 'urn:other:content:x', `urn:other:content:${other}`, 'ü 💛', other.slice(1)]) {
      expect(contentIdOf('video', owner, name))
        .to.equal(contentIdOf('video', owner, name))
        .and.not.equal(contentIdOf('video', other, name));
      expect(isUuid(contentIdOf('video', owner, name))).to.equal(true);
    }
  });
});

describe('an event playlist in progress', () => {
  it('lists segments in order, even if they are stored out of order', async () => {
    const written: number[] = [];
    const list = new GrowingPlaylistWriter(async (count) => void written.push(count));
    list.stored(2);
    expect(list.isShown).to.equal(false);
    list.stored(0);
    await eventually(() => expect(list.isShown).to.equal(true));
    list.stored(1);
    await eventually(() => expect(written).to.deep.equal([1, 3]));
    await list.end();
  });

  it('ends at once and writes nothing afterwards', async () => {
    const written: number[] = [];
    const list = new GrowingPlaylistWriter(async (count) => void written.push(count));
    list.stored(0);
    await eventually(() => expect(list.isShown).to.equal(true));
    list.stored(1);
    await list.end();
    list.stored(2);
    expect(written).to.deep.equal([1]);
  });

  it('writes nothing after a failed write, and rejects with its error at the end', async () => {
    let writes = 0;
    const list = new GrowingPlaylistWriter(async () => {
      writes += 1;
      throw new Error('the store is away');
    });
    list.stored(0);
    await eventually(() => expect(writes).to.equal(1));
    list.stored(1);
    expect(await list.end().catch((error: Error) => error.message)).to.equal('the store is away');
    expect(writes).to.equal(1);
  });
});
