import { expect } from 'chai';
import { audioFor, refusalOf } from '../../../workers/ingestion/copy/copyable.js';
import { AudioIndexer } from '../../../workers/ingestion/copy/audioIndex.js';
import { VideoIndexer, type VideoPacket } from '../../../workers/ingestion/copy/packetIndex.js';
import type { AudioStream, ProbedSource, VideoStream } from '../../../workers/media/probedSource.js';

const coded: VideoStream['coded'] = {
  ...{ profile: 'High', level: 40, pixelFormat: 'yuv420p', width: 1920, height: 1080 },
  ...{ pixelAspect: 1280 / 1281, isTransformed: false, isReordered: false, startSeconds: 0 },
};
const video: VideoStream = {
  ...{ index: 0, codec: 'h264', width: 1920, height: 1080, timeBase: 1 / 1000, interlaced: false },
  ...{ highDynamicRange: null, colours: {}, mayBeInterlaced: true, coded },
};
const audio: AudioStream = {
  ...{ trackId: 0, language: '', title: '' },
  ...{ index: 1, startSeconds: 0, codec: 'aac', profile: 'LC', channels: 2, layout: 'stereo' },
  ...{ sampleRate: 48_000, timeBase: 1 / 48_000 },
};
const declaredEnds = { video: 12, audio: 12, file: 12, isLastFrameKnown: true };
const source: ProbedSource = {
  ...{ demuxer: 'mov', video, audio, audioStreams: [audio], audioCount: 1, cover: null, subtitles: [] },
  ...{ declaredEnds, streamCount: 2, videoCount: 1 },
};
const withVideo = (changed: Partial<VideoStream>): ProbedSource => ({
  ...source,
  video: { ...video, ...changed },
});
const withCoded = (changed: Partial<VideoStream['coded']>): ProbedSource =>
  withVideo({ coded: { ...coded, ...changed } });

describe('a format that can be copied', () => {
  it('is 8-bit H.264 in one of four containers', () => {
    for (const demuxer of ['mov', 'matroska', 'flv', 'mpegts'])
      expect(refusalOf({ ...source, demuxer }), demuxer).to.equal(null);
    for (const profile of ['Constrained Baseline', 'Main']) expect(refusalOf(withCoded({ profile }))).to.equal(null);
  });

  const refused: readonly [string, ProbedSource][] = [
    ['noVideo', { ...source, video: null }],
    ['container', { ...source, demuxer: 'avi' }],
    ['container', { ...source, demuxer: 'mpegts', videoCount: 2 }],
    ['codec', withVideo({ codec: 'hevc' })],
    ['profile', withCoded({ profile: 'High 4:2:2' })],
    ['level', withCoded({ level: 60 })],
    ['level', withCoded({ level: -99 })],
    ['pixelFormat', withCoded({ pixelFormat: 'yuv420p10le' })],
    ['interlaced', withVideo({ interlaced: true })],
    ['pixelAspect', withCoded({ pixelAspect: 64 / 45 })],
    ['rotation', withCoded({ isTransformed: true })],
    ['highDynamicRange', withVideo({ highDynamicRange: 'hlg' })],
    ['size', withCoded({ width: 1919 })],
    ['timestamps', withCoded({ startSeconds: Number.NaN })],
  ];
  for (const [refusal, description] of refused)
    it(`is not found: ${refusal}`, () => expect(refusalOf(description)).to.equal(refusal));
});

/** Packets at 25 frames per second with this keyframe interval in frames. */
function packets(count: number, between: number): VideoPacket[] {
  return Array.from({ length: count }, (_, frame) => ({
    ...{ tick: frame * 40, decodeTick: frame * 40, duration: 40, bytes: 1000 },
    isKeyframe: frame % between === 0,
  }));
}

function indexed(list: readonly VideoPacket[], { isReordered = false, maxSeconds = 3600 } = {}) {
  const indexer = new VideoIndexer({ timeBase: 1 / 1000, isReordered, maxSeconds });
  for (const packet of list) indexer.add(packet);
  return indexer.finish();
}

function withPacket(list: VideoPacket[], at: number, packet: Partial<VideoPacket>): VideoPacket[] {
  return list.map((one, index) => (index === at ? { ...one, ...packet } : one));
}

