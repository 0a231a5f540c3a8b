import { expect } from 'chai';
import { readAvcConfiguration } from '../../../shared/media/avc/index.js';
import { planEncoding, withoutCostliest } from '../../../workers/live/packaging/encodingPlan.js';
import { FlvError, FlvReader } from '../../../shared/media/flv/index.js';
import { FragmentReader } from '../../../shared/media/mp4/index.js';
import { planLiveLadder } from '../../../workers/live/packaging/liveLadder.js';
import { EncodingProgress } from '../../../workers/live/packaging/progress.js';
import { still } from '../../../workers/live/packaging/replacement.js';
import { RunTimeline } from '../../../workers/live/packaging/runTimeline.js';
import { MisalignedError, Segmenter } from '../../../workers/live/packaging/segmenter.js';
import { writeTags } from '../../support/flvEditing.js';

describe('the ladder of a live run', () => {
  const named = (width: number, height: number): string[] =>
    planLiveLadder({ width, height, framesPerSecond: 30 }, [720, 480, 240]).map(
      (step) => `${step.name} ${step.width}x${step.height}`,
    );

  it('starts at the highest permitted height and never upscales', () => {
    expect(named(1920, 1080)).to.deep.equal(['720p 1280x720', '480p 854x480', '240p 426x240']);
    expect(named(1280, 720)).to.deep.equal(['720p 1280x720', '480p 854x480', '240p 426x240']);
    expect(named(640, 360)).to.deep.equal(['360p 640x360', '240p 426x240']);
    expect(named(160, 90)).to.deep.equal(['90p 160x90']);
  });

  it('measures the shorter side and omits steps of nearly the same size', () => {
    expect(named(1080, 1920)).to.deep.equal(['720p 720x1280', '480p 480x854', '240p 240x426']);
    expect(named(900, 500)).to.deep.equal(['500p 900x500', '240p 432x240']);
    expect(named(321, 181)).to.deep.equal(['181p 320x180']);
  });

  it('drops the highest encoded step first and keeps the last step', () => {
    const track = { configuration: Buffer.alloc(0), avc: plain };
    const observed = { track, width: 1280, height: 720, frameRate: [30, 1] as const, gridSeconds: 2, peakBits: 0 };
    const plan = planEncoding({ epoch: 0, video: observed, audio: null }, [720, 480, 240]);
    const names = (of: typeof plan | null): string[] | undefined => of?.steps.map(({ name }) => name);
    const less = withoutCostliest(plan);
    expect([plan.isTopCopied, names(less)]).to.deep.equal([true, ['720p', '240p']]);
    const least = less && withoutCostliest(less);
    expect(names(least)).to.deep.equal(['720p']);
    expect(least && withoutCostliest(least)).to.equal(null);
    expect(names(withoutCostliest({ ...plan, isTopCopied: false }))).to.deep.equal(['480p', '240p']);
  });

  it('copies only streams that every player decodes', () => {
    const video = (avc: Partial<typeof plain>) => ({
      track: { configuration: Buffer.alloc(0), avc: { ...plain, ...avc } },
      ...{ width: 1280, height: 720, frameRate: [30, 1] as const, gridSeconds: 2, peakBits: 0 },
    });
    const isCopied = (avc: Partial<typeof plain>): boolean =>
      planEncoding({ epoch: 0, video: video(avc), audio: null }, [720]).isTopCopied;
    expect(isCopied({})).to.equal(true);
    for (const other of [
      ...[{ isPlain: false }, { isProgressive: false }, { pixelAspect: 4 / 3 }],
      ...[{ hasOneParameterSet: false }, { width: 1278 }],
    ])
      expect(isCopied(other), JSON.stringify(other)).to.equal(false);
  });
});

const plain = {
  ...{ width: 1280, height: 720, pixelAspect: 1, isPlain: true, isProgressive: true, matrix: 1 },
  ...{ framesPerSecond: 30, lengthBytes: 4, hasOneParameterSet: true },
};

