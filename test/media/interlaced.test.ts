import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { CopyOutcome } from '../support/directCopy.js';
import { directTranscoding } from '../support/directTranscoding.js';
import { makeClip, runTool } from '../support/media.js';
import { rowsOf } from '../support/requirements.js';

const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
const mpeg2 = ['-c:v', 'mpeg2video', '-q:v', '3', '-pix_fmt', 'yuv420p'];

/** A second of progressive video. */
const spot = (coding: readonly string[]): Promise<string> =>
  makeClip('ts', ['-f', 'lavfi', '-i', 'color=gray:s=320x180:r=25:d=1', ...coding, '-g', '25']);

/** A white bar that moves with every field: without deinterlacing, its edges show combing. */
const movingBar = (coding: readonly string[]): Promise<string> =>
  makeClip('ts', [
    ...['-f', 'lavfi', '-i', 'color=gray:s=320x180:r=50:d=2', '-f', 'lavfi', '-i', 'color=white:s=40x180:r=50:d=2'],
    ...['-filter_complex', "[0][1]overlay=x='mod(n*12,320)':eval=frame,interlace=scan=tff:lowpass=0"],
    ...[...coding, '-flags', '+ildct+ilme', '-g', '25'],
  ]);

const interlacedH264 = [...h264, '-x264-params', 'tff=1'];

/** Both in sequence, like a broadcast that begins with a commercial. */
async function spotThenBar(
  extension: string,
  progressive: readonly string[],
  coding: readonly string[],
): Promise<string> {
  const [first, second] = await Promise.all([spot(progressive), movingBar(coding)]);
  return makeClip(extension, ['-i', `concat:${first}|${second}`, '-c', 'copy']);
}

interface InterlacedCase {
  readonly name: string;
  readonly clip: () => Promise<string>;
  readonly copy: CopyOutcome;
}

const interlacedCases: readonly InterlacedCase[] = [
  { name: 'H.264 in a transport stream', clip: () => movingBar(interlacedH264), copy: 'interlaced' },
  {
    name: 'H.264 that begins progressive, in a transport stream',
    clip: () => spotThenBar('ts', h264, interlacedH264),
    copy: 'parameterSets',
  },
  {
    name: 'H.264 that begins progressive, in Matroska',
    clip: () => spotThenBar('mkv', h264, interlacedH264),
    copy: 'parameterSets',
  },
  {
    name: 'H.264 that begins progressive, in MP4',
    clip: () => spotThenBar('mp4', h264, interlacedH264),
    copy: 'parameterSets',
  },
  {
    name: 'MPEG-2 that begins progressive, in a transport stream',
    clip: () => spotThenBar('ts', mpeg2, mpeg2),
    copy: 'codec',
  },
];

/** The fraction of pixels that clearly differ from those above and below, over all frames. */
async function combedShare(media: Buffer, size: { readonly width: number; readonly height: number }): Promise<number> {
  const printed = await runTool(
    'ffmpeg',
    ['-i', '-', '-map', '0:v:0', '-f', 'rawvideo', '-pix_fmt', 'gray', '-'],
    media,
  );
  const pixels = Buffer.from(printed, 'latin1');
  let combed = 0;
  for (let at = size.width; at < pixels.length - size.width; at += 1) {
    const [above, pixel, below] = [at - size.width, at, at + size.width].map((place) => pixels[place] ?? 0) as [
      number,
      number,
      number,
    ];
    if (Math.abs(pixel - above) > 40 && Math.abs(pixel - below) > 40) combed += 1;
  }
  expect(Math.max(...pixels.subarray(-size.width * size.height)), 'the bar').to.be.above(200);
  return combed / pixels.length;
}

describe('Interlaced video without combing:', function () {
  this.timeout(60_000);
  const direct = directTranscoding();

  for (const { name, clip, copy } of rowsOf(interlacedCases, [
    'H.264 that begins progressive, in a transport stream',
  ])) {
    it(name, async () => {
      const { media, plan, thumbnail, ...prepared } = await direct.transcode(await clip(), 'highest');
      expect(prepared.copy).to.equal(copy);
      const size = plan.renditions.at(-1) ?? { width: 0, height: 0 };
      expect(await combedShare(media, size)).to.be.below(0.0005);
      const image = await readFile(direct.ctx.storage.localPath(thumbnail.storageKey) as string);
      expect(await combedShare(image, thumbnail), 'thumbnail').to.be.below(0.0005);
    });
  }
});
