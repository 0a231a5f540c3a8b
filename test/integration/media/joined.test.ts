import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Content } from '../../../shared/content/content.model.js';
import { generationFolder } from '../../../shared/content/layout.js';
import { brightnesses, joinRendition, makeClip, audioStarts } from '../../support/media.js';
import { mediaStage } from '../../support/mediaStage.js';

const seconds = 4;
const rate = 25;
/** Each part flashes and beeps here. */
const signAt = 2;
const sign = `between(t,${signAt},${signAt + 0.3})`;
const pictures = [
  ...[
    '-f',
    'lavfi',
    '-i',
    `nullsrc=s=160x90:r=${rate}:d=${seconds},geq=lum='16+200*${sign.replace('(t', '(T')}':cb=128:cr=128`,
  ],
];
const audio = ['-f', 'lavfi', '-i', `aevalsrc='0.7*sin(6000*t)*${sign}':d=${seconds}:s=48000`];
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '2', '-g', '25', '-pix_fmt', 'yuv420p'];

async function clip(extension: string, options: readonly string[]): Promise<Buffer> {
  return readFile(await makeClip(extension, options));
}

/** A recording of a transport stream, made with these options of the muxer. */
function recording(...muxing: string[]): Promise<Buffer> {
  return clip('ts', [...pictures, ...audio, ...h264, '-c:a', 'mp2', ...muxing]);
}

const otherIds = ['-streamid', '0:600', '-streamid', '1:601'];
const audioFirst = ['-map', '1', '-map', '0', '-streamid', '0:700', '-streamid', '1:701'];

interface Joined {
  readonly name: string;
  readonly parts: () => Promise<Buffer>[];
  /** Parts in which nothing is heard. */
  readonly silent?: number;
}

const joined: readonly Joined[] = [
  {
    name: 'whose clock jumps ahead by an hour, and back again by some seconds',
    parts: () => [recording(), recording('-output_ts_offset', '3600'), recording('-output_ts_offset', '3599')],
  },
  {
    name: 'of which each has its own streams, in another order',
    parts: () => [recording(), recording(...otherIds), recording(...audioFirst)],
  },
  {
    name: 'whose streams change while the clock goes on',
    parts: () => [recording(), recording(...otherIds, '-output_ts_offset', String(seconds))],
  },
  {
    name: 'of which the first is without sound',
    parts: () => [clip('ts', [...pictures, ...h264]), recording(), recording()],
    silent: 1,
  },
  {
    name: 'whose clock and sound begin anew',
    parts: () => [recording(), clip('ts', [...pictures, ...audio, ...h264, '-c:a', 'ac3', '-ac', '6', '-ar', '44100'])],
  },
  {
    name: 'in a program stream',
    parts: () => {
      const part = clip('mpg', [...pictures, ...audio, '-c:v', 'mpeg2video', '-bf', '2', '-c:a', 'ac3', '-f', 'dvd']);
      return [part, part];
    },
  },
];

describe('films joined of recordings', function () {
  this.timeout(60_000);
  const stage = mediaStage();

  async function make(parts: Promise<Buffer>[]): Promise<{ content: Content; media: Buffer }> {
    const content = await stage.make(Buffer.concat(await Promise.all(parts)));
    return {
      content,
      media: await joinRendition(stage.ctx, generationFolder(content.id, 1), content.plan?.renditions[0]?.name ?? ''),
    };
  }

  async function flashes(media: Buffer): Promise<number[]> {
    const isBright = (await brightnesses(media)).map((value) => value > 120);
    return isBright.flatMap((is, frame) => (is && !isBright[frame - 1] ? frame / rate : []));
  }

  for (const { name, parts, silent = 0 } of joined) {
    it(`are whole, with pictures and sound together: ${name}`, async () => {
      const { content, media } = await make(parts());
      const count = parts().length;
      expect(Number(content.durationMs) / 1000).to.be.closeTo(count * seconds, 0.1 * count);
      const [seen, heard] = [await flashes(media), await audioStarts(media)];
      expect(seen).to.have.length(count);
      expect(heard).to.have.length(count - silent);
      seen.forEach((at, index) =>
        expect(at, `flash ${index}`).to.be.closeTo(index * seconds + signAt, 0.1 * (index + 1)),
      );
      heard.forEach((at, index) => expect(at - (seen[index + silent] ?? 0), `beep ${index}`).to.be.closeTo(0, 0.05));
    });
  }

  it('are whole, where there is sound alone', async () => {
    const { content, media } = await make([1, 2].map(() => clip('ts', [...audio, '-c:a', 'mp2'])));
    expect(Number(content.durationMs) / 1000).to.be.closeTo(2 * seconds, 0.2);
    expect(await audioStarts(media)).to.have.length(2);
  });

  it('are refused, where the pictures cannot be one film', async () => {
    const other = clip('ts', [...pictures, ...audio, '-c:v', 'mpeg2video', '-c:a', 'mp2']);
    const content = await stage.settle(Buffer.concat(await Promise.all([recording(), other])));
    expect(content).to.include({ state: 'FAILED', failureKey: 'content.failure.unsupported' });
  });

  it('are refused, where there are more parts than any recording has', async () => {
    const part = await clip('ts', [...audio, '-t', '1', '-c:a', 'mp2']);
    const content = await stage.settle(Buffer.concat(Array.from({ length: 201 }, () => part)));
    expect(content).to.include({ state: 'FAILED', failureKey: 'content.failure.unreadable' });
  });
});