describe('the reader of encoder media', () => {
  it('reads the size of H.264 video and survives any damage', () => {
    const record = still.configuration.subarray(5);
    expect(readAvcConfiguration(record)).to.include({ width: 320, height: 180, isPlain: true, isProgressive: true });
    for (let at = 0; at < record.length; at += 1) {
      expect(() => readAvcConfiguration(record.subarray(0, at))).not.to.throw();
      for (const byte of [0, 0xff, 0x80]) {
        const damaged = Buffer.from(record);
        damaged[at] = byte;
        expect(() => readAvcConfiguration(damaged)).not.to.throw();
      }
    }
  });

  it('reads the same tags if the bytes are split at any position', () => {
    const tags = [1, 200, 3000].map((length, index) => ({
      ...{ type: 9, timestampMs: 0xfffffff0 + index, payload: Buffer.alloc(length, index) },
    }));
    const stream = writeTags(tags);
    for (let at = 1; at < stream.length; at += 7) {
      const reader = new FlvReader();
      expect([...reader.push(stream.subarray(0, at)), ...reader.push(stream.subarray(at))]).to.deep.equal(tags);
    }
    const single = new FlvReader();
    expect([...stream].flatMap((byte) => single.push(Buffer.from([byte])))).to.deep.equal(tags);
  });

  it('rejects a tag and a box with a size beyond the maximum', () => {
    const huge = Buffer.concat([writeTags([]), Buffer.from([9, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0])]);
    expect(() => new FlvReader().push(huge)).to.throw(FlvError);
    expect(() => new FragmentReader().push(Buffer.from([0x7f, 0, 0, 0, 0x6d, 0x64, 0x61, 0x74]))).to.throw(/MP4 box/);
    expect(() => new FragmentReader().push(Buffer.from([0, 0, 0, 1, 0x6d, 0x64, 0x61, 0x74]))).to.throw(/MP4 box/);
  });

  it('places timestamps on one timeline across wraps and jumps', () => {
    let now = 0;
    const timeline = new RunTimeline(() => now);
    const at = (timestampMs: number): [number, number] => {
      const { timeMs, epoch } = timeline.place(timestampMs);
      return [timeMs, epoch];
    };
    expect(at(2 ** 32 - 20)).to.deep.equal([0, 0]);
    expect(at(20)).to.deep.equal([40, 0]);
    expect(at(0)).to.deep.equal([20, 0]);
    now = 9_000;
    expect(at(3_600_000)).to.deep.equal([9_000, 1]);
    expect(at(3_600_040)).to.deep.equal([9_040, 1]);
    expect(at(0)).to.deep.equal([9_041, 2]);
  });
});

