import { expect } from 'chai';
import { chunkResultMapping, gridMapping, planMapping } from '../../../shared/content/storedJson.js';

/** A plan as release 0.2.0 has stored it. */
const storedPlan = {
  frameRate: [25, 1],
  framesPerSegment: 100,
  frameCount: 50,
  segmentsPerChunk: 1,
  segmentCount: 1,
  chunkCount: 1,
  segmentSeconds: 4,
  durationMs: 2000,
  rungs: [
    {
      name: '240p',
      width: 320,
      height: 180,
      videoBits: 400_000,
      maximumBits: 430_000,
      bufferBits: 600_000,
      audioBits: 128_000,
    },
  ],
  source: {
    key: 'sources/1/original',
    demuxer: 'mov',
    stream: 0,
    seekable: true,
    originSeconds: 0,
    still: false,
    interlaced: false,
    highDynamicRange: null,
  },
  audio: { key: 'content/2/making-g1/3/sound.aac', packetCount: 94, offsets: [0, 33_000] },
} as const;

/** A result of a chunk as release 0.2.0 has stored it. */
const storedResult = {
  rungs: {
    '240p': {
      bytes: [9000],
      initKey: 'init/240p-0123456789abcdef.mp4',
      initBytes: 700,
      codecs: 'avc1.64000d,mp4a.40.2',
    },
  },
} as const;

describe('stored JSON of contents and chunks', () => {
  it('a plan stored by release 0.2.0 is read', () => {
    const { rungs, ...others } = storedPlan;
    expect(planMapping.read(storedPlan)).to.deep.equal({ ...others, renditions: rungs, timelineStartSeconds: 1 });
  });

  it('a plan is stored in the same form', () => {
    expect(planMapping.write(planMapping.read(storedPlan))).to.deep.equal(storedPlan);
  });

  it('a plan whose media begin at 0 is stored in a form that a worker of release 0.2.0 cannot encode', () => {
    const plan = { ...planMapping.read(storedPlan), timelineStartSeconds: 0 };
    const stored = planMapping.write(plan);
    expect(stored).not.to.have.property('rungs');
    expect(planMapping.read(stored)).to.deep.equal(plan);
  });

  it('a grid says where its media begin: at 1 s, unless it is stored', () => {
    const { rungs: _rungs, source: _source, audio: _audio, durationMs: _durationMs, ...grid } = storedPlan;
    expect(gridMapping.read(grid)).to.include({ timelineStartSeconds: 1 });
    expect(gridMapping.read({ ...grid, timelineStartSeconds: null })).to.include({ timelineStartSeconds: 1 });
    expect(gridMapping.read({ ...grid, timelineStartSeconds: 0 })).to.include({ timelineStartSeconds: 0 });
  });

  it('a chunk result stored by release 0.2.0 is read, and stored in the same form', () => {
    expect(chunkResultMapping.read(storedResult)).to.deep.equal({ renditions: storedResult.rungs });
    expect(chunkResultMapping.write(chunkResultMapping.read(storedResult))).to.deep.equal(storedResult);
  });
});
