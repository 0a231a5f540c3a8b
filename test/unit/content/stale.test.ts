import { expect } from 'chai';
import { isStale, type NeededFiles } from '../../../shared/content/stale.js';

const id = '2f1c7f0e-7d0a-4c63-9a2e-5d7d4a1b9c11';
const playing: NeededFiles = {
  contentId: id,
  ready: { generation: 2, folders: ['c0-a1', 'c1-a3'], inits: ['init/240p-aa.mp4'] },
  making: null,
};

function stale(needed: NeededFiles, ...paths: readonly string[]): string[] {
  return paths.filter((path) => isStale(needed, `content/${id}/${path}`));
}

describe('files of a content that nobody needs', () => {
  const needed = [
    'g2/master.m3u8',
    'g2/240p.m3u8',
    'g2/c0-a1/240p/00000.m4s',
    'g2/c1-a3/240p/00001.m4s',
    'g2/init/240p-aa.mp4',
    'g2/preview/master.m3u8',
    'g2/preview/c0-a1/240p/tail.m4s',
    'g2/preview/init/240p-aa.mp4',
  ];
  const unneeded = [
    'g1/master.m3u8',
    'g2/c1-a1/240p/00001.m4s',
    'g2/c1-a33/240p/00001.m4s',
    'g2/init/240p-bb.mp4',
    'g2/preview/c1-a2/240p/00001.m4s',
    'making-g2/x/sound.aac',
    'g20/c0-a1/240p/00000.m4s',
  ];

  it('are those of attempts in vain, of old generations, and of the making', () => {
    expect(stale(playing, ...needed)).to.deep.equal([]);
    expect(stale(playing, ...unneeded)).to.deep.equal(unneeded);
  });

  it('are none of the generation in the making', () => {
    const making = ['g3/c0-a1/240p/00000.m4s', 'g3/c0-a2/240p/00000.m4s', 'making-g3/x/sound.aac'];
    expect(stale({ ...playing, making: 3 }, ...needed, ...making)).to.deep.equal([]);
    expect(stale({ ...playing, making: null }, ...making)).to.deep.equal(making);
  });

  it('are all of them where nothing plays', () => {
    expect(stale({ ...playing, ready: null }, ...needed, ...unneeded)).to.deep.equal([...needed, ...unneeded]);
    expect(isStale(playing, 'content/another/g1/master.m3u8')).to.equal(false);
  });
});
