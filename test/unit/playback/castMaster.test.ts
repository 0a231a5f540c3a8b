import { expect } from 'chai';
import { planLadder } from '../../../shared/content/ladder.js';
import { castLadder, castMasterPlaylist } from '../../../shared/playback/castMaster.js';
import { nextHigher, nextLower } from '../../../shared/streaming/listedSegment.js';

interface Variant {
  readonly name: string;
  readonly peak: number;
  readonly average: number;
  readonly size: readonly number[];
}

function variantsOf(text: string): Variant[] {
  const pattern =
    /BANDWIDTH=(\d+),AVERAGE-BANDWIDTH=(\d+),CODECS="([^"]+)",RESOLUTION=(\d+)x(\d+),AUDIO="audio",CLOSED-CAPTIONS=NONE\nvideo-(\d+p)\.m3u8/g;
  return [...text.matchAll(pattern)].map(([, peak, average, , width, height, name = '']) => ({
    ...{ name, peak: Number(peak), average: Number(average), size: [Number(width), Number(height)] },
  }));
}

describe('master playlist of cast channels', () => {
  it('has all renditions up to the highest configured one, the middle one first', () => {
    const namesUpTo = (height: number) => variantsOf(castMasterPlaylist(height)).map(({ name }) => name);
    expect(namesUpTo(1080)).to.deep.equal(['480p', '240p', '360p', '720p', '1080p']);
    expect(namesUpTo(720)).to.deep.equal(['360p', '240p', '480p', '720p']);
    expect(namesUpTo(240)).to.deep.equal(['240p']);
    expect(castLadder(100).map(({ name }) => name)).to.deep.equal(['240p']);
  });

  it('has bit rates above the average of any content at any frame rate', () => {
    const variants = variantsOf(castMasterPlaylist(1080));
    for (const framesPerSecond of [24, 30, 60])
      for (const { name, videoBits, maximumBits, audioBits, width, height } of planLadder({
        ...{ width: 1920, height: 1080, bits: null, codec: 'h264', framesPerSecond },
      })) {
        const variant = variants.find((one) => one.name === name);
        expect(variant?.peak, name).to.be.at.least(maximumBits + audioBits);
        expect(variant?.size).to.deep.equal([width, height]);
        if (framesPerSecond <= 30) expect(variant?.average).to.equal(videoBits + audioBits);
      }
  });

  it('has RFC 6381 codecs: H.264 High at the highest level of a list, and AAC', () => {
    const codecs = [...castMasterPlaylist(1080).matchAll(/CODECS="([^"]+)",RESOLUTION=(\d+x\d+)/g)];
    expect(Object.fromEntries(codecs.map(([, codec, size]) => [size, codec]))).to.deep.equal({
      '426x240': 'avc1.64001f,mp4a.40.2',
      '640x360': 'avc1.640028,mp4a.40.2',
      '854x480': 'avc1.640028,mp4a.40.2',
      '1280x720': 'avc1.640028,mp4a.40.2',
      '1920x1080': 'avc1.64002a,mp4a.40.2',
    });
  });
});

describe('nextLower', () => {
  const named = (...names: string[]) => names.map((name) => ({ name }));

  it('returns the rendition itself, the next lower one, or the lowest, in any order', () => {
    for (const renditions of [
      named('240p', '480p', '720p'),
      named('720p', '480p', '240p'),
      named('480p', '720p', '240p'),
    ]) {
      expect(nextLower(renditions, '480p').name).to.equal('480p');
      expect(nextLower(renditions, '1080p').name).to.equal('720p');
      expect(nextLower(renditions, '360p').name).to.equal('240p');
    }
    expect(nextLower(named('720p'), '240p').name).to.equal('720p');
    expect(nextLower(named('576p', '1078p'), '1080p').name).to.equal('1078p');
    expect(nextLower(named('576p', '1078p'), '720p').name).to.equal('576p');
  });
});

describe('nextHigher', () => {
  it('returns the rendition itself, the next higher one, or the highest, in any order', () => {
    const renditions = ['1080p', '240p', '480p'].map((name) => ({ name }));
    const found = ['480p', '360p', '720p', '1080p', '2160p', '144p'].map((name) => nextHigher(renditions, name).name);
    expect(found).to.deep.equal(['480p', '480p', '1080p', '1080p', '1080p', '240p']);
  });
});
