import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { generationFolder } from '../../shared/content/storageKeys.js';
import { chunkAt, planGrid } from '../../shared/media/grid.js';
import { workFolder } from '../../shared/platform/storage/workFolder.js';
import { slateCommand } from '../../workers/daily-programming/slateCommand.js';
import {
  encodeAudio,
  layOutAudio,
  chunkCommand,
  fileSource,
  findEvenSection,
  openFfmpegRunner,
  audioPoster,
  videoFrame,
  probe,
  copyIntoSeekable,
  sheetCommand,
  speechCommand,
  copySubtitlesCommand,
  type ProbedSource,
  type SubtitleStream,
} from '../../workers/media/index.js';
import { MachineError } from '../../workers/media/runner.js';
import { planLadder } from '../../shared/content/ladder.js';
import { openTestContext } from '../support/context.js';
import { eventually } from '../support/eventually.js';
import { audioStarts, joinRendition, makeClip, runTool, settledContent, uploadClip } from '../support/media.js';
import { describeWith, itWith, requirements, rowsOf } from '../support/requirements.js';
import { mountSmallDisk, type SmallDisk } from '../support/smallDisk.js';
import { makeUser } from '../support/users.js';
import { startWorkers } from '../support/workers.js';

const megabyte = 1024 ** 2;
const seconds = 12;
const subtitles = { index: 0, codec: 'subrip' } as SubtitleStream;
const maxBytes = 1024 * megabyte;
const beeps = `aevalsrc='if(between(mod(t,4),3,3.1),0.8*sin(880*2*PI*t),random(0)/1000)':s=48000:d=${seconds}`;

/** A film that beeps at 3, 7 and 11 s. */
const film = (): Promise<string> =>
  makeClip('mkv', [
    ...['-f', 'lavfi', '-i', `testsrc2=s=320x180:r=25:d=${seconds}`, '-f', 'lavfi', '-i', beeps],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '50', '-pix_fmt', 'yuv420p', '-c:a', 'aac'],
  ]);

const { signal } = new AbortController();
const run = { signal };
const runner = openFfmpegRunner({
  ffmpegPath: process.env['FFMPEG_PATH'] ?? 'ffmpeg',
  ffprobePath: process.env['FFPROBE_PATH'] ?? 'ffprobe',
});

/** The files that a writer reads, on a disk with space. */
interface Sources {
  readonly path: string;
  readonly description: ProbedSource;
  /** With subtitles. */
  readonly titled: string;
  readonly keyframes: string;
  readonly picture: string;
  readonly packets: string;
}

/** Each writer creates its files in `folder`. */
const writers: Readonly<Record<string, (folder: string, sources: Sources) => Promise<unknown>>> = {
  audio: (folder, { path }) =>
    encodeAudio(
      runner,
      folder,
      {
        ...{ path, demuxer: 'matroska', stream: 1, name: 'audio', channels: 2, originSeconds: 0 },
        ...{ maxSeconds: 60, threads: 1 },
      },
      run,
    ),
  silence: (folder) => layOutAudio(runner, folder, null, { packets: 2_000, starts: [0], channels: 2 }, run),
  'a seekable copy': (folder, { path }) =>
    copyIntoSeekable(runner, folder, { path, demuxer: 'matroska', stream: 0 }, run),
  'a frame': (folder, sources) =>
    videoFrame(
      runner,
      folder,
      frameSource(sources),
      { startSeconds: 0, endSeconds: seconds, keyframeSeconds: [0, 2, 4, 6] },
      run,
    ),
  'a poster of audio': (folder, sources) => audioPoster(runner, folder, frameSource(sources), run),
  subtitles: (folder, { titled: path }) =>
    runner.convert(copySubtitlesCommand({ folder, path, demuxer: 'matroska', streams: [subtitles], maxBytes }), run),
  speech: (folder, { path }) => runner.convert(speechCommand(speech(folder, path), 'speech.wav'), run),
  'pieces of speech': (folder, { path }) => runner.convert(speechCommand(speech(folder, path), 'p-%03d.wav', 5), run),
  'a storyboard': (folder, { keyframes: input }) =>
    runner.convert(
      sheetCommand({
        folder,
        input,
        output: 'sheet.jpg',
        size: { width: 320, height: 180 },
        tileWidth: 160,
        tileHeight: 90,
        columns: 2,
        rows: 2,
      }),
      run,
    ),
  'a section of a recording': (folder, { path, description }) =>
    findEvenSection(runner, folder, { path, description, seconds, atSeconds: 0, threads: 1 }, run),
  'a chunk': async (folder, { path: sourcePath }) => {
    const grid = planGrid({ frameRate: [25, 1], frameCount: seconds * 25, chunkSeconds: 24 });
    const renditions = ladder();
    for (const { name } of renditions) await mkdir(join(folder, name));
    const source = { key: '', demuxer: 'matroska', stream: 0, seekable: true, originSeconds: 0 };
    const picture = { still: false, interlaced: false, highDynamicRange: null };
    const plan = { ...grid, durationMs: 0, renditions, audio: [], source: { ...source, ...picture } };
    const settings = { preset: 'ultrafast', threads: 1, maxPixels: 1e7, isRetry: false };
    await runner.convert(chunkCommand({ folder, plan, chunk: chunkAt(grid, 0), sourcePath, settings }), run);
  },
  'a slate': async (folder, { picture, packets }) => {
    const command = slateCommand(folder, 1);
    const inputs = command.inputs.map((input, index) => ({ ...input, path: `file:${[picture, packets][index]}` }));
    await runner.convert({ ...command, inputs }, run);
  },
};

