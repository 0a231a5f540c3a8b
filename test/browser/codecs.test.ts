import { expect } from 'chai';
import { registerUser } from '../support/api.js';
import { browserFixture } from '../support/browser.js';
import { publishFree, readyFiles } from '../support/mediaFixture.js';
import { eventually } from '../support/eventually.js';
import { makeClip, turned } from '../support/media.js';
import { playing, withPage } from '../support/playerPage.js';
import { rowsOf, describeWith, requirements } from '../support/requirements.js';
import { serviceFixture } from '../support/fixtures.js';

const seconds = 5;

/** Moving frames of any size, including odd sizes, with a tone. */
function source(size: string, rate: string, audio = ''): string[] {
  const video = `testsrc2=s=${size}:r=${rate}:d=${seconds},format=yuv444p`;
  return ['-f', 'lavfi', '-i', video, '-f', 'lavfi', '-i', `sine=f=300:r=48000:d=${seconds}${audio}`];
}

const surround = ',pan=5.1|c0=c0|c1=c0|c2=c0|c3=c0|c4=c0|c5=c0';
const tenBitHevc = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none'];

interface CodecCase {
  readonly name: string;
  readonly make: () => Promise<string>;
  /** Width and height as displayed. */
  readonly aspect: number;
}

const codecCases: readonly CodecCase[] = [
  {
    name: 'HEVC of ten bits in MOV, turned upright by its telephone, with 5.1 AAC',
    make: async () => {
      const coding = [...tenBitHevc, '-pix_fmt', 'yuv420p10le', '-tag:v', 'hvc1', '-c:a', 'aac'];
      return turned(await makeClip('mov', [...source('640x360', '25', surround), ...coding]));
    },
    aspect: 360 / 640,
  },
  {
    name: 'VP9 of a variable frame rate and an odd size in WebM, with Opus',
    make: () =>
      makeClip('webm', [
        ...source('427x241', '30'),
        ...['-vf', "select='gt(mod(n*7,10),3)'", '-fps_mode', 'vfr', '-pix_fmt', 'yuv420p'],
        ...['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-c:a', 'libopus'],
      ]),
    aspect: 427 / 241,
  },
  {
    name: 'AV1 of wide pixels in Matroska, with FLAC',
    make: () =>
      makeClip('mkv', [
        ...source('320x240', '24'),
        ...['-vf', 'setsar=4/3', '-pix_fmt', 'yuv420p', '-c:v', 'libaom-av1', '-cpu-used', '8', '-usage', 'realtime'],
        ...['-c:a', 'flac'],
      ]),
    aspect: 16 / 9,
  },
  {
    name: 'MPEG-4 of an odd size in AVI, with MP3',
    make: () =>
      makeClip('avi', [
        ...source('321x241', '30000/1001'),
        ...['-c:v', 'mpeg4', '-pix_fmt', 'yuv420p', '-c:a', 'libmp3lame'],
      ]),
    aspect: 321 / 241,
  },
];

const cases = rowsOf(codecCases, ['HEVC of ten bits in MOV, turned upright by its telephone, with 5.1 AAC']);

/** Files in common formats: uploaded, transcoded by real workers, published, and played. */
describeWith(requirements.chromium, 'videos of many codecs in a browser', function () {
  this.timeout(120_000);
  const { browser, faults } = browserFixture();
  const { ctx, api } = serviceFixture({});
  let addresses: string[];

  before(async () => {
    const user = await registerUser(api);
    const files: { path: string; title: string }[] = [];
    for (const { name, make } of cases) files.push({ title: name, path: await make() });
    const boxIds = await readyFiles(ctx, api, user, files);
    addresses = await Promise.all(boxIds.map((boxId) => publishFree(api, user, boxId)));
  });

  for (const [index, { name, aspect }] of cases.entries()) {
    it(`plays ${name}`, async () => {
      await withPage(browser, { url: addresses[index]!, options: {}, faults }, async (page, see) => {
        await page.keyboard.press('Space');
        const first = await playing(see);
        const last = await eventually(
          async () => {
            const sight = await see();
            expect(sight.at - first.at).to.be.above(2.5);
            return sight;
          },
          { timeoutMs: 30_000 },
        );
        expect(last.frames - first.frames).to.be.above(2.5 * 15);
        expect(last.duration).to.be.closeTo(seconds, 0.3);
        const [width = 0, height = 0, audioBytes = 0] = await page.evaluate<number[]>(
          `(({ videoWidth, videoHeight, webkitAudioDecodedByteCount }) =>
            [videoWidth, videoHeight, webkitAudioDecodedByteCount])(document.querySelector('video'))`,
        );
        expect(width / height).to.be.closeTo(aspect, 0.02);
        expect(audioBytes).to.be.above(1000);
      });
    });
  }
});
