import { expect } from 'chai';
import { decodingInside } from '../../../shared/media/mp4/decodingTimes.js';
import { createFileSectionReader, type FileSection } from '../../../workers/media/fileSections.js';
import { videoFrame, type FrameSource } from '../../../workers/media/frame.js';
import { MediaFault } from '../../../workers/media/mediaFault.js';
import type { MediaRunner } from '../../../workers/media/runner.js';
import { createSourceTimelineReader } from '../../../workers/media/sourceTimeline.js';
import { rejection } from '../../support/eventually.js';

const millisecond = 0.001;

function readTimeline(lines: readonly string[], maxSeconds = 3600) {
  const reader = createSourceTimelineReader(millisecond, maxSeconds);
  const taken = lines.map((line) => reader.read(line));
  const unknown = { video: Number.NaN, isLastFrameKnown: true };
  return { taken, timeline: (declared = unknown) => reader.timeline(declared) };
}

describe('the timeline of packets', () => {
  it('is readTimeline from packets in any decoding order', () => {
    const { timeline } = readTimeline([
      '100,20,40,500,K_',
      '220,60,40,100,__',
      '140,100,40,100,__',
      '180,140,40,100,__',
    ]);
    expect(timeline()).to.deep.include({
      packets: 4,
      startSeconds: 0.1,
      endSeconds: 0.26,
      framesPerSecond: 25,
      keyframeSeconds: [0.1],
    });
    expect(timeline().bits).to.be.closeTo((800 * 8) / 0.16, 1);
  });

  it('ignores packets that an edit list removes, and uses decoding times if presentation times are missing', () => {
    expect(readTimeline(['-80,-80,40,9,KD', '0,-40,40,9,_D', '40,0,40,9,K_']).timeline()).to.include({
      packets: 1,
      startSeconds: 0.04,
    });
    expect(readTimeline(['N/A,0,40,9,K_', 'N/A,40,40,9,__']).timeline()).to.include({ packets: 2, endSeconds: 0.08 });
  });

  it('detects the frame rate of a camera that drops frames and of rounded times', () => {
    const times = [0, 33, 67, 100, 167, 200, 233, 300, 333, 367, 400];
    expect(readTimeline(times.map((time) => `${time},${time},33,9,__`)).timeline().framesPerSecond).to.be.closeTo(
      30,
      0.3,
    );
    const even = Array.from({ length: 100 }, (_, index) => Math.round((index * 1001) / 30));
    expect(readTimeline(even.map((time) => `${time},${time},33,9,__`)).timeline().framesPerSecond).to.be.closeTo(
      29.97,
      0.01,
    );
  });

  it('detects the frame rate of the moving parts of a screen recording that is mostly still', () => {
    for (const stillMs of [[], [200, 200, 200, 200, 200], Array.from({ length: 60 }, () => 100)]) {
      const minute = Array.from({ length: 6 }, () => [
        ...Array.from({ length: 60 }, () => 1000 / 60),
        ...stillMs,
        5000,
      ]);
      let time = 0;
      const times = minute.flat().map((interval) => Math.round((time += interval)));
      const timeline = readTimeline(times.map((shown) => `${shown},${shown},16,9,__`)).timeline();
      expect(timeline.framesPerSecond, `${stillMs.length}`).to.be.closeTo(60, 0.2);
    }
    // A few wrong timestamps do not count as movement.
    const faulty = [0, 1, 2, 3, ...Array.from({ length: 300 }, (_, index) => 40 + index * 40)];
    expect(readTimeline(faulty.map((time) => `${time},${time},40,9,__`)).timeline().framesPerSecond).to.be.closeTo(
      25,
      0.3,
    );
  });

  it('distinguishes a constant rate from a variable one', () => {
    const isConstant = (times: readonly number[]): boolean =>
      readTimeline(times.map((time) => `${time},${time},40,9,__`)).timeline().isConstant;
    const evenly = (rate: number): number[] =>
      Array.from({ length: 90 }, (_, index) => Math.round((index * 1000) / rate));
    expect([12.5, 45, 75, 29.97, 100 / 3].map((rate) => isConstant(evenly(rate)))).to.not.include(false);
    const jitter = [0, 3, -2, 4, -3, 2, -4, 1, 3, -1];
    expect(isConstant(evenly(29.6).map((time, index) => time + (jitter[index % 10] as number)))).to.equal(false);
  });

  it('ends with the last packet’s duration, unless the container contradicts it or has lost frames', () => {
    const ends = (duration: number, video = Number.NaN, isLastFrameKnown = true): (number | undefined)[] => {
      const { timeline } = readTimeline(['0,0,40,9,K_', `40,40,${duration},9,__`]);
      const { endSeconds, lastPacketEndSeconds } = timeline({ video, isLastFrameKnown });
      return [endSeconds, lastPacketEndSeconds];
    };
    expect(ends(3_600_000, 3600.04), 'confirmed').to.deep.equal([3600.04, 3600.04]);
    expect(ends(30_000), 'nothing is declared').to.deep.equal([30.04, 30.04]);
    expect(ends(99_999_960), 'longer than any GIF').to.deep.equal([656.04, 100_000]);
    expect(ends(99_999_960, 0.08), 'contradicted').to.deep.equal([10.04, 100_000]);
    expect(ends(30_000, 30.04, false), 'the last remaining frame').to.deep.equal([0.08, 0.08]);
  });

  it('throws for a stream beyond the maximum duration and for one without packets', () => {
    expect(readTimeline(['0,0,40,9,K_', '5000,5000,40,9,__', '5001,5001,40,9,__'], 5).taken).to.deep.equal([
      true,
      true,
      false,
    ]);
    expect(() => readTimeline([]).timeline()).to.throw(MediaFault);
  });
});