function ladder() {
  return planLadder({ width: 320, height: 180, codec: 'h264', bits: null, framesPerSecond: 25 });
}

function frameSource({ path, description }: Sources) {
  return { source: fileSource(path), description, threads: 1, maxPixels: 1e7 };
}

function speech(folder: string, path: string) {
  return { folder, path, demuxer: 'matroska', stream: 1, channels: { channels: 1, layout: '' }, startSeconds: 0 };
}

async function bytesIn(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true });
  const sizes = await Promise.all(
    names.map(async (name) => {
      const found = await stat(join(folder, name));
      return found.isFile() ? found.size : 0;
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

describeWith(requirements.mount, 'a disk that is full while ffmpeg writes', function () {
  this.timeout(180_000);
  let disk: SmallDisk | undefined;
  let kept: string;
  let sources: Sources;

  before(async () => {
    disk = await mountSmallDisk(16 * megabyte);
    kept = await mkdtemp(join(tmpdir(), 'full-disk-'));
    const path = await film();
    const at = (name: string): string => join(kept, name);
    await runTool('ffmpeg', ['-i', path, '-map', '0:v', '-c', 'copy', '-bsf:v', 'h264_mp4toannexb', at('all.h264')]);
    await runTool('ffmpeg', ['-i', path, '-frames:v', '1', at('slate.png')]);
    await runTool('ffmpeg', ['-f', 'lavfi', '-i', 'anullsrc=r=48000', '-t', '120', '-c:a', 'aac', at('silence.aac')]);
    const cues = Buffer.from('1\n00:00:01,000 --> 00:00:02,000\nGood evening.\n\n');
    await runTool('ffmpeg', ['-f', 'srt', '-i', '-', '-c:s', 'srt', at('titled.mkv')], cues);
    sources = {
      ...{ path, description: await probe(runner, path, { maxPixels: 1e7 }, signal), titled: at('titled.mkv') },
      ...{ keyframes: at('all.h264'), picture: at('slate.png'), packets: at('silence.aac') },
    };
  });
  after(async () => {
    await disk?.remove();
    if (kept) await rm(kept, { recursive: true });
  });

  const kinds = Object.entries(writers).map(([name, write]) => ({ name, write }));
  for (const { name: kind, write } of rowsOf(kinds, ['audio', 'a poster of audio', 'a chunk'])) {
    it(`makes the writer of ${kind} wait if it becomes full at any byte`, async () => {
      const work = async (): Promise<number | string> => {
        const folder = await mkdtemp(join(disk?.folder ?? '', 'work-'));
        try {
          await write(folder, sources);
          return await bytesIn(folder);
        } catch (error) {
          if (!(error instanceof MachineError)) throw error;
          return error.code;
        } finally {
          await rm(folder, { recursive: true });
        }
      };
      await disk?.empty().catch(() => {});
      const bytes = await work();
      expect(bytes).to.be.greaterThan(0);
      for (const share of [0, 0.3, 0.7, 0.97]) {
        await disk?.fill(Math.floor(Number(bytes) * share));
        expect(await work(), `${share} of ${bytes} bytes`).to.equal('ENOSPC');
        await disk?.empty();
      }
      expect(await work()).to.equal(bytes);
    });
  }
});

describe('a content whose worker has no disk space during ingestion', function () {
  this.timeout(180_000);

  itWith(requirements.mount, 'waits and becomes READY with all of its audio', async () => {
    const ctx = await openTestContext({ QUICK_GENERATION: 'false' });
    let disk: SmallDisk | undefined;
    try {
      await mkdir(workFolder(ctx.config), { recursive: true });
      disk = await mountSmallDisk(16 * megabyte, workFolder(ctx.config));
      await disk.fill(48 * 1024);
      const contentId = await uploadClip(ctx, (await makeUser(ctx)).id, await film());
      const workers = await startWorkers(ctx, { queues: ['ingestion', 'transcoding', 'transcoding-status'] });
      try {
        await eventually(
          async () => {
            const rows = await ctx.db.rows<{ returns: number }>(
              `SELECT returns FROM contents WHERE id = $contentId
               UNION ALL SELECT returns FROM chunks WHERE content_id = $contentId`,
              { contentId },
            );
            expect(rows.some(({ returns }) => returns > 0)).to.equal(true);
          },
          { timeoutMs: 60_000 },
        );
        await disk.empty();
        const content = await eventually(() => settledContent(ctx, contentId), { timeoutMs: 90_000 });
        expect([content.state, content.hasAudio, content.failureKey]).to.deep.equal(['READY', true, null]);
        const media = await joinRendition(ctx, generationFolder(content, 1), ladder()[0]?.name ?? '');
        expect((await audioStarts(media)).map(Math.round)).to.deep.equal([3, 7, 11]);
      } finally {
        await workers.close();
      }
    } finally {
      await disk?.remove();
      await ctx.close();
    }
  });
});