describe('the packet index', () => {
  it('has segments that end at the first keyframe after four seconds', () => {
    expect(indexed(packets(300, 60))).to.deep.equal({
      segments: [
        { startSeconds: 0, durationSeconds: 4.8, frames: 120 },
        { startSeconds: 4.8, durationSeconds: 4.8, frames: 120 },
        { startSeconds: 9.6, durationSeconds: 2.4, frames: 60 },
      ],
      durationSeconds: 12,
      frames: 300,
      bytes: 300_000,
      pace: { framesPerSecond: 25, isConstant: true },
      keyframeSeconds: [0, 2.4, 4.8, 7.2, 9.6],
    });
  });

  it('accepts frames whose decoding order differs from their presentation order', () => {
    // Shown as 0 3 1 2 | 4 7 5 6: after each keyframe a later frame is decoded first.
    const order = [0, 3, 1, 2, 4, 7, 5, 6];
    const list = order.map((frame, place) => ({
      ...{ tick: 80 + frame * 40, decodeTick: place * 40, duration: 40, bytes: 1, isKeyframe: frame % 4 === 0 },
    }));
    expect(indexed(list, { isReordered: true })).to.include({ frames: 8, durationSeconds: 0.32 });
  });

  it('is rejected if frames are reordered and only decoding times are known', () => {
    const refused = { refusal: 'timestamps' };
    expect(indexed(packets(100, 50), { isReordered: true })).to.deep.equal(refused);
    const late = packets(100, 50).map((one, frame) => ({ ...one, tick: one.tick + 80 + (frame % 2) }));
    expect(indexed(late, { isReordered: true }), 'a delay that is rounded').to.deep.equal(refused);
    expect(indexed(late)).to.include({ frames: 100 });
  });

  it('is rejected at the first packet beyond the maximum duration', () => {
    expect(indexed(packets(100, 50), { maxSeconds: 4 })).to.include({ frames: 100 });
    expect(indexed(packets(100, 50), { maxSeconds: 3.99 })).to.deep.equal({ refusal: 'duration' });
    const indexer = new VideoIndexer({ timeBase: 1 / 1000, isReordered: false, maxSeconds: 3 });
    const taken = packets(100, 50).findIndex((packet) => {
      indexer.add(packet);
      return indexer.refusal;
    });
    expect(taken).to.equal(76);
  });

  it('accepts first frames without decoding times, as in Matroska', () => {
    const list = packets(100, 50).map((one, frame) => (frame < 4 ? { ...one, decodeTick: Number.NaN } : one));
    expect(indexed(list)).to.include({ frames: 100 });
    const all = packets(100, 50).map((one) => ({ ...one, decodeTick: Number.NaN }));
    expect(indexed(all)).to.deep.equal({ refusal: 'timestamps' });
  });

  const refused: readonly [string, string, () => VideoPacket[]][] = [
    ['timestamps', 'no presentation time', () => withPacket(packets(100, 50), 7, { tick: Number.NaN })],
    [
      'timestamps',
      'a decoding time that is missing later',
      () => withPacket(packets(100, 50), 7, { decodeTick: Number.NaN }),
    ],
    [
      'timestamps',
      'a decoding time that does not increase',
      () => withPacket(packets(100, 50), 7, { decodeTick: 240 }),
    ],
    ['timestamps', 'a frame shown before it is decoded', () => withPacket(packets(100, 50), 7, { tick: 270 })],
    ['timestamps', 'two frames with the same time', () => withPacket(packets(100, 50), 7, { tick: 320 })],
    ['gap', 'a frame that is shown for long', () => [...packets(20, 20), ...packets(60, 20).slice(50)]],
    ['openGop', 'a frame after a keyframe that is shown before it', () => openGop(100)],
    [
      'openGop',
      'a frame before a keyframe that is shown after it',
      () => withPacket(packets(100, 50), 49, { tick: 2001 }),
    ],
    ['firstKeyframe', 'a start without a keyframe', () => packets(100, 50).slice(1)],
    ['keyframeInterval', 'keyframes eleven seconds apart', () => packets(600, 275)],
    ['keyframeInterval', 'one keyframe in a long video', () => packets(300, 1000)],
    ['bitRate', 'segments too large to check', () => packets(200, 50).map((one) => ({ ...one, bytes: 1024 ** 2 }))],
    ['duration', 'a single frame', () => packets(1, 1)],
  ];
  for (const [refusal, name, list] of refused)
    it(`is rejected as ${refusal}: ${name}`, () => expect(indexed(list())).to.deep.equal({ refusal }));

  function openGop(delay: number): VideoPacket[] {
    const list = packets(100, 50).map((one) => ({ ...one, tick: one.tick + delay }));
    // The keyframe 50 is decoded before frame 49, which is shown before it.
    const [before, key] = [list[49], list[50]] as [VideoPacket, VideoPacket];
    list.splice(49, 2, { ...key, decodeTick: before.decodeTick }, { ...before, decodeTick: key.decodeTick });
    return list;
  }

  it('accepts keyframes 250 frames apart at 24 frames per second, with a first segment inside the preview', () => {
    const list = packets(2000, 250).map((one, frame) => {
      const tick = Math.round((frame * 1000) / 24);
      return { ...one, tick, decodeTick: tick };
    });
    const index = indexed(list);
    if ('refusal' in index) throw new Error(index.refusal);
    expect(index.segments[0]?.durationSeconds).to.be.within(10, 15);
  });
});

