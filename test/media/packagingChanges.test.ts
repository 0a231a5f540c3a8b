import { Readable } from 'node:stream';
import { expect } from 'chai';
import type { FlvTag } from '../../shared/media/flv/index.js';
import { eventually } from '../support/eventually.js';
import { inRealTime, joinTags, readTags, writeTags } from '../support/flvEditing.js';
import {
  audioOffsets,
  expectPlayable,
  makeFlv,
  packagingFixture,
  openTestRun,
  packageStream,
  type Packaged,
} from '../support/liveRun.js';
import { childrenOf } from '../support/deployment.js';

const video = 9;
const audio = 8;

describe('the packager of a stream that changes', function () {
  this.timeout(60_000);
  const { ctx, owner } = packagingFixture();

  const packaged = async (tags: readonly FlvTag[]): Promise<Packaged> => {
    const result = await packageStream(ctx, owner.id, Readable.from([writeTags(tags)]));
    await expectPlayable(ctx, result);
    return result;
  };
  const secondsIn = ({ segments }: Packaged): number =>
    segments.reduce((sum, { durationMicroseconds }) => sum + durationMicroseconds / 1e6, 0);
  const discontinuities = ({ segments }: Packaged): number => new Set(segments.map((row) => row.discontinuity)).size;
  const isCopied = ({ run }: Packaged): boolean | undefined => run.renditions?.[0]?.isCopy;

  /** Expects that each segment starts at the end of the previous one, within `tolerance` frames at 30 per second. */
  function expectNoGap({ segments }: Packaged, tolerance = 1): void {
    for (const [index, segment] of segments.entries()) {
      const before = segments[index - 1];
      if (!before) continue;
      const end = before.startsAt.getTime() + before.durationMicroseconds / 1000;
      expect(segment.startsAt.getTime() - end, `start of segment ${index}`).to.be.closeTo(0, tolerance * 34);
    }
  }

  it('encodes the top rendition without loss after a keyframe is missing in the grid', async () => {
    const steady = await readTags(await makeFlv({ seconds: 4 }));
    const long = await readTags(await makeFlv({ seconds: 5, keyframes: 300 }));
    const result = await packaged(joinTags(steady, long));
    expect(result.reason).to.equal('source ended');
    expect([discontinuities(result), isCopied(result)]).to.deep.equal([2, false]);
    expect(secondsIn(result)).to.be.closeTo(9, 0.1);
    expectNoGap(result, 2);
  });

  it('scales another frame size to the size of the run, with bars', async () => {
    const wide = await readTags(await makeFlv({ seconds: 3 }));
    const tall = await readTags(await makeFlv({ seconds: 3, size: '240x320' }));
    const result = await packaged(joinTags(wide, tall));
    expect(result.run.renditions?.map(({ width, height }) => [width, height])).to.deep.equal([
      [320, 180],
      [214, 120],
    ]);
    expect(discontinuities(result)).to.equal(2);
    expect(secondsIn(result)).to.be.closeTo(6, 0.15);
    expectNoGap(result, 2);
  });

  it('continues with silence when the audio ends, and with audio when it returns', async () => {
    const tags = await readTags(await makeFlv({ seconds: 14, keyframes: 300 }));
    const cut = tags.filter(({ type, timestampMs }) => type !== audio || timestampMs < 3_000 || timestampMs > 8_300);
    const result = await packaged(cut);
    expect(discontinuities(result)).to.equal(3);
    expect(secondsIn(result)).to.be.closeTo(14, 0.2);
    expectNoGap(result, 2);
    const offsets = await audioOffsets(ctx, result, '120p', result.segments.at(-1)?.discontinuity);
    expect(offsets).to.have.length.greaterThan(2);
    for (const offset of offsets) expect(Math.abs(offset)).to.be.lessThan(0.04);
  });

  it('continues with a still image when the video ends, and with video when it returns', async () => {
    const tags = await readTags(await makeFlv({ seconds: 12 }));
    const cut = tags.filter(({ type, timestampMs }) => type !== video || timestampMs < 3_000 || timestampMs > 7_900);
    const result = await packaged(cut);
    expect(discontinuities(result)).to.equal(3);
    expect(secondsIn(result)).to.be.closeTo(12, 0.2);
  });

  it('follows timestamps that jump by an hour without an hour of frames', async () => {
    const tags = await readTags(await makeFlv({ seconds: 3 }));
    const late = tags.map((tag) => ({ ...tag, timestampMs: tag.timestampMs + 3_600_000 }));
    const result = await packaged([...tags, ...late, ...tags]);
    expect(discontinuities(result)).to.equal(3);
    expect(secondsIn(result)).to.be.closeTo(9, 0.3);
  });

  it('ends a run whose configuration changes continuously', async () => {
    const one = await readTags(await makeFlv({ seconds: 1 }));
    const other = await readTags(await makeFlv({ seconds: 1, size: '160x90' }));
    const streams = Array.from({ length: 10 }, () => [one, other]).flat();
    const result = await packageStream(ctx, owner.id, Readable.from([writeTags(joinTags(one, one, ...streams))]));
    expect(result.reason).to.equal('the stream changes too often');
  });

  it('continues without loss and with the next number after ffmpeg was killed', async () => {
    const run = await openTestRun(ctx, owner.id);
    const tags = await readTags(await makeFlv({ seconds: 8 }));
    let killing: Promise<number[]> | undefined;
    const kill = async (): Promise<number[]> => encoders().filter(isKilled);
    const source = Readable.from(inRealTime(tags, 2), { objectMode: false });
    const onPart = ({ segment }: { segment: number }): void => void (segment === 1 && (killing ??= kill()));
    const result = await packageStream(ctx, owner.id, source, { run, onPart });
    await expectPlayable(ctx, result);
    expect(await killing).to.not.be.empty;
    expect([discontinuities(result), isCopied(result)]).to.deep.equal([2, true]);
    expect(secondsIn(result)).to.be.closeTo(8, 0.1);
    expectNoGap(result);
  });

  it('ends a run after several attempts if no ffmpeg can encode it', async () => {
    const broken = { ...ctx, config: { ...ctx.config, media: { ...ctx.config.media, ffmpegPath: 'false' } } };
    const result = await packageStream(broken, owner.id, await makeFlv({ seconds: 3 }));
    expect(result.reason).to.match(/^ffmpeg failed: ffmpeg ended with 1/);
    expect(result.segments).to.deep.equal([]);
  });

  it('rejects unreadable input with a clear message', async () => {
    const reasonOf = async (bytes: Buffer): Promise<string> =>
      (await packageStream(ctx, owner.id, Readable.from([bytes]))).reason;
    const [tag] = (await readTags(await makeFlv({ seconds: 3 }))).filter(({ type }) => type === video);
    const enhanced = { type: video, timestampMs: 0, payload: Buffer.from([0x90, ...Buffer.from('hvc1'), 0, 0]) };
    expect(await reasonOf(writeTags([enhanced]))).to.equal('the video of the encoder is not H.264');
    expect(await reasonOf(Buffer.from('an MP4 file, or anything else'))).to.equal('not an FLV stream');
    const huge = Buffer.concat([writeTags([]), Buffer.from([9, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0])]);
    expect(await reasonOf(huge)).to.match(/^FLV tag of 16777215 bytes/);
    expect(await reasonOf(writeTags(tag ? [{ ...tag, payload: tag.payload.subarray(0, 9) }] : []))).to.equal(
      'the H.264 configuration of the encoder is damaged',
    );
    expect(await reasonOf(writeTags([]))).to.equal('no media');
  });

  it('leaves no ffmpeg process behind', async () => {
    await eventually(() => expect(encoders()).to.deep.equal([]));
  });
});

/** The ffmpeg child processes of this process. */
function encoders(): number[] {
  return childrenOf(process.pid).flatMap(({ pid, command }) => (/\bffmpeg /.test(command) ? pid : []));
}

/** Kills a process; false if it has already ended, as a process of the previous test may. */
function isKilled(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    return false;
  }
}
