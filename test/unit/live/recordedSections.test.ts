import { expect } from 'chai';
import type { RecordedSegment } from '../../../shared/live/recording.queries.js';
import { previewCount } from '../../../workers/ingestion/previewCount.js';
import {
  bytesOf,
  chunkOf,
  continuesSection,
  frameSegmentsOf,
  playlistAudio,
  playlistRenditions,
  previewOf,
  secondsOfSections,
  type Section,
  type VideoMap,
} from '../../../workers/ingestion/recorded/sections.js';

function mapOf(key: string): VideoMap {
  return { key, bytes: 700, width: 1280, height: 720, codecs: 'avc1.64001f' };
}

/** A section with segments of 2 s. */
function section(folder: string, names: readonly string[], segments: number, seconds = 2): Section {
  return {
    folder,
    seconds: Array.from({ length: segments }, () => seconds),
    renditions: names.map((name, index) => ({
      name,
      map: mapOf(`init/${folder}-${name}.mp4`),
      bytes: Array.from({ length: segments }, (_, segment) => 1000 * (names.length - index) + segment),
    })),
    audio: {
      name: 'audio-0',
      map: { key: `init/${folder}-audio.mp4`, bytes: 600, codecs: 'mp4a.40.2' },
      bytes: Array.from({ length: segments }, () => 100),
    },
    hasAudio: true,
  };
}

const segment: RecordedSegment = {
  sessionId: 'a',
  sequence: 7,
  discontinuity: 2,
  durationMicroseconds: 2_000_000,
  files: [
    { name: '720p', mapKey: 'live/a/init-1.mp4', key: 'live/a/7-720p.m4s', bytes: 10 },
    { name: '360p', mapKey: 'live/a/init-2.mp4', key: 'live/a/7-360p.m4s', bytes: 5 },
  ],
};
const [high, low] = segment.files as [RecordedSegment['files'][0], RecordedSegment['files'][0]];

describe('sections of a recording', () => {
  it('continue with the next segment of the session', () => {
    expect(continuesSection(segment, { ...segment, sequence: 8 })).to.equal(true);
  });

  for (const [what, next] of [
    ['another session', { sessionId: 'b' }],
    ['a segment that is missing', { sequence: 9 }],
    ['a discontinuity', { discontinuity: 3 }],
    ['a rendition that was dropped', { files: [low] }],
    ['a rendition that was added', { files: [high, low, { ...low, name: '180p' }] }],
    ['another initialisation segment', { files: [high, { ...low, mapKey: 'live/a/init-3.mp4' }] }],
    ['renditions in another order', { files: [low, high] }],
  ] as const)
    it(`end at ${what}`, () => {
      expect(continuesSection(segment, { ...segment, sequence: 8, ...next })).to.equal(false);
    });

  it('are listed in every rendition that any section has, with the next lower one for a missing one', () => {
    const sections = [section('x', ['720p', '360p'], 2), section('y', ['360p'], 1), section('z', ['1080p', '720p'], 1)];
    const listed = playlistRenditions(sections).map(({ name, segments }) => [name, segments.map(({ uri }) => uri)]);
    expect(listed).to.deep.equal([
      ['360p', ['x/360p/00000.m4s', 'x/360p/00001.m4s', 'y/360p/00000.m4s', 'z/720p/00000.m4s']],
      ['720p', ['x/720p/00000.m4s', 'x/720p/00001.m4s', 'y/360p/00000.m4s', 'z/720p/00000.m4s']],
      ['1080p', ['x/720p/00000.m4s', 'x/720p/00001.m4s', 'y/360p/00000.m4s', 'z/1080p/00000.m4s']],
    ]);
  });

  it('begin with a discontinuity, except the first one, and with their initialisation segment', () => {
    const [rendition] = playlistRenditions([section('x', ['720p'], 2), section('y', ['720p'], 2)]);
    const listed = rendition?.segments.map(({ map, isDiscontinuous }) => [map, isDiscontinuous]);
    expect(listed).to.deep.equal([
      ['init/x-720p.mp4', false],
      ['init/x-720p.mp4', false],
      ['init/y-720p.mp4', true],
      ['init/y-720p.mp4', false],
    ]);
  });

  it('have one audio playlist, which restarts with each section and omits segments without an audio packet', () => {
    const short = section('x', ['720p'], 1, 0.01);
    const sections = [
      section('w', ['720p'], 1),
      { ...short, audio: { ...short.audio, bytes: [0] } },
      section('y', ['720p'], 2),
    ];
    const { segments, ...audio } = playlistAudio(sections);
    const described = { language: 'und', label: 'Original', channels: 2, codecs: 'mp4a.40.2' };
    expect(audio).to.deep.equal({ name: 'audio-0', ...described });
    expect(segments.map(({ uri, map, isDiscontinuous }) => [uri, map, isDiscontinuous])).to.deep.equal([
      ['w/audio-0/00000.m4s', 'init/w-audio.mp4', false],
      ['y/audio-0/00000.m4s', 'init/y-audio.mp4', true],
      ['y/audio-0/00001.m4s', 'init/y-audio.mp4', false],
    ]);
  });

  it('become chunks with the sizes and durations of their segments', () => {
    const { folder, result } = chunkOf(section('x', ['720p'], 2, 1.96));
    expect(folder).to.equal('x');
    const durations = [1.96, 1.96];
    const video = { initKey: 'init/x-720p.mp4', initBytes: 700, codecs: 'avc1.64001f' };
    const audio = { initKey: 'init/x-audio.mp4', initBytes: 600, codecs: 'mp4a.40.2' };
    expect(result.renditions).to.deep.equal({
      '720p': { bytes: [1000, 1001], durations, ...video },
      'audio-0': { bytes: [100, 100], durations, ...audio },
    });
  });

  it('count each file once', () => {
    const sections = [section('x', ['720p', '360p'], 2), section('y', ['360p'], 1)];
    expect(secondsOfSections(sections)).to.equal(6);
    expect(bytesOf(sections)).to.equal(2000 + 2001 + 1000 + 1001 + 1000 + 3 * 100 + 3 * 700 + 2 * 600);
  });
});

