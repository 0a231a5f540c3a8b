import { expect } from 'chai';
import { contentFolder, newFolder } from '../../../shared/content/storageKeys.js';
import { isObsolete, type RetainedFiles } from '../../../shared/content/retainedFiles.js';

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