describe('the fragment joiner', () => {
  const fragment = (startSeconds: number, isKeyframe: boolean, durationSeconds = 0.5, presentedSeconds = 0) => ({
    data: [Buffer.alloc(1)],
    bytes: 1,
    video: {
      ...{ startSeconds: startSeconds + 1, durationSeconds, isKeyframe },
      presentationEndSeconds: startSeconds + 1 + Math.max(durationSeconds, presentedSeconds),
    },
  });

  it('ends a segment when it is full in every rendition, without waiting for the next keyframe', () => {
    const parts: string[] = [];
    const segmenter = new Segmenter(['a', 'b'], 1, 1 / 30, (part) =>
      parts.push(`${part.rendition} ${part.segment}.${part.part} ${part.isIndependent}`),
    );
    expect(segmenter.add(0, fragment(0, true))).to.deep.equal([]);
    expect(segmenter.add(0, fragment(0.5, false))).to.deep.equal([]);
    expect(segmenter.add(1, fragment(0, true))).to.deep.equal([]);
    const [segment] = segmenter.add(1, fragment(0.5, false));
    expect(segment?.renditions.map(({ name, bytes }) => [name, bytes])).to.deep.equal([
      ['a', 2],
      ['b', 2],
    ]);
    expect(parts).to.deep.equal(['a 0.0 true', 'a 0.1 false', 'b 0.0 true', 'b 0.1 false']);
    segmenter.add(0, fragment(1, true));
    segmenter.add(1, fragment(1, true));
    expect(segmenter.end().map(({ durationSeconds }) => durationSeconds)).to.deep.equal([0.5]);
  });

  it('ends its last segment after the last frame, even if earlier frames are missing', () => {
    const segmenter = new Segmenter(['copied', 'encoded'], 2, 1 / 30, () => {});
    segmenter.add(0, fragment(0, true, 2 / 30, 5 / 30));
    segmenter.add(1, fragment(0, true, 6 / 30));
    const [last, ...more] = segmenter.end();
    expect(last?.durationSeconds).to.be.closeTo(5 / 30, 0.001);
    expect(last?.renditions.map(({ name }) => name)).to.deep.equal(['copied', 'encoded']);
    expect(more).to.deep.equal([]);
  });

  it('keeps a last segment only if the first rendition has it', () => {
    const namesOfLast = (index: number): string[] | undefined => {
      const segmenter = new Segmenter(['copied', 'encoded'], 1, 1 / 30, () => {});
      segmenter.add(0, fragment(0, true, 1));
      segmenter.add(1, fragment(0, true, 1));
      segmenter.add(index, fragment(1, true, 1 / 30));
      return segmenter.end()[0]?.renditions.map(({ name }) => name);
    };
    expect(namesOfLast(0)).to.deep.equal(['copied']);
    expect(namesOfLast(1)).to.equal(undefined);
  });

  it('rejects a last segment whose renditions start at different frames', () => {
    const segmenter = new Segmenter(['copied', 'encoded'], 1, 1 / 30, () => {});
    segmenter.add(0, fragment(0, true));
    segmenter.add(1, fragment(0.1, true));
    expect(() => segmenter.end()).to.throw(MisalignedError);
  });

  it('rejects a segment without a keyframe and renditions that are cut at different frames', () => {
    const alone = new Segmenter(['a'], 1, 1 / 30, () => {});
    expect(() => alone.add(0, fragment(0, false))).to.throw(MisalignedError);
    const two = new Segmenter(['a', 'b'], 1, 1 / 30, () => {});
    two.add(0, fragment(0, true, 1));
    expect(() => two.add(1, fragment(0.1, true, 1))).to.throw(MisalignedError);
  });
});

describe('an encoding that does not keep up', () => {
  const window = { newestMs: 0, isFull: false, isWaiting: true };
  let now: number;
  let progress: EncodingProgress;

  beforeEach(() => {
    [now, window.newestMs] = [0, 20_000];
    progress = new EncodingProgress(15_000, now);
  });

  /** Checks every half second; returns the findings. */
  function look(seconds: number, before: (at: number) => void = () => {}): string[] {
    const found: string[] = [];
    for (let at = 0; at < seconds * 2; at += 1) {
      now += 500;
      found.push(...[progress.check(window, now)].filter((fault) => fault !== null));
      before(at);
    }
    return found;
  }

  /** Media arrives in real time and is encoded at this speed, with an initial lag. */
  function run(seconds: number, speed: number, lagMs: number): string[] {
    return look(seconds, (at) => {
      window.newestMs += 500;
      progress.note(window.newestMs - lagMs - (1 - speed) * at * 500, now);
    });
  }

  it('is detected after ten seconds below real time if it is four seconds behind', () => {
    expect(run(9, 0.9, 4_500)).to.deep.equal([]);
    expect(run(3, 0.9, 5_500)).to.deep.equal(['behind']);
  });

  it('is not reported while it keeps up or catches up', () => {
    expect(run(60, 1, 1_500)).to.deep.equal([]);
    progress = new EncodingProgress(15_000, now);
    expect(run(30, 1.2, 5_500)).to.deep.equal([]);
  });

  it('is observed for ten more seconds after it has waited for the storage', () => {
    expect(look(9)).to.deep.equal([]);
    progress.wait(now);
    expect(look(9)).to.deep.equal([]);
  });

  it('is stalled if it writes nothing for fifteen seconds', () => {
    expect(look(9)).to.deep.equal([]);
    expect(look(7)).to.include('stalled');
  });
});
