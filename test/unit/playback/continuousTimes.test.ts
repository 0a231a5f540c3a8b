import { expect } from 'chai';
import { planLadder } from '../../../shared/content/ladder.js';
import type { TimedSample, Sample, Mp4Track } from '../../../shared/media/mp4/index.js';
import { castLadder, castMasterPlaylist } from '../../../shared/playback/castMaster.js';
import {
  continuousTimes,
  videoTimescale,
  type ContinuousTime,
} from '../../../shared/playback/tracks/continuousTimes.js';
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

const second = 1e6;
const packetTicks = 1024;

/** A time with microseconds that no timescale divides evenly. */
const epoch = Date.parse('2026-11-22T10:05:00Z') * 1000 + 123_457;

/** A source. `order`: the presentation positions of its frames in decoding order. */
interface Source {
  readonly framesPerSecond: number;
  readonly order: readonly number[];
  /** Seconds by which its audio begins before its video. */
  readonly audioLead: number;
}

const timescales = { video: 12_800, audio: 48_000 };

const tracks: readonly Mp4Track[] = (['video', 'audio'] as const).map((kind, index) => ({
  ...{ id: index + 5, kind, timescale: timescales[kind], positions: { id: 0, timescale: 0 } },
}));

const inOrder: Source = { framesPerSecond: 4, order: [0], audioLead: 0 };
const reordered: Source = { framesPerSecond: 25, order: [0, 4, 2, 1, 3], audioLead: 0.08 };
const fast: Source = { framesPerSecond: 50, order: [0, 2, 1], audioLead: 0.04 };

/** The frame that is shown last is decoded second. */
const slow: Source = { framesPerSecond: 2, order: [0, 5, 3, 1, 2, 4], audioLead: 1 };

/** A segment whose first frame is shown at one second of its file. */
function timesOf(source: Source, seconds: number, at: Omit<ContinuousTime, 'videoStartsAt'>) {
  const time = { ...at, videoStartsAt: null };
  const { framesPerSecond, order, audioLead } = source;
  const ticks = timescales.video / framesPerSecond;
  const lead = Math.max(...order.map((place, index) => index - place));
  const sample = (duration: number, offset: number): Sample => ({
    ...{ duration, offset, isSync: true, flags: 0, bytes: 10, position: 0 },
  });
  const frames = Array.from({ length: Math.round(seconds * framesPerSecond) }, (_, index) => {
    const start = index - (index % order.length);
    return sample(ticks, (start + (order[index % order.length] ?? 0) - index + lead) * ticks);
  });
  const packets = Array.from({ length: Math.ceil((seconds * timescales.audio) / packetTicks) }, () =>
    sample(packetTicks, 0),
  );
  const runs = [
    { track: 5, decodeTime: timescales.video - lead * ticks, samples: frames },
    { track: 6, decodeTime: Math.round((1 - audioLead) * timescales.audio), samples: packets },
  ];
  const fragments = [{ start: 0, runs }];
  const timesOfKind = (kind: Mp4Track['kind']) => continuousTimes(fragments, tracks, kind, time);
  return { video: timesOfKind('video'), audio: timesOfKind('audio') };
}

/** Consecutive segments of these sources, each `seconds` long, with a join before each. */
function channelOf(sources: readonly Source[], seconds: number) {
  const all: Record<Mp4Track['kind'], TimedSample[]> = { video: [], audio: [] };
  sources.forEach((source, sequence) => {
    const startsAt = epoch + sequence * seconds * second;
    const { video, audio } = timesOf(source, seconds, { sequence, startsAt, duration: seconds * second, isJoin: true });
    all.video.push(...video);
    all.audio.push(...audio);
  });
  return all;
}

const shown = ({ decodeTime, offset }: TimedSample): number => decodeTime + offset;

