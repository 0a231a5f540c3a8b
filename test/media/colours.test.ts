import { createReadStream } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { barColours, colourBars, colourDifference, colourTags, shownColours } from './colourBars.js';
import { copyDirectly } from '../support/directCopy.js';
import { directTranscoding } from '../support/directTranscoding.js';
import { makeClip } from '../support/media.js';
import { rowsOf } from '../support/requirements.js';

const bt709 = { range: 'tv', matrix: 'bt709', primaries: 'bt709', transfer: 'bt709' };
const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '6', '-g', '50'];
const inMatrix = (matrix: string, range = 'tv', format = 'yuv420p'): string[] => [
  ...['-vf', `scale=out_color_matrix=${matrix}:out_range=${range}:flags=accurate_rnd+full_chroma_int`],
  ...['-pix_fmt', format],
];

interface ColourCase {
  readonly name: string;
  readonly clip: () => Promise<string>;
  /** The matrix of its copy, or null if it is not copied. */
  readonly copied: string | null;
}

const colourCases: readonly ColourCase[] = [
  {
    name: 'RGB of an animation',
    clip: () => makeClip('mov', [...colourBars(), '-c:v', 'qtrle', '-pix_fmt', 'rgb24']),
    copied: null,
  },
  { name: 'a GIF', clip: () => makeClip('gif', [...colourBars('320x180', '10'), '-c:v', 'gif']), copied: null },
  {
    name: 'standard definition without tags in MPEG-2',
    clip: () => makeClip('mpg', [...colourBars(), ...inMatrix('bt601'), '-c:v', 'mpeg2video', '-q:v', '2']),
    copied: null,
  },
  {
    name: 'standard definition without tags in H.264',
    clip: () => makeClip('mp4', [...colourBars(), ...inMatrix('bt601'), ...x264]),
    copied: 'smpte170m',
  },
  {
    name: 'standard definition without tags in a transport stream',
    clip: () => makeClip('ts', [...colourBars(), ...inMatrix('bt601'), ...x264]),
    copied: 'smpte170m',
  },
  {
    name: 'high definition without tags',
    clip: () => makeClip('mp4', [...colourBars('1280x720', '25', 1), ...inMatrix('bt709'), ...x264]),
    copied: 'bt709',
  },
  {
    name: 'high definition that says BT.601',
    clip: () =>
      makeClip('mkv', [...colourBars('1280x720', '25', 1), ...inMatrix('bt601'), ...x264, '-colorspace', 'smpte170m']),
    copied: 'smpte170m',
  },
  {
    name: 'standard definition that says BT.709, in full range',
    clip: () =>
      makeClip('mp4', [...colourBars(), ...inMatrix('bt709', 'pc', 'yuvj420p'), ...x264, '-colorspace', 'bt709']),
    copied: 'bt709',
  },
];

const everyRun = [
  'RGB of an animation',
  'standard definition without tags in H.264',
  'standard definition that says BT.709, in full range',
];

describe('The colors of a film', function () {
  this.timeout(60_000);
  const direct = directTranscoding();

  /** The copy of a file in the quick generation, or null if it is not copied. */
  async function copyOf(path: string): Promise<Buffer | null> {
    const sourceKey = 'sources/colours/original';
    const { bytes } = await direct.ctx.storage.put(sourceKey, createReadStream(path), { contentType: 'video/mp4' });
    const folder = await mkdtemp(join(process.env['TEST_RUN_DIR'] ?? tmpdir(), 'colours-'));
    try {
      const { outcome, media } = await copyDirectly(direct.ctx, folder, { sourceKey, sourceBytes: bytes });
      return outcome === 'copied' ? media : null;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  for (const { name, clip, copied } of rowsOf(colourCases, everyRun)) {
    it(`stay the same in every generation and in the thumbnail: ${name}`, async () => {
      const path = await clip();
      const { media, thumbnail } = await direct.transcode(path);
      expect(await colourTags(media)).to.deep.equal(bt709);
      expect(colourDifference(await shownColours(media), barColours), 'encoded').to.be.below(10);
      const image = await readFile(direct.ctx.storage.localPath(thumbnail.storageKey) as string);
      expect(colourDifference(await shownColours(image), barColours), 'thumbnail').to.be.below(10);
      const copy = await copyOf(path);
      expect(copy && (await colourTags(copy)).matrix).to.equal(copied);
      if (copy) expect(colourDifference(await shownColours(copy), barColours), 'copied').to.be.below(10);
    });
  }

  it('keep the declared primaries and transfer function, which browsers convert', async () => {
    const tags = ['-colorspace', 'smpte170m', '-color_primaries', 'smpte170m', '-color_trc', 'smpte170m'];
    const { media } = await direct.transcode(
      await makeClip('mp4', [...colourBars(), ...inMatrix('bt601'), ...x264, ...tags]),
    );
    expect(await colourTags(media)).to.deep.equal({ ...bt709, primaries: 'smpte170m', transfer: 'smpte170m' });
  });

  /** Signals of 203 cd/m2, which is SDR white (ITU-R BT.2408), of gray 128 at that white, of 1,000 cd/m2, and of black. */
  const signals = [
    { name: 'smpte2084', levels: [0.5807, 0.4165, 0.7518, 0] },
    { name: 'arib-std-b67', levels: [0.75, 0.4474, 1, 0] },
  ];
  for (const { name: transfer, levels } of rowsOf(signals, ['smpte2084'])) {
    it(`are as bright as in SDR if the source is HDR: ${transfer}`, async () => {
      const luma = levels.map((level, at) => `gte(X,${at}*W/4)*lt(X,${at + 1}*W/4)*${Math.round(64 + 876 * level)}`);
      const picture = `nullsrc=s=320x180:r=10:d=1,format=yuv420p10le,geq=lum='${luma.join('+')}':cb=512:cr=512`;
      const coding = ['-c:v', 'libx265', '-preset', 'ultrafast', '-tag:v', 'hvc1'];
      const colours = `log-level=none:qp=6:colorprim=bt2020:transfer=${transfer}:colormatrix=bt2020nc:range=limited`;
      const { media, thumbnail } = await direct.transcode(
        await makeClip('mp4', ['-f', 'lavfi', '-i', picture, ...coding, '-x265-params', colours]),
      );
      expect(await colourTags(media)).to.deep.equal(bt709);
      const image = await readFile(direct.ctx.storage.localPath(thumbnail.storageKey) as string);
      for (const shown of [await shownColours(media), await shownColours(image)]) {
        const [white, grey, highlight, black] = shown.map(([red, green, blue]) => {
          expect(Math.max(red ?? 0, green ?? 0, blue ?? 0) - Math.min(red ?? 0, green ?? 0, blue ?? 0)).to.be.below(4);
          return green;
        });
        expect(white, 'SDR white').to.be.within(228, 245);
        expect(grey, 'grey 128').to.be.closeTo(128, 6);
        expect(highlight, 'brighter than white').to.be.above(248);
        expect(black, 'black').to.be.below(4);
      }
    });
  }
});