describe('the segments of a preview', () => {
  it('end within it, including audio that is longer than its video', () => {
    expect(previewCount([5, 5, 5, 5])).to.equal(3);
    expect(previewCount([5, 5, 5.001, 5])).to.equal(2);
    expect(previewCount([5, 5, 5, 5], 0.1)).to.equal(2);
    expect(previewCount([16])).to.equal(0);
    expect(previewCount([4])).to.equal(1);
    // Their sum is 15.000000000000014.
    expect(previewCount(Array(50).fill(0.3))).to.equal(50);
  });
});

describe('the preview of a recording', () => {
  const shown = (sections: readonly Section[]) =>
    previewOf(sections).map(({ folder, seconds, renditions }) => [
      folder,
      seconds.length,
      renditions.map(({ bytes }) => bytes.length),
    ]);

  it('contains the complete segments that end within 15 s', () => {
    expect(shown([section('x', ['720p', '360p'], 300)])).to.deep.equal([['x', 7, [7, 7]]]);
    expect(shown([section('x', ['720p'], 4, 2.49)])).to.deep.equal([['x', 4, [4]]]);
    // The audio may end after 15 s.
    expect(shown([section('x', ['720p'], 6, 2.499)])).to.deep.equal([['x', 5, [5]]]);
  });

  it('continues across a new run of the encoder', () => {
    expect(shown([section('x', ['720p'], 3), section('y', ['720p'], 300)])).to.deep.equal([
      ['x', 3, [3]],
      ['y', 4, [4]],
    ]);
    expect(shown([section('x', ['720p'], 7), section('y', ['720p'], 300)])).to.deep.equal([['x', 7, [7]]]);
  });

  it('is the complete recording if it is short', () => {
    expect(shown([section('x', ['720p'], 2), section('y', ['720p'], 1, 0.4)])).to.deep.equal([
      ['x', 2, [2]],
      ['y', 1, [1]],
    ]);
  });
});

describe('the image of a recording', () => {
  const searched = (sections: readonly Section[]) => {
    const found = frameSegmentsOf(sections);
    return [found.section.folder, found.segments[0], found.segments.length];
  };

  it('is searched for after a tenth of its duration, or after a minute', () => {
    expect(searched([section('x', ['720p'], 100)])).to.deep.equal(['x', 10, 10]);
    expect(searched([section('x', ['720p'], 10_000)])).to.deep.equal(['x', 30, 10]);
    expect(searched([section('x', ['720p'], 1)])).to.deep.equal(['x', 0, 1]);
  });

  it('is searched for in segments of one section', () => {
    expect(searched([section('x', ['720p'], 3), section('y', ['720p'], 97)])).to.deep.equal(['y', 7, 10]);
    expect(searched([section('x', ['720p'], 12), section('y', ['720p'], 88)])).to.deep.equal(['x', 10, 2]);
  });
});