describe('the times of the continuous form', () => {
  it('continue at every join: decoding times increase, and each sample ends when the next one starts', () => {
    const sources = [reordered, fast, inOrder, fast, fast, reordered, inOrder, inOrder, reordered, fast];
    for (const seconds of [4, 0.5, 2.36, 1.2]) {
      const { video, audio } = channelOf(sources, seconds);
      for (const [index, sample] of video.slice(1).entries()) {
        const before = video[index] as TimedSample;
        expect(sample.decodeTime, `frame ${index}`).to.be.above(before.decodeTime);
        expect(before.decodeTime + before.duration).to.equal(sample.decodeTime);
        expect(sample.offset).to.be.at.least(0);
      }
      for (const [index, { decodeTime }] of audio.slice(1).entries()) {
        const step = (decodeTime - (audio[index]?.decodeTime ?? 0)) / packetTicks;
        expect(step, `packet ${index}`).to.be.at.least(1);
        expect(Number.isInteger(step)).to.equal(true);
      }
    }
  });

  it('show the first frame at the start of its segment, with its audio at most half a packet off', () => {
    for (const source of [inOrder, reordered, fast]) {
      const at = { sequence: 7, startsAt: epoch, duration: 4 * second, isJoin: false };
      const { video, audio } = timesOf(source, 4, at);
      const first = Math.min(...video.map(shown));
      expect(first).to.equal(Math.round((epoch / second) * videoTimescale));
      const start = (audio[0]?.decodeTime ?? 0) / timescales.audio - epoch / second;
      expect(start + source.audioLead).to.be.within(-512 / 48_000, 512 / 48_000);
    }
  });

  it("omit audio in another source's time, at the start after a join and always at the end", () => {
    const at = (isJoin: boolean) =>
      timesOf(reordered, 4, { sequence: 0, startsAt: epoch, duration: 3.9 * second, isJoin }).audio;
    const [continued, joined] = [at(false), at(true)];
    // 80 ms is less than four packets.
    expect(continued.length - joined.length).to.be.within(3, 4);
    expect((joined[0]?.decodeTime ?? 0) / timescales.audio).to.be.at.least(epoch / second);
    for (const { decodeTime } of joined) expect(decodeTime / timescales.audio).to.be.below(epoch / second + 3.9);
  });

  it('are in order for strongly reordered frames, none of which is shown before it is decoded', () => {
    const { video } = channelOf([slow, slow, fast, slow], 3);
    for (const [index, { decodeTime }] of video.slice(1).entries())
      if (shown(video[index + 1] as TimedSample) > shown(video[0] as TimedSample))
        expect(decodeTime, `frame ${index}`).to.be.above(video[index]?.decodeTime ?? 0);
    for (const { offset } of video) expect(offset).to.be.at.least(0);
  });

  /** The audio packet numbers of one source, in segments of two seconds of its own clock. */
  function packetNumbers(startsAt: number, durationOf: number, segments: number): number[] {
    return Array.from({ length: segments }, (_, sequence) => {
      const first = Math.ceil((sequence * 2 * timescales.audio) / packetTicks);
      const behind = Math.ceil(((sequence + 1) * 2 * timescales.audio) / packetTicks);
      const sample = { duration: 512, offset: 0, isSync: true, flags: 0, bytes: 10, position: 0 };
      const frames = Array.from({ length: 50 }, () => sample);
      const packets = Array.from({ length: behind - first }, () => ({ ...sample, duration: packetTicks }));
      const runs = [
        { track: 5, decodeTime: sequence * 50 * 512, samples: frames },
        { track: 6, decodeTime: first * packetTicks, samples: packets },
      ];
      const times = { startsAt: Math.round(startsAt + sequence * durationOf), duration: Math.round(durationOf) };
      const time = { sequence, ...times, isJoin: sequence === 0, videoStartsAt: null };
      const timed = continuousTimes([{ start: 0, runs }], tracks, 'audio', time);
      return timed.map(({ decodeTime }) => decodeTime / packetTicks);
    }).flat();
  }
  const stepsOf = (numbers: readonly number[]): number[] =>
    numbers.slice(1).map((number, index) => number - (numbers[index] ?? 0));

  for (const driftMs of [-2, 2])
    it(`are unique for each packet if a source drifts by ${driftMs} ms per segment`, () => {
      const steps = stepsOf(packetNumbers(epoch, 2 * second + driftMs * 1000, 100));
      expect(Math.min(...steps)).to.equal(1);
      expect(Math.max(...steps)).to.be.at.most(2);
    });

  it('are consecutive for the packets of a source with any start', () => {
    for (let eighth = 0; eighth < 64; eighth += 1) {
      // A packet may be exactly halfway between two times, apart from rounding errors.
      const startsAt = Math.round((Math.round(epoch / 1e6) + (eighth * packetTicks) / timescales.audio / 8) * second);
      const steps = stepsOf(packetNumbers(startsAt, 2 * second, 40));
      expect([...new Set(steps)], `${eighth} eighths`).to.deep.equal([1]);
    }
  });
});