describe('the audio of a copy', () => {
  const seconds = 10;
  const index = indexed(packets(seconds * 25, 50));
  if ('refusal' in index) throw new Error(index.refusal);
  const of = (
    stream: AudioStream,
    { startSeconds = 0, durationSeconds = seconds, isContinuous = true, demuxer = 'mov' } = {},
  ) =>
    audioFor(
      { demuxer, audio: stream },
      { video: index, audio: { startSeconds, durationSeconds, isContinuous }, startSeconds: 0 },
    );

  it('is copied if it is AAC-LC without gaps and has the duration of the video', () => {
    expect(of(audio)).to.equal('copied');
    expect(of({ ...audio, channels: 1, sampleRate: 44_100 })).to.equal('copied');
  });

  it('is encoded in all other cases', () => {
    for (const other of [{ codec: 'ac3' }, { profile: 'HE-AAC' }, { channels: 6 }, { sampleRate: 96_000 }])
      expect(of({ ...audio, ...other }), JSON.stringify(other)).to.equal('encoded');
    expect(of(audio, { isContinuous: false })).to.equal('encoded');
    expect(of(audio, { durationSeconds: 5 })).to.equal('encoded');
  });

  it('is silence if the source has none', () => {
    expect(audioFor({ demuxer: 'mov', audio: null }, { video: index, audio: null, startSeconds: 0 })).to.equal(
      'silence',
    );
  });

  it('prevents the copy of the video if it starts or ends at another time', () => {
    expect(of(audio, { startSeconds: 0.3 })).to.deep.equal({ refusal: 'audioStart' });
    expect(of(audio, { startSeconds: -0.3 })).to.deep.equal({ refusal: 'audioStart' });
    expect(of(audio, { durationSeconds: 11 })).to.deep.equal({ refusal: 'audioEnd' });
    expect(of(audio, { durationSeconds: 5, demuxer: 'mpegts' })).to.deep.equal({ refusal: 'audioEnd' });
    const unknown = { video: index, audio: null, startSeconds: 0 };
    expect(audioFor(source, unknown), 'an unknown end').to.deep.equal({ refusal: 'audioEnd' });
  });

  it('has gaps if one packet is late, or all packets are slightly late', () => {
    const continuous = (ticks: readonly number[], sampleRate = 48_000, timeBase = 1 / 48_000): boolean | undefined => {
      const indexer = new AudioIndexer({ timeBase, sampleRate });
      for (const tick of ticks) indexer.add(tick);
      return indexer.finish()?.isContinuous;
    };
    const even = Array.from({ length: 100 }, (_, packet) => packet * 1024);
    expect(continuous(even)).to.equal(true);
    const rounded = even.map((tick) => Math.round(tick / 48));
    expect(continuous(rounded, 48_000, 1 / 1000)).to.equal(true);
    expect(continuous(even.map((tick) => (tick > 50_000 ? tick + 2048 : tick)))).to.equal(false);
    expect(continuous(even.map((tick) => (tick > 50_000 ? tick + 1024 : tick))), 'one join').to.equal(true);
    expect(continuous(even.map((tick) => tick + 400 * Math.floor(tick / 10_240))), 'many joins').to.equal(false);
    expect(continuous(even.map((tick) => tick * 1.02))).to.equal(false);
    expect(continuous([])).to.equal(undefined);
  });
});