/** Frames of 512 ticks in decoding order, given by their presentation numbers; decoded `delay` frames early. */
function samplesOf(shown: readonly number[], delay: number) {
  return shown.map((number, index) => ({
    ...{ duration: 512, offset: (number - index + delay) * 512, isSync: index === 0, flags: 0, bytes: 1, position: 0 },
  }));
}

describe('decoding times', () => {
  const groups: readonly { name: string; shown: readonly number[]; delay: number }[] = [
    { name: 'a pyramid', shown: [0, 4, 2, 1, 3, 8, 6, 5, 7, 9], delay: 2 },
    { name: 'a last frame that other frames reference', shown: [0, 4, 2, 1, 3, 7, 5, 6], delay: 2 },
    { name: 'a delay without frames that reference later ones', shown: [0, 1, 2, 3, 4], delay: 2 },
    { name: 'three frames', shown: [0, 2, 1], delay: 2 },
    { name: 'one frame', shown: [0], delay: 2 },
    { name: 'one frame of delay', shown: [0, 3, 1, 2, 5, 4], delay: 2 },
  ];
  for (const { name, shown, delay } of groups) {
    it(`start and end with the presentation: ${name}`, () => {
      // The muxer writes decoding times below zero.
      const inside = decodingInside(-delay * 512, samplesOf(shown, delay));
      expect(inside?.decodeTime).to.equal(0);
      let time = 0;
      const presented = inside!.samples.map(({ duration, offset }) => {
        expect(offset).to.be.at.least(0);
        expect(duration).to.be.above(0);
        // A player that reads decoding times as presentation times finds no frame after the end.
        expect(time + offset + duration).to.be.at.most(shown.length * 512);
        return (time += duration) - duration + offset;
      });
      expect(time, 'the end').to.equal(shown.length * 512);
      expect(presented).to.deep.equal(shown.map((number) => number * 512));
    });
  }

  it('start and end with the presentation of a segment in several fragments', () => {
    const shown = [0, 4, 2, 1, 3, 8, 6, 5, 7, 12, 10, 9, 11];
    const delay = 2 * 512;
    const samples = samplesOf(shown, 2);
    const fragments = [samples.slice(0, 4), samples.slice(4, 9), samples.slice(9)];
    let written = -delay;
    let time = 0;
    const presented = fragments.flatMap((fragment, index) => {
      const ends = { isFirst: index === 0, isLast: index === 2 };
      const times = decodingInside(written, fragment, ends, delay) ?? { decodeTime: written, samples: fragment };
      expect(times.decodeTime, `fragment ${index}`).to.equal(time);
      written += fragment.length * 512;
      return times.samples.map(({ duration, offset }) => {
        expect(offset).to.be.at.least(0);
        expect(duration).to.be.above(0);
        return (time += duration) - duration + offset;
      });
    });
    expect(time, 'the end').to.equal(shown.length * 512);
    expect(presented).to.deep.equal(shown.map((number) => number * 512));
  });

  it('do not change if each frame is decoded when it is shown', () => {
    expect(decodingInside(0, samplesOf([0, 1, 2], 0))).to.equal(null);
  });
});

const second = 90_000;
const clock = 2 ** 33;

/** Video packets (stream 0, 1000 bytes each, 25 per second) that start at this tick. */
function packets(start: number, count: number, firstByte: number, index = 0): string[] {
  return Array.from({ length: count }, (_, number) => {
    const tick = (start + number * 3_600) % clock;
    return `video,${index},${tick},${tick},${firstByte + number * 1_000}`;
  });
}

function byteOf(line: string): number {
  return Number(line.split(',').at(-1));
}

