import { expect } from 'chai';
import { decodingInside } from '../../../shared/media/mp4/decodingTimes.js';

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
