import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { pino } from 'pino';
import type { Logger } from '../../shared/platform/log.js';
import { Encoder, type EncoderEvent } from '../../workers/live/packaging/encoder.js';
import { planEncoding } from '../../workers/live/packaging/encodingPlan.js';
import { Gate } from '../../workers/live/packaging/eventQueue.js';
import type { PackageOptions } from '../../workers/live/packaging/packageOptions.js';
import { maxMaps, SegmentWriter } from '../../workers/live/packaging/segmentWriter.js';
import type { TestContext } from '../support/context.js';
import { eventually, slowness, rejection } from '../support/eventually.js';
import { inRealTime, readTags } from '../support/flvEditing.js';
import {
  expectPlayable,
  makeFlv,
  packagingFixture,
  openTestRun,
  packageStream,
  segmentOf,
  withPut,
} from '../support/liveRun.js';
import { makeClip } from '../support/media.js';

describe('the packager', function () {
  this.timeout(60_000);
  const { ctx, owner } = packagingFixture();

  it('ends at once with an error of its own code, not at the end of the source', async () => {
    const wrong = (): never => {
      throw new TypeError('our own fault');
    };
    const faults: [TestContext, Partial<PackageOptions>][] = [
      [
        withPut(ctx, (key, body, options) => (segmentOf(key) === 1 ? wrong() : ctx.storage.put(key, body, options))),
        {},
      ],
      [ctx, { onStored: wrong }],
      [ctx, { onPart: ({ segment }) => (segment === 1 ? wrong() : undefined) }],
      [ctx, { onMedia: wrong }],
    ];
    const tags = await readTags(await makeFlv({ seconds: 60, size: '160x90' }));
    await Promise.all(
      faults.map(async ([service, overrides], index) => {
        const source = Readable.from(inRealTime(tags, 2), { objectMode: false });
        const began = performance.now();
        const failure = await rejection(packageStream(service, owner.id, source, overrides));
        expect(failure, `fault ${index}`).to.be.instanceOf(TypeError);
        expect(performance.now() - began, `fault ${index}`).to.be.lessThan(15_000 * slowness);
        expect(source.destroyed).to.equal(true);
      }),
    );
  });

  it('rejects an encoding whose renditions start their last segment at different frames', async () => {
    const starting = (seconds: string): Promise<string> =>
      makeClip('mp4', [
        ...['-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=25:d=1', '-c:v', 'libx264', '-bf', '0'],
        ...['-pix_fmt', 'yuv420p', '-movflags', '+empty_moov+default_base_moof+frag_keyframe+frag_discont'],
        ...['-avoid_negative_ts', 'disabled', '-use_editlist', '0', '-output_ts_offset', seconds],
      ]);
    const [first, second] = [await starting('1'), await starting('1.5')];
    // Writes these files to its two pipes and ends successfully.
    const folder = await mkdtemp(join(tmpdir(), 'live-encoder-'));
    const ffmpegPath = join(folder, 'ffmpeg');
    await writeFile(ffmpegPath, `#!/bin/sh\ncat >/dev/null\ncat ${first} >&3\ncat ${second} >&4\n`, { mode: 0o755 });
    const plan = planEncoding({ epoch: 0, video: null, audio: null }, [180, 120]);
    const start = { startMs: 0, originMs: 0, decodingDelayMs: 0 };
    const events: EncoderEvent[] = [];
    const settings = { preset: 'ultrafast', maxPixels: 1e6 };
    const report = (event: EncoderEvent): void => void events.push(event);
    const encoder = new Encoder({ ffmpegPath, plan, start, settings, outputGate: new Gate(), report });
    encoder.endInput();
    await eventually(() => expect(events.at(-1)?.kind).to.equal('encoderEnded'));
    expect(events.filter(({ kind }) => kind !== 'part' && kind !== 'inputFree')).to.deep.equal([
      {
        ...{ kind: 'outputRefused', reason: 'misaligned' },
        detail: 'segment 0 differs between renditions: 0.000 + 1.000 s, 0.500 + 1.000 s',
      },
      { kind: 'encoderEnded', isClean: false, detail: 'ffmpeg ended with 0' },
    ]);
    await rm(folder, { recursive: true });
  });

  it('continues to encode during a database outage and then lists all segments in order', async () => {
    let isUnreachable = true;
    let uploaded = 0;
    const rows: typeof ctx.db.rows = (sql, ...more) => {
      const away = Object.assign(new Error('away'), { name: 'SequelizeConnectionError' });
      return isUnreachable && sql.includes('INSERT INTO live_segments')
        ? Promise.reject(away)
        : ctx.db.rows(sql, ...more);
    };
    const outage = withPut(ctx, (key, body, options) => {
      uploaded = Math.max(uploaded, segmentOf(key) + 1);
      return ctx.storage.put(key, body, options);
    });
    const file = await makeFlv({ seconds: 60, size: '160x90' });
    const packaging = packageStream({ ...outage, db: { ...ctx.db, rows } }, owner.id, file);
    // The 45 s that a run survives without the database are 23 segments.
    await eventually(() => expect(uploaded).to.equal(30), { timeoutMs: 30_000 });
    isUnreachable = false;
    const result = await packaging;
    expect(result.segments.map(({ sequence }) => sequence)).to.deep.equal(Array.from({ length: 30 }, (_, n) => n));
    await expectPlayable(ctx, result);
  });

  it('logs slow storage once, not for each waiting segment', async () => {
    const held: (() => void)[] = [];
    let isHeld = true;
    const slow = withPut(ctx, async (key, body, options) => {
      if (isHeld && !key.includes('init-')) await new Promise<void>((resolve) => held.push(resolve));
      return ctx.storage.put(key, body, options);
    });
    const lines: string[] = [];
    const log = pino({ level: 'info' }, { write: (line) => void lines.push(line) });
    const add = await openWriter(slow, log);
    for (let index = 0; index < 7; index += 1) await add(index, 0);
    // One upload ends at a time, and therefore each of these waits.
    for (let index = 7; index < 10; index += 1) {
      const added = add(index, 0);
      await eventually(() => expect(held).not.to.have.length(0));
      held.shift()?.();
      await added;
    }
    isHeld = false;
    for (const release of held) release();
    await add.writer.drain();
    expect(lines.filter((line) => line.includes('live storage slow'))).to.have.length(1);
  });

  it('caches few initialisation segments and stores an older one again', async () => {
    const stored: string[] = [];
    const recording = withPut(ctx, (key, body, options) => {
      stored.push(key.split('/').at(-1) ?? '');
      return ctx.storage.put(key, body, options);
    });
    const add = await openWriter(recording, ctx.log);
    for (let index = 0; index <= maxMaps; index += 1) await add(index, index);
    await add(maxMaps + 1, maxMaps);
    await add(maxMaps + 2, 0);
    await add.writer.drain();
    const maps = stored.filter((name) => name.startsWith('init-'));
    expect([maps.length, new Set(maps).size]).to.deep.equal([maxMaps + 2, maxMaps + 1]);
  });

  /** Adds a segment of one rendition to the same run. */
  async function openWriter(service: TestContext, log: Logger) {
    const run = await openTestRun(ctx, owner.id);
    const fail = (): void => expect.fail('the run is lost');
    const { signal } = new AbortController();
    const writer = new SegmentWriter({ ctx: service, log, run, signal, onLost: fail, onFailed: fail });
    const add = (index: number, map: number): Promise<void> =>
      writer.add({
        ...{ startsAt: new Date(1_800_000_000_000 + index * 2_000), durationMicroseconds: 2_000_000 },
        ...{ isDiscontinuous: false, media: [], onListed: () => {} },
        files: [{ name: '240p', data: [Buffer.from('media')], initialisation: Buffer.from(`init ${map}`) }],
      });
    return Object.assign(add, { writer });
  }
});
