import { expect } from 'chai';
import type { Content } from '../../shared/content/content.model.js';
import { findContent } from '../../shared/content/content.queries.js';
import { generationFolder } from '../../shared/content/storageKeys.js';
import { eventually } from '../support/eventually.js';
import { expectSameFrames } from '../support/directCopy.js';
import {
  joinRendition,
  listedFiles,
  makeClip,
  packetsOf,
  readStored,
  storedKeys,
  noisyTone,
} from '../support/media.js';
import { expectKnownSizes } from '../support/rows.js';
import { mediaFixture } from '../support/mediaFixture.js';
import { rowsOf } from '../support/requirements.js';

const seconds = 21;
const keyframesEach = (frames: number): string[] => [
  ...['-g', String(frames), '-keyint_min', String(frames), '-sc_threshold', '0'],
];

/** 25 frames per second with reordered frames. */
const film = (coding: readonly string[], size = '640x360'): Promise<string> =>
  makeClip('mp4', [
    ...['-f', 'lavfi', '-i', `testsrc2=s=${size}:r=25:d=${seconds}`, '-f', 'lavfi', '-i', noisyTone(seconds)],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', '-c:a', 'aac', ...coding],
  ]);

describe('the highest rendition of a full generation', function () {
  this.timeout(120_000);
  const media = mediaFixture({ QUICK_GENERATION: 'true' });

  async function complete(path: string): Promise<Content> {
    const { id } = await media.make(path);
    return eventually(
      async () => {
        const content = await findContent(media.ctx, id);
        if (!content?.readyGrid) throw new Error(content?.failureDetail ?? 'not complete');
        return content;
      },
      { timeoutMs: 100_000 },
    );
  }

  it('is the copy, frame by frame, if the source’s keyframes match the grid', async () => {
    const path = await film(keyframesEach(50));
    const content = await complete(path);
    expect([content.readyGeneration, content.plan?.copied?.name]).to.deep.equal([2, '360p']);
    const [copied, full] = [generationFolder(content, 1), generationFolder(content, 2)];
    await expectKnownSizes(media.ctx, copied);
    await expectKnownSizes(media.ctx, full);
    const before = await listedFiles(media.ctx, copied, `360p-a1.m3u8`);
    const after = await listedFiles(media.ctx, full, '360p.m3u8');
    const lower = await listedFiles(media.ctx, full, '240p.m3u8');
    expect(after.media.map((file, index) => file.equals(before.media[index] as Buffer))).to.deep.equal(
      after.media.map(() => true),
    );
    expect(after.segments.map(({ duration }) => duration)).to.deep.equal(
      lower.segments.map(({ duration }) => duration),
    );
    const highest = await joinRendition(media.ctx, full, '360p');
    await expectSameFrames(path, highest, 0);
    // The same frames in both renditions, at the same times.
    const timesOf = async (rendition: string) =>
      (await packetsOf(await joinRendition(media.ctx, full, rendition), 'v'))
        .map(({ pts }) => pts)
        .toSorted((one, other) => one - other);
    const [highestTimes, lowestTimes] = [await timesOf('360p'), await timesOf('240p')];
    expect(highestTimes.length).to.equal(seconds * 25);
    expect(lowestTimes.length).to.equal(highestTimes.length);
    const master = (await readStored(media.ctx, `${full}/master.m3u8`)).toString();
    expect(master).to.include('\n360p.m3u8').and.include('\n240p.m3u8');
    // No keyframe is at the end of a preview.
    const preview = (await readStored(media.ctx, `${full}/preview/master.m3u8`)).toString();
    expect(preview).to.include('\n240p.m3u8').and.not.include('360p');
    const keys = await storedKeys(media.ctx, `${full}/preview`);
    expect(keys.filter((key) => key.includes('360p'))).to.deep.equal([]);
  });

  const ownRate = ['-vf', "select='not(eq(mod(n,7),3))'", '-fps_mode', 'vfr'];
  const notCopied = [
    { name: 'other keyframes', source: () => film(keyframesEach(60)) },
    { name: 'its own size', source: () => film(keyframesEach(50), '704x396') },
    { name: 'its own frame rate', source: () => film([...ownRate, ...keyframesEach(50)]) },
  ];
  for (const { name, source } of rowsOf(notCopied, ['its own frame rate']))
    it(`is encoded if the source has ${name}`, async () => {
      expect((await complete(await source())).plan?.copied).to.equal(undefined);
    });
});