function moved(line: string, bytes: number): string {
  return [...line.split(',').slice(0, -1), byteOf(line) + bytes].join(',');
}

function sectionsOf(lines: readonly string[]): FileSection[] {
  const reader = createFileSectionReader();
  for (const line of lines) reader.read(line);
  return reader.sections();
}

describe('the sections of a concatenated recording', () => {
  it('begin where timestamps restart, after the last packet of the previous section', () => {
    const lines = [...packets(second, 100, 0), ...packets(second, 50, 101_000)];
    expect(sectionsOf(lines)).to.deep.equal([
      { startByte: 0, firstByte: 0, endByte: 101_000, seconds: 4 },
      { startByte: 99_001, firstByte: 101_000, endByte: Number.POSITIVE_INFINITY, seconds: 2 },
    ]);
  });

  it('are one section if the timestamps only wrap around', () => {
    const [section, ...others] = sectionsOf(packets(clock - 2 * second, 100, 0));
    expect(others).to.deep.equal([]);
    expect(section?.seconds).to.equal(4);
  });

  it('are one section if single packets have wrong timestamps', () => {
    const lines = packets(0, 100, 0);
    lines[30] = `video,0,${3_600 * second},${3_600 * second},30000`;
    lines[60] = `video,0,0,0,60000`;
    expect(sectionsOf(lines)).to.have.length(1);
  });

  it('are one section if the audio continues after the video', () => {
    const audio = Array.from({ length: 200 }, (_, number) => `audio,1,${number * 9_000},N/A,${20_000 + number}`);
    expect(sectionsOf([...packets(0, 20, 0), ...audio, ...packets(19 * second, 20, 30_000)])).to.have.length(1);
  });

  it('contain all MPEG-TS programs, each with its own timestamps', () => {
    const both = [packets(0, 100, 0), packets(5_000 * second, 100, 500, 2)];
    const lines = (from: number): string[] =>
      both
        .flat()
        .toSorted((left, right) => byteOf(left) - byteOf(right))
        .map((line) => moved(line, from));
    expect(sectionsOf([...lines(0), ...lines(200_000)])).to.have.length(2);
  });

  it('end where other streams replace theirs', () => {
    const sections = sectionsOf([...packets(0, 100, 0), ...packets(4 * second, 100, 100_000, 2)]);
    expect(sections.map(({ seconds }) => seconds)).to.deep.equal([4, 4]);
  });

  it('assign late audio to the previous section and early audio to the next one', () => {
    const audio = (byte: number, tick: number): string => `audio,1,${tick},${tick},${byte}`;
    const next = packets(0, 50, 101_000);
    const lines = [
      ...[...packets(0, 100, 0), audio(99_500, 3.8 * second)],
      ...[...next.slice(0, 3), audio(99_700, 3.9 * second), ...next.slice(3, 9)],
      ...[audio(100_500, 0), audio(102_500, 0.1 * second), ...next.slice(9)],
    ];
    const sections = sectionsOf(lines);
    expect(sections).to.have.length(2);
    expect(sections[1]).to.include({ startByte: 99_701, firstByte: 100_500 });
  });
});

const source = {
  source: { address: 'film.mp4' },
  description: { demuxer: 'mov', video: { index: 0, width: 1280, height: 720, mayBeInterlaced: false, colours: {} } },
  threads: 1,
  maxPixels: 1280 * 720,
} as unknown as FrameSource;

/** The frame step and the number of frames that ffmpeg compares, for a minute with this number of keyframes per second. */
async function compared(keyframesPerSecond: number): Promise<readonly [step: number, frames: number]> {
  const filters: string[] = [];
  const runner = { convert: async ({ filter }: { filter: string }) => void filters.push(filter) };
  const keyframeSeconds = Array.from({ length: 60 * keyframesPerSecond }, (_, at) => at / keyframesPerSecond);
  const timeline = { startSeconds: 0, endSeconds: 60, keyframeSeconds };
  const run = { signal: new AbortController().signal, stallSeconds: 10 };
  const error = await rejection(videoFrame(runner as unknown as MediaRunner, '/nowhere', source, timeline, run));
  expect(error).to.be.instanceOf(MediaFault);
  const [, step, frames] = /framestep=(\d+),thumbnail=n=(\d+)/.exec(filters[0] ?? '') ?? [];
  return [Number(step), Number(frames)];
}

describe('the frame of a thumbnail', () => {
  it('is chosen from at most 32 frames of the complete window, because ffmpeg keeps them in memory', async () => {
    expect(await compared(0.5)).to.deep.equal([1, 16]);
    const [step, frames] = await compared(60);
    expect(frames).to.be.at.most(32);
    expect(step * frames).to.be.at.least(30 * 60);
  });
});
