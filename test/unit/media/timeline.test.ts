import { expect } from 'chai';
import { MediaFault } from '../../../workers/media/mediaFault.js';
import { createSourceTimelineReader } from '../../../workers/media/sourceTimeline.js';

const millisecond = 0.001;

function read(lines: readonly string[], maxSeconds = 3600) {
  const reader = createSourceTimelineReader(millisecond, maxSeconds);
  const taken = lines.map((line) => reader.read(line));
  const unknown = { video: Number.NaN, isLastFrameKnown: true };
  return { taken, timeline: (declared = unknown) => reader.timeline(declared) };
}

describe('the timeline of packets', () => {
  it('is read from packets in any decoding order', () => {
    const { timeline } = read(['100,20,40,500,K_', '220,60,40,100,__', '140,100,40,100,__', '180,140,40,100,__']);
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
    expect(read(['-80,-80,40,9,KD', '0,-40,40,9,_D', '40,0,40,9,K_']).timeline()).to.include({
      packets: 1,
      startSeconds: 0.04,
    });
    expect(read(['N/A,0,40,9,K_', 'N/A,40,40,9,__']).timeline()).to.include({ packets: 2, endSeconds: 0.08 });
  });

  it('detects the frame rate of a camera that drops frames and of rounded times', () => {
    const times = [0, 33, 67, 100, 167, 200, 233, 300, 333, 367, 400];
    expect(read(times.map((time) => `${time},${time},33,9,__`)).timeline().framesPerSecond).to.be.closeTo(30, 0.3);
    const even = Array.from({ length: 100 }, (_, index) => Math.round((index * 1001) / 30));
    expect(read(even.map((time) => `${time},${time},33,9,__`)).timeline().framesPerSecond).to.be.closeTo(29.97, 0.01);
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
      const timeline = read(times.map((shown) => `${shown},${shown},16,9,__`)).timeline();
      expect(timeline.framesPerSecond, `${stillMs.length}`).to.be.closeTo(60, 0.2);
    }
    // A few wrong timestamps do not count as movement.
    const faulty = [0, 1, 2, 3, ...Array.from({ length: 300 }, (_, index) => 40 + index * 40)];
    expect(read(faulty.map((time) => `${time},${time},40,9,__`)).timeline().framesPerSecond).to.be.closeTo(25, 0.3);
  });

  it('distinguishes a constant rate from a variable one', () => {
    const isConstant = (times: readonly number[]): boolean =>
      read(times.map((time) => `${time},${time},40,9,__`)).timeline().isConstant;
    const evenly = (rate: number): number[] =>
      Array.from({ length: 90 }, (_, index) => Math.round((index * 1000) / rate));
    expect([12.5, 45, 75, 29.97, 100 / 3].map((rate) => isConstant(evenly(rate)))).to.not.include(false);
    const jitter = [0, 3, -2, 4, -3, 2, -4, 1, 3, -1];
    expect(isConstant(evenly(29.6).map((time, index) => time + (jitter[index % 10] as number)))).to.equal(false);
  });

  it('ends with the last packet’s duration, unless the container contradicts it or has lost frames', () => {
    const ends = (duration: number, video = Number.NaN, isLastFrameKnown = true): (number | undefined)[] => {
      const { timeline } = read(['0,0,40,9,K_', `40,40,${duration},9,__`]);
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
    expect(read(['0,0,40,9,K_', '5000,5000,40,9,__', '5001,5001,40,9,__'], 5).taken).to.deep.equal([true, true, false]);
    expect(() => read([]).timeline()).to.throw(MediaFault);
  });
});
