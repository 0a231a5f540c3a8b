import { expect } from 'chai';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pino } from 'pino';
import { readMp4Tracks } from '../../shared/media/mp4/index.js';
import { DatabaseClock, databaseNow } from '../../shared/platform/database/databaseTime.js';
import { liveMasterPlaylist } from '../../shared/streaming/liveMaster.js';
import { openRun } from '../../shared/streaming/liveRun.lifecycle.js';
import { partTargetSeconds } from '../../shared/streaming/lowLatency/partsState.js';
import { dividedSegment } from '../../workers/ingestion/recorded/dividedSegment.js';
import { captionedClip, command, pause, popOn } from '../support/closedCaptions.js';
import { eventually } from '../support/eventually.js';
import { inRealTime, readTags } from '../support/flvEditing.js';
import { parseMaster } from '../support/hlsPlaylist.js';
import {
  type Packaged,
  expectPlayable,
  makeFlv,
  packagingFixture,
  openTestRun,
  packageStream,
  segmentOf,
  storedRun,
  withPut,
} from '../support/liveRun.js';
import { makeVideo, readStored, runTool, storedKeys } from '../support/media.js';
import { watchLogLine } from '../support/testFaults.js';

describe('the packager with a storage', function () {
  this.timeout(60_000);
  const { ctx, owner } = packagingFixture();

  it('uploads the next segment during a slow upload and lists segments in order', async () => {
    const began: number[] = [];
    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const slow = withPut(ctx, async (key, body, options) => {
      began.push(segmentOf(key));
      if (segmentOf(key) === 0) await held;
      if (segmentOf(key) === 1) release();
      return ctx.storage.put(key, body, options);
    });
    const result = await packageStream(slow, owner.id, await makeFlv());
    expect(began).to.include(2);
    expect(result.segments.map(({ startsAt }) => startsAt.getTime())).to.have.length(3);
    await expectPlayable(ctx, result);
  });

  it('stores segments whose bytes and times equal those of their parts, in all renditions', async () => {
    const parts = new Map<string, Buffer[]>();
    const starts = new Map<number, number>();
    const result = await packageStream(ctx, owner.id, await makeFlv(), {
      onPart({ rendition, segment, part, startsAt, data, durationSeconds, renditions, isIndependent }) {
        const key = `${rendition} ${segment}`;
        parts.set(key, [...(parts.get(key) ?? []), ...data]);
        if (part === 0 && rendition === renditions[0]) starts.set(segment, startsAt.getTime());
        expect(durationSeconds).to.be.at.most(partTargetSeconds);
        expect(isIndependent, 'begins with a keyframe').to.equal(part === 0);
      },
    });
    expect(result.segments).to.have.length(3);
    for (const [index, { renditions, startsAt }] of result.segments.entries()) {
      expect(startsAt.getTime()).to.equal(starts.get(index));
      for (const { name, file } of renditions) {
        const stored = await readStored(ctx, `live/${result.folder}/${file}`);
        const joined = Buffer.concat(parts.get(`${name} ${index}`) ?? []);
        // After its last frame, the last segment contains the remaining audio.
        const isLast = index === result.segments.length - 1;
        const compared = isLast ? stored.subarray(0, joined.length) : stored;
        expect(joined.equals(compared), `${name} ${index}`).to.equal(true);
        expect(stored.length - joined.length, `bytes of ${name} ${index} in no part`).to.be.below(isLast ? 20_000 : 1);
      }
    }
  });

  it('dates its segments by the database time, regardless of the machine’s clock', async () => {
    let reads = 0;
    // The clock is half a minute behind; during the run it is set to half a minute ahead.
    const clock = { ...ctx.clock, now: () => new Date(Date.now() + (reads++ < 3 ? -30_000 : 30_000)) };
    const onWrongMachine = { ...ctx, clock, databaseTime: new DatabaseClock() };
    const before = await databaseNow(onWrongMachine);
    const { segments } = await packageStream(onWrongMachine, owner.id, await makeFlv());
    const after = await databaseNow(onWrongMachine);
    const [first, ...others] = segments.map(({ startsAt }) => startsAt.getTime());
    // The file is read faster than real time: its five seconds arrive at once.
    expect(first).to.be.within(before.getTime() - 5_500, after.getTime());
    expect(others).to.deep.equal([(first ?? 0) + 2_000, (first ?? 0) + 4_000]);
  });

  it('retries while the storage fails, logs the failure once, and loses no segment', async () => {
    let failures = 3;
    const failing = withPut(ctx, (key, body, options) => {
      if (failures-- > 0) return Promise.reject(new Error('storage away'));
      return ctx.storage.put(key, body, options);
    });
    const stored = async () =>
      Number(
        /\d+$/.exec((await ctx.metrics.registry.getSingleMetricAsString('live_segments_stored_total')).trim())?.[0],
      );
    const before = await stored();
    const lines: string[] = [];
    const write = (line: string): void => {
      lines.push(line);
      watchLogLine(line);
    };
    const log = pino({ level: 'info' }, { write }).child({ streamPath: 'path', runId: 'run' });
    const result = await packageStream(failing, owner.id, await makeFlv(), { log });
    expect(result.segments).to.have.length(3);
    expect((await stored()) - before).to.equal(3);
    const messages = lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
    expect(messages.filter((message) => message.startsWith('live segment'))).to.deep.equal([
      'live segment not uploaded',
      'live segments are being stored again',
    ]);
    await expectPlayable(ctx, result);
  });

  it('pauses ffmpeg at a maximum number of segments if the storage is slower than the encoder', async () => {
    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const blocked = withPut(ctx, async (key, body, options) => {
      await held;
      return ctx.storage.put(key, body, options);
    });
    let newest = 0;
    const onPart = ({ segment }: { segment: number }): void => void (newest = Math.max(newest, segment));
    const file = await makeFlv({ seconds: 60, size: '160x90' });
    const packaging = packageStream(blocked, owner.id, file, { onPart });
    await eventually(() => expect(newest).to.be.at.least(7), { timeoutMs: 30_000 });
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(newest).to.be.lessThan(11);
    release();
    expect((await packaging).segments).to.have.length(30);
  });

  it('stops at once if another process owns the run, without files that have no row', async () => {
    const run = await openTestRun(ctx, owner.id);
    const source = Readable.from(inRealTime(await readTags(await makeFlv({ seconds: 20 })), 3), { objectMode: false });
    const packaging = packageStream(ctx, owner.id, source, { run });
    const { streamId } = await eventually(async () => {
      const stored = await storedRun(ctx, run);
      expect(stored.segments).to.have.length.greaterThan(0);
      return stored.run;
    });
    await openRun(ctx, { streamId, ownerId: owner.id, source: 'RTMP', leaseOwner: 'another', clientAddress: null });
    const { segments } = await storedRun(ctx, run);
    const result = await packaging;
    expect(result.reason).to.equal('lease lost');
    expect(result.segments).to.have.length(segments.length);
    expect(source.destroyed).to.equal(true);
    const files = new Set(
      result.segments.flatMap(({ renditions }) => renditions.flatMap(({ file, map }) => [file, map])),
    );
    await eventually(async () => {
      const keys = await storedKeys(ctx, `live/${run.folder}`);
      expect(keys.map((key) => key.split('/').at(-1))).to.have.members([...files]);
    });
  });

  it('writes nothing after its signal has aborted', async () => {
    const stop = new AbortController();
    const run = await openTestRun(ctx, owner.id);
    const source = Readable.from(inRealTime(await readTags(await makeFlv({ seconds: 20 })), 3), { objectMode: false });
    const onPart = ({ segment }: { segment: number }): void => void (segment === 1 && stop.abort());
    const result = await packageStream(ctx, owner.id, source, { run, signal: stop.signal, onPart });
    expect(result.reason).to.equal('stopped');
    expect(result.segments).to.have.length.at.most(1);
  });

  it('pulls from an address and converts other codecs', async () => {
    const old = ['-c:v', 'mpeg2video', '-b:v', '2M', '-g', '12', '-c:a', 'mp2'];
    const files: Record<string, string> = {
      '/old.ts': await makeVideo({ seconds: 5, extension: 'ts', coding: old }),
      '/new.flv': await makeFlv({ keyframes: 300 }),
    };
    const server = createServer((request, response) => {
      createReadStream(files[request.url ?? ''] ?? '')
        .on('error', () => response.destroy())
        .pipe(response);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const at = (path: string) => {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
      return { source: { url } };
    };
    try {
      for (const path of Object.keys(files)) {
        const result = await packageStream(ctx, owner.id, '', at(path));
        expect([result.reason, result.run.renditions?.map(({ name }) => name)]).to.deep.equal([
          'source ended',
          ['180p', '120p'],
        ]);
        await expectPlayable(ctx, result);
      }
      expect((await packageStream(ctx, owner.id, '', at('/missing'))).reason).to.equal('the source cannot be read');
    } finally {
      server.close();
    }
    const local = { source: { url: 'file:///etc/passwd' } };
    expect((await packageStream(ctx, owner.id, '', local)).reason).to.match(/protocol that is not supported/);
  });
});

describe('the closed captions of a live stream', function () {
  this.timeout(60_000);
  const { ctx, owner } = packagingFixture();

  /** The captions that ffmpeg decodes from a rendition's stored segments. */
  const closedCaptionsOf = async ({ segments, folder }: Packaged, rendition: string): Promise<string> => {
    const files = segments.flatMap(({ renditions }) => renditions.filter(({ name }) => name === rendition));
    const names = [files[0]?.map ?? '', ...files.map(({ file }) => file)];
    const parts = await Promise.all(names.map((name) => readStored(ctx, `live/${folder}/${name}`)));
    const path = join(await mkdtemp(join(tmpdir(), 'captions-')), 'live.mp4');
    await writeFile(path, Buffer.concat(parts));
    const printed = await runTool('ffmpeg', [
      ...['-f', 'lavfi', '-i', `movie=${path}[out+subcc]`, '-map', '0:s', '-f', 'srt', '-'],
    ]);
    await rm(dirname(path), { recursive: true });
    return printed;
  };

  it('are offered in all renditions if the encoder has sent some', async () => {
    const field1 = [...pause(50), ...popOn('HELLO CC'), ...pause(30), ...command(0x14, 0x2c)];
    const field2 = [...pause(60), ...popOn('HOLA', 0x15)];
    const flv = await captionedClip({ extension: 'flv', field1, field2, seconds: 6 });
    const result = await packageStream(ctx, owner.id, Readable.from([flv]));
    const ladder = result.run.renditions ?? [];
    expect(ladder.map(({ isCopy, closedCaptions }) => [isCopy, closedCaptions])).to.deep.equal([
      [true, ['CC1', 'CC3']],
      [false, ['CC1', 'CC3']],
    ]);
    for (const { name } of ladder) expect(await closedCaptionsOf(result, name), name).to.include('HELLO CC');
    const master = liveMasterPlaylist(ladder, []);
    for (const { attributes } of parseMaster(master)) expect(attributes).to.include(',CLOSED-CAPTIONS="cc"');
    expect(master.match(/^#EXT-X-MEDIA:.*$/gm)).to.deep.equal(
      ['CC1', 'CC3'].map(
        (channel) =>
          `#EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID="cc",NAME="${channel}",DEFAULT=NO,AUTOSELECT=YES,INSTREAM-ID="${channel}"`,
      ),
    );
    const [rendition] = result.segments[1]?.renditions ?? [];
    const stored = (name = '') => readStored(ctx, `live/${result.folder}/${name}`);
    const [init, segment] = await Promise.all([stored(rendition?.map), stored(rendition?.file)]);
    const recorded = Buffer.concat(dividedSegment('video', Buffer.from(segment), readMp4Tracks(init), 2));
    expect([segment.includes('GA94'), recorded.includes('GA94')], 'in a recording').to.deep.equal([true, false]);
  });

  it('are not offered if the encoder sends none', async () => {
    const { run } = await packageStream(ctx, owner.id, await makeFlv());
    for (const { attributes } of parseMaster(liveMasterPlaylist(run.renditions ?? [], [])))
      expect(attributes).to.include(',CLOSED-CAPTIONS=NONE');
  });
});
