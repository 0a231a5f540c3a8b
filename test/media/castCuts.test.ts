import { randomBytes, randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { CastCut } from '../../shared/cast/cast.model.js';
import { requestCuts, type RequestedCut } from '../../shared/cast/cut.service.js';
import { cutFilesOf } from '../../shared/cast/cutAndSlateFiles.queries.js';
import { firstPacketAt } from '../../shared/media/audioPackets.js';
import { segmentFilesOf } from '../../shared/content/segmentFiles.js';
import { generationFolder } from '../../shared/content/storageKeys.js';
import { prepareAll } from '../support/cast/playoutFixture.js';
import {
  brightnesses,
  brightnessOf,
  joinRendition,
  listedFiles,
  makeClip,
  readStored,
  runTool,
  storedKeys,
} from '../support/media.js';
import { mediaFixture } from '../support/mediaFixture.js';
import { useFixture } from '../support/fixtures.js';

/** 10 s of frames whose brightness is their number, with two different audio tracks. Segments have 120 frames. */
function numberedClip(): Promise<string> {
  const size = 'scale=640:360:flags=neighbor';
  return makeClip('mp4', [
    ...['-f', 'lavfi', '-i', `nullsrc=s=64x64:r=30000/1001:d=10,geq=lum='16+mod(N*7\\,200)':cb=128:cr=128,${size}`],
    ...['-f', 'lavfi', '-i', "aevalsrc='0.4*sin(2*PI*(200*t+60*t*t))':s=48000:d=10"],
    ...['-f', 'lavfi', '-i', "aevalsrc='0.4*sin(2*PI*(900*t-30*t*t))':s=48000:d=10"],
    ...['-map', '0', '-map', '1', '-map', '2', '-metadata:s:a:0', 'language=eng', '-metadata:s:a:1', 'language=deu'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac'],
  ]);
}

/** The times of the frames in order, and the time and digest of each audio packet. */
async function packetsOf(media: Buffer): Promise<{ readonly frames: number[]; readonly audio: string[] }> {
  const entries = ['-show_entries', 'packet=codec_type,pts,data_hash', '-show_data_hash', 'md5', '-of', 'csv=p=0'];
  const printed = await runTool('ffprobe', [...entries, '-'], media);
  const lines = printed.split('\n');
  const frames = lines.filter((line) => line.startsWith('video,')).map((line) => Number(line.split(',')[1]));
  return { frames: frames.sort((a, b) => a - b), audio: lines.filter((line) => line.startsWith('audio,')) };
}

describe('cuts', function () {
  this.timeout(60_000);
  // Reordered frames: the muxer then splits audio and video at different times.
  const service = mediaFixture({ ENCODER_PRESET: 'veryfast' });
  const content = useFixture(async () => service.make(await numberedClip()));

  function want(firstFrame: number, endFrame: number): RequestedCut {
    const neededUntil = new Date(service.ctx.clock.now().getTime() + 60_000);
    return { contentId: content.id, generation: 1, firstFrame, endFrame, neededUntil };
  }

  async function rowOf({ contentId, generation, firstFrame, endFrame }: RequestedCut): Promise<CastCut> {
    const where = { contentId, generation, firstFrame, endFrame };
    return service.ctx.db.model(CastCut).findOne({ where, rejectOnEmpty: true });
  }

  async function mediaOf(cut: CastCut, rendition: string): Promise<Buffer> {
    const files = await cutFilesOf(service.ctx, cut.id);
    const all = files ? [...files.video, ...files.audio] : [];
    const file = all.find(({ name }) => name === rendition)?.fileOf(0);
    if (!file) throw new Error(`no ${rendition}`);
    return Buffer.concat([await readStored(service.ctx, file.map), await readStored(service.ctx, file.key)]);
  }

  /** The number of the first audio packet of each stored segment, and the number after the last packet. */
  async function audioStarts(): Promise<number[]> {
    const files = await segmentFilesOf(service.ctx, { contentId: content.id, generation: 1 });
    const starts = [0];
    for (const segment of [0, 1, 2]) {
      const file = files?.audio[0]?.fileOf(segment);
      const parts = await Promise.all([file?.map, file?.key].map((key) => readStored(service.ctx, key ?? '')));
      starts.push((starts.at(-1) ?? 0) + (await packetsOf(Buffer.concat(parts))).audio.length);
    }
    return starts;
  }

  const cuts: readonly (readonly [what: string, firstFrame: number, endFrame: number])[] = [
    ['the end of a segment', 37, 120],
    ['the beginning of a segment', 120, 163],
    ['frames within a segment', 50, 61],
    ['frames just before the end of a segment', 105, 119],
    ['frames of two segments', 116, 240],
    ['the end of the content', 247, 300],
  ];

  it('contain exactly their frames and audio packets of the content, in every rendition and language', async () => {
    const wants = cuts.map(([, firstFrame, endFrame]) => want(firstFrame, endFrame));
    await requestCuts(service.ctx, wants);
    await prepareAll(service.ctx);
    expect(content.plan?.framesPerSegment).to.equal(120);
    expect(content.plan?.frameCount).to.equal(300);
    const frameRate = content.plan?.frameRate ?? [0, 0];
    const second = await listedFiles(service.ctx, generationFolder(content, 1), 'audio-1.m3u8');
    const inGerman = (await packetsOf(Buffer.concat([second.maps[0] as Buffer, ...second.media]))).audio;
    for (const rendition of ['240p', '360p']) {
      const whole = await joinRendition(service.ctx, generationFolder(content, 1), rendition);
      const packets = await packetsOf(whole);
      expect(packets.frames).to.have.length(300);
      const starts = await audioStarts();
      for (const [index, [what, firstFrame, endFrame]] of cuts.entries()) {
        const cut = await rowOf(wants[index] as RequestedCut);
        expect(cut.state, cut.failureDetail ?? '').to.equal('READY');
        const media = await mediaOf(cut, rendition);
        const shown = await brightnesses(media);
        expect(shown, what).to.have.length(endFrame - firstFrame);
        for (const [frame, brightness] of shown.entries())
          expect(brightness, `${what}, frame ${frame}`).to.be.closeTo(brightnessOf(firstFrame + frame), 3);
        const cutPackets = await packetsOf(media);
        expect(cutPackets.frames, what).to.deep.equal(packets.frames.slice(firstFrame, endFrame));
        const [begin, end] = [firstFrame, endFrame].map((frame) =>
          frame % 120 === 0 || frame === 300 ? starts[Math.ceil(frame / 120)] : firstPacketAt(frame, frameRate),
        );
        expect(cutPackets.audio, what).to.not.be.empty;
        expect(cutPackets.audio, what).to.deep.equal(packets.audio.slice(begin, end));
        const [english, german] = await Promise.all(
          ['audio-0', 'audio-1'].map(async (name) => packetsOf(await mediaOf(cut, name))),
        );
        expect(english, what).to.deep.equal({ frames: [], audio: cutPackets.audio });
        expect(german?.audio, what).to.deep.equal(inGerman.slice(begin, end));
      }
    }
  });

  it('are encoded once for any number of requests, and kept for the program that ends last', async () => {
    const { ctx } = service;
    const one = want(10, 60);
    const later = { ...one, neededUntil: new Date(one.neededUntil.getTime() + 5_000) };
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        requestCuts(ctx, index % 2 === 0 ? [one, want(12, 60)] : [want(12, 60), later]),
      ),
    );
    await requestCuts(ctx, [one]);
    expect((await rowOf(one)).neededUntil).to.deep.equal(later.neededUntil);
    await Promise.all([prepareAll(ctx), prepareAll(ctx)]);
    const { attempt, state, folder } = await rowOf(one);
    expect({ attempt, state }).to.deep.equal({ attempt: 1, state: 'READY' });
    expect(await storedKeys(ctx, `cast/${folder}`)).to.have.length(8);
  });

  it('fail with the reason if the frames do not exist or do not play', async () => {
    const { ctx } = service;
    const failing: readonly (readonly [RequestedCut, RegExp])[] = [
      [{ ...want(0, 50), contentId: randomUUID() }, /does not play/],
      [{ ...want(0, 50), generation: 7 }, /generation 7 .*does not play/],
      [want(280, 301), /300 frames, not 280 to 301/],
      [want(60, 60), /frames/],
      [want(-4, 60), /frames/],
    ];
    await requestCuts(
      ctx,
      failing.map(([wanted]) => wanted),
    );
    await prepareAll(ctx);
    for (const [wanted, reason] of failing) {
      const { state, failureDetail, folder } = await rowOf(wanted);
      expect(state).to.equal('FAILED');
      expect(failureDetail).to.match(reason);
      expect(await storedKeys(ctx, `cast/${folder}`)).to.be.empty;
    }
    await requestCuts(
      ctx,
      failing.map(([wanted]) => wanted),
    );
    expect(await prepareAll(ctx)).to.deep.equal({ made: 0 });
  });

  it('fail with the reason if stored segments are missing, damaged or from another file', async () => {
    const { ctx } = service;
    const files = await segmentFilesOf(ctx, { contentId: content.id, generation: 1 });
    const keyOf = (segment: number): string => files?.video[1]?.fileOf(segment).key ?? '';
    const first = await readStored(ctx, keyOf(0));
    const put = (segment: number, body: Buffer): Promise<unknown> =>
      ctx.storage.put(keyOf(segment), body, { contentType: 'video/mp4' });
    await ctx.storage.remove([keyOf(2)]);
    await put(1, randomBytes(50_000));
    await put(0, first.subarray(0, first.length / 2));
    const failing: readonly (readonly [RequestedCut, RegExp])[] = [
      [want(251, 300), /is missing/],
      [want(131, 200), /./],
      [want(5, 118), /./],
    ];
    await requestCuts(
      ctx,
      failing.map(([wanted]) => wanted),
    );
    await prepareAll(ctx);
    for (const [wanted, reason] of failing) {
      const { state, failureDetail, folder } = await rowOf(wanted);
      expect(state, `frames ${wanted.firstFrame}`).to.equal('FAILED');
      expect(failureDetail).to.match(reason);
      expect(await storedKeys(ctx, `cast/${folder}`)).to.be.empty;
    }
    // Another video of the service replaces the segment: its frames have different times.
    await put(1, first);
    await requestCuts(ctx, [want(130, 210)]);
    await prepareAll(ctx);
    expect(await rowOf(want(130, 210))).to.include({ state: 'FAILED' });
  });
});
