import { expect } from 'chai';
import fc from 'fast-check';
import {
  chunkAt,
  chunkOfSegment,
  framesPerKeyframe,
  planGrid,
  previewCut,
  segmentFrames,
  type Grid,
} from '../../../shared/media/grid.js';
import { frameRateFor, frameRateWithin, secondsOfFrames, type FrameRate } from '../../../shared/media/frameRate.js';
import { firstPacketAt } from '../../../shared/media/audioPackets.js';

const standardRates: readonly FrameRate[] = [
  ...[1, 2, 3, 10, 20, 24, 25, 30, 50, 60].map((rate): FrameRate => [rate, 1]),
  ...[24_000, 30_000, 60_000].map((rate): FrameRate => [rate, 1001]),
];
const rates = fc.constantFrom(...standardRates);
const grids = fc
  .record({
    frameRate: rates,
    frameCount: fc.integer({ min: 1, max: 30_000 }),
    chunkSeconds: fc.integer({ min: 1, max: 30 }).map((count) => count * 4),
    quick: fc.boolean(),
  })
  .map(planGrid);

function chunksOf(grid: Grid) {
  return Array.from({ length: grid.chunkCount }, (_, position) => chunkAt(grid, position));
}

describe('the plan of chunks', () => {
  it('assigns every frame, segment and packet to exactly one chunk', () => {
    fc.assert(
      fc.property(grids, (grid) => {
        let frame = 0;
        let segment = 0;
        let packet = 0;
        for (const chunk of chunksOf(grid)) {
          expect(chunk).to.include({ firstFrame: frame, firstSegment: segment, firstPacket: packet });
          expect(chunk.frameCount).to.be.greaterThan(0);
          expect(chunk.segmentCount).to.be.within(1, grid.segmentsPerChunk);
          expect([segment, segment + chunk.segmentCount - 1].map((one) => chunkOfSegment(grid, one))).to.deep.equal([
            chunk.position,
            chunk.position,
          ]);
          expect(chunk.packetCount).to.be.greaterThan(0);
          frame += chunk.frameCount;
          segment += chunk.segmentCount;
          packet += chunk.packetCount;
        }
        expect({ frame, segment }).to.deep.equal({ frame: grid.frameCount, segment: grid.segmentCount });
        expect(packet).to.equal(firstPacketAt(grid.frameCount, grid.frameRate));
      }),
    );
  });

  it('has segments that cover all frames and never exceed the target duration when rounded', () => {
    fc.assert(
      fc.property(grids, (grid) => {
        const own = Array.from({ length: grid.segmentCount }, (_, segment) => segmentFrames(grid, segment));
        expect(Math.round(secondsOfFrames(Math.max(...own), grid.frameRate))).to.be.at.most(4);
        expect(own.slice(0, -1).filter((frames) => frames !== grid.framesPerSegment)).to.deep.equal([]);
        expect(own.reduce((sum, frames) => sum + frames, 0)).to.equal(grid.frameCount);
      }),
    );
  });

  it('starts every segment with a keyframe of the grid', () => {
    fc.assert(
      fc.property(rates, (frameRate) => {
        const { framesPerSegment } = planGrid({ frameRate, frameCount: 1, chunkSeconds: 24 });
        expect(framesPerSegment % framesPerKeyframe(frameRate)).to.equal(0);
      }),
    );
  });

  it('cuts the audio at the first packet of each chunk, at most one packet late', () => {
    fc.assert(
      fc.property(grids, (grid) => {
        for (const { firstPacket, firstFrame } of chunksOf(grid)) {
          const lead = (firstPacket * 1024) / 48_000 - secondsOfFrames(firstFrame, grid.frameRate);
          expect(lead).to.be.within(-1e-9, 1024 / 48_000);
        }
      }),
    );
  });

  it('divides a short video among several workers and uses the configured length for a long one', () => {
    const chunks = (seconds: number, chunkSeconds = 24, quick = false) =>
      planGrid({ frameRate: [25, 1], frameCount: seconds * 25, chunkSeconds, quick }).segmentsPerChunk;
    expect([chunks(8), chunks(60), chunks(80), chunks(3600)]).to.deep.equal([3, 4, 5, 6]);
    expect([chunks(60, 4), chunks(60, 8)]).to.deep.equal([1, 2]);
    expect([chunks(8, 24, true), chunks(60, 24, true), chunks(3600, 24, true)], 'quick').to.deep.equal([6, 8, 12]);
    expect(planGrid({ frameRate: [25, 1], frameCount: 25_000, chunkSeconds: 'unlimited' }).chunkCount).to.equal(1);
  });

  it('begins a quick generation with one segment, so that its owner can watch it soon', () => {
    const sizes = (seconds: number) => {
      const grid = planGrid({ frameRate: [25, 1], frameCount: seconds * 25, chunkSeconds: 24, quick: true });
      return chunksOf(grid).map(({ segmentCount }) => segmentCount);
    };
    expect([sizes(3), sizes(12), sizes(60)]).to.deep.equal([[1], [1, 2], [1, 8, 6]]);
  });

  it('has longer chunks at a low frame rate, and never more than 2,000', () => {
    const chunks = (rate: number, hours: number, chunkSeconds = 24) =>
      planGrid({ frameRate: [rate, 1], frameCount: hours * 3600 * rate, chunkSeconds }).chunkCount;
    expect([chunks(10, 1), chunks(5, 1), chunks(2, 1), chunks(1, 1)]).to.deep.equal([150, 75, 30, 15]);
    expect([chunks(25, 12), chunks(25, 12, 4), chunks(25, 100)]).to.deep.equal([1800, 1800, 2000]);
  });

  describe('of a preview', () => {
    it('ends video and audio within 15 s and contains all of a shorter content', () => {
      fc.assert(
        fc.property(grids, (grid) => {
          const { completeSegments, tail } = previewCut(grid);
          const frames =
            Array.from({ length: completeSegments }, (_, segment) => segmentFrames(grid, segment)).reduce(
              (sum, own) => sum + own,
              0,
            ) + (tail?.frames ?? 0);
          expect(secondsOfFrames(frames, grid.frameRate)).to.be.at.most(15 + 1e-9);
          if (secondsOfFrames(grid.frameCount, grid.frameRate) <= 15) expect(frames).to.equal(grid.frameCount);
          else expect(secondsOfFrames(frames + 1, grid.frameRate)).to.be.greaterThan(15);
          if (!tail) return;
          expect(tail.frames).to.be.within(1, segmentFrames(grid, tail.segment));
          const lastPacket = firstPacketAt(tail.segment * grid.framesPerSegment, grid.frameRate) + tail.packets;
          expect((lastPacket * 1024) / 48_000).to.be.at.most(15);
        }),
      );
    });
  });

  describe('frame rates', () => {
    const fractions = (list: readonly FrameRate[]): string => list.map((rate) => rate.join('/')).join(' ');

    it('keep standard rates', () => {
      for (const rate of standardRates) expect(frameRateFor(rate[0] / rate[1])).to.deep.equal(rate);
    });

    it('keep all frames of non-standard rates up to 60, and never exceed 60', () => {
      expect(fractions([27.3, 11, 120, 29.9].map((rate) => frameRateFor(rate)))).to.equal(
        '30000/1001 12/1 60/1 30000/1001',
      );
    });

    it('equal a constant source rate, or an even fraction of a rate above 60', () => {
      const constant = [12.5, 45, 75, 100, 18, 100 / 3, 100 / 7, 7.5, 90, 144, 240, 59.94, 119.88, 29.97, 12, 25.01];
      expect(fractions(constant.map((rate) => frameRateFor(rate, true)))).to.equal(
        '25/2 45/1 75/2 50/1 18/1 100/3 100/7 15/2 45/1 48/1 60/1 60000/1001 60000/1001 30000/1001 12/1 25/1',
      );
      for (const rate of constant) {
        const grid = planGrid({ frameRate: frameRateFor(rate, true), frameCount: 1000, chunkSeconds: 12 });
        expect(Number.isInteger(framesPerKeyframe(grid.frameRate)), `${rate}`).to.equal(true);
        expect(grid.framesPerSegment).to.equal(2 * framesPerKeyframe(grid.frameRate));
        expect(Math.round(secondsOfFrames(grid.framesPerSegment, grid.frameRate)), `${rate}`).to.equal(4);
      }
    });

    it('follow low rates, down to two frames for each keyframe', () => {
      const low = [7, 5, 3, 1.5, 1, 0.2, 1 / 600].map((rate) => frameRateFor(rate));
      expect(fractions(low)).to.equal('8/1 5/1 3/1 2/1 1/1 1/1 1/1');
    });

    it('depend on the existing frames if the source is still for long', () => {
      const hour = 3600;
      // One frame and an hour of audio.
      expect(frameRateWithin(25, { packets: 1, seconds: hour })).to.deep.equal([1, 1]);
      // Ten seconds at 60 frames per second, followed by two hours of audio.
      expect(frameRateWithin(60, { packets: 600, seconds: 2 * hour })).to.deep.equal([5, 1]);
      // A screen recording that scrolls for one second in 15.
      expect(frameRateWithin(60, { packets: 366, seconds: 90 })).to.deep.equal([60, 1]);
      // A screen recording with 30 frames per second during movement, 12 on average.
      expect(frameRateWithin(30, { packets: 12 * hour, seconds: hour })).to.deep.equal([30, 1]);
      // A short video.
      expect(frameRateWithin(25, { packets: 2, seconds: 20 })).to.deep.equal([25, 1]);
    });
  });
});
