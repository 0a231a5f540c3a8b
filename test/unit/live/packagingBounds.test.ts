import { expect } from 'chai';
import { Encoder, type EncoderEvent } from '../../../workers/live/packaging/encoder.js';
import { Gate } from '../../../workers/live/packaging/eventQueue.js';
import { observe } from '../../../workers/live/packaging/firstSeconds.js';
import { planEncoding } from '../../../workers/live/packaging/encodingPlan.js';
import {
  MediaTagReader,
  UnsupportedMediaError,
  withoutBlock,
  type AudioTag,
  type MediaTag,
} from '../../../workers/live/packaging/mediaTag.js';
import { still } from '../../../workers/live/packaging/replacement.js';
import { RunTimeline } from '../../../workers/live/packaging/runTimeline.js';
import { TagWindow } from '../../../workers/live/packaging/tagWindow.js';

const track = { configuration: null, isMono: false };
const audio = (timeMs: number, bytes = 100): AudioTag => ({
  ...{ kind: 'audio', track, timeMs, presentationMs: timeMs, epoch: 0, payload: Buffer.alloc(3), bytes },
});
const video = (payload: Buffer) => ({ type: 9, timestampMs: 0, payload });
const reader = (): MediaTagReader => new MediaTagReader(new RunTimeline(() => null));

describe('the tag window of a run', () => {
  const plan = planEncoding({ epoch: 0, video: null, audio: track }, [720]);

  /** Passes this number of tags through the window twice; returns the processor time in microseconds. */
  function pass(count: number): number {
    const window = new TagWindow();
    const before = process.cpuUsage();
    window.rewind(plan);
    expect(window.findStart(plan, 60_000)).to.equal(null);
    for (let at = 0; at < count; at += 1) {
      // The tags precede the start that is searched for, and span less time than the observation needs.
      window.push([audio(at % 1000)]);
      expect(window.hasObservedEnough).to.equal(false);
      expect(window.findStart(plan, 60_000)).to.equal(null);
    }
    window.push([audio(60_000)]);
    expect(window.findStart(plan, 60_000)).to.include({ startMs: 60_000 });
    expect(window.tags.map(({ timeMs }) => timeMs)).to.deep.equal([60_000]);
    for (let at = 0; at < count; at += 1) window.push([audio(60_000 + at, 1000)]);
    while (window.peek()) window.take();
    const { user, system } = process.cpuUsage(before);
    if (count * 1000 > 48 * 1024 ** 2) expect(window.tags.length * 1000).to.be.within(40 * 1024 ** 2, 48 * 1024 ** 2);
    return user + system;
  }

  it('passes each of very many tags on in constant time', () => {
    const few = pass(10_000);
    // Ten times the tags would take a hundred times as long in quadratic time.
    expect(pass(100_000)).to.be.below(40 * few);
  }).timeout(60_000);

  it('is full when the tags exceed its memory, regardless of their payload', () => {
    const window = new TagWindow();
    const tags = reader();
    tags.read({ type: 8, timestampMs: 0, payload: Buffer.from([0xaf, 0, 0x11, 0x90]) });
    let count = 0;
    for (; !window.isFull && count < 100_000; count += 1)
      window.push([tags.read({ type: 8, timestampMs: 0, payload: Buffer.from([0xaf, 1, 0]) }) as MediaTag]);
    expect(count).to.be.below(60_000);
  });

  it('is not read for an ffmpeg process that has ended', async () => {
    const window = new TagWindow();
    window.push([audio(0)]);
    window.rewind(plan);
    const start = window.findStart(plan, 0) ?? expect.fail('nothing to start with');
    const settings = { preset: 'ultrafast', maxPixels: 1e6 };
    const ended = new Promise<EncoderEvent>((resolve) => {
      const encoder = new Encoder({
        ...{ ffmpegPath: '/bin/false', settings, plan, start, outputGate: new Gate() },
        report: (event) => event.kind === 'encoderEnded' && resolve({ ...event, isClean: encoder.isFree }),
      });
    });
    expect(await ended).to.include({ isClean: false });
  });

  it('is observed for its full span with any number of tags', () => {
    const tags = Array.from({ length: 300_000 }, (_, at) => audio(at / 100));
    expect(observe(tags)?.audio).to.equal(track);
    const begins = reader();
    begins.read(video(still.configuration));
    const frame = begins.read(video(still.payload)) as MediaTag;
    expect(observe(Array.from({ length: 300_000 }, (_, at) => ({ ...frame, timeMs: at / 200 })))?.video).to.include({
      width: 320,
    });
  });
});

describe('tags of an encoder that wastes memory', () => {
  it('count the configuration record that begins with them', () => {
    const tags = reader();
    tags.read({ type: 8, timestampMs: 0, payload: Buffer.concat([Buffer.from([0xaf, 0]), Buffer.alloc(5000)]) });
    const read = () => tags.read({ type: 8, timestampMs: 0, payload: Buffer.from([0xaf, 1, 0]) })?.bytes ?? 0;
    const [first, second] = [read(), read()];
    expect(first - second).to.equal(5002);
  });

  it('cannot have a configuration record longer than any valid one', () => {
    for (const [type, head] of [
      [8, Buffer.from([0xaf, 0, 0x11, 0x90])],
      [9, still.configuration],
    ] as const)
      expect(() =>
        reader().read({ type, timestampMs: 0, payload: Buffer.concat([head, Buffer.alloc(20_000)]) }),
      ).to.throw(UnsupportedMediaError);
  });

  it('do not retain the buffer that they were read from', () => {
    const block = Buffer.alloc(1024 ** 2);
    expect(withoutBlock(block.subarray(5, 8)).buffer.byteLength).to.equal(3);
    expect(withoutBlock(block.subarray(20)).buffer).to.equal(block.buffer);
  });

  it('are searched for an IDR picture at their start only', () => {
    const isRefresh = (empty: number): unknown => {
      const tags = reader();
      tags.read(video(still.configuration));
      const units = [
        ...Array.from({ length: empty }, () => Buffer.from([0, 0, 0, 1, 6])),
        Buffer.from([0, 0, 0, 1, 0x65]),
      ];
      return (tags.read(video(Buffer.concat([Buffer.from('1701000000', 'hex'), ...units]))) as { isRefresh?: boolean })
        .isRefresh;
    };
    expect([isRefresh(0), isRefresh(20), isRefresh(1000)]).to.deep.equal([true, true, false]);
  });
});
