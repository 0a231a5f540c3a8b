import { expect } from 'chai';
import sharp from 'sharp';
import { Content } from '../../shared/content/content.model.js';
import { contentFolder } from '../../shared/content/storageKeys.js';
import { sheetName, tilesPerSheet } from '../../shared/content/storyboard.js';
import { usageOf } from '../../shared/license/usage.service.js';
import { createWorkerContext } from '../../workers/runtime/workerContext.js';
import { makeStoryboardHandler } from '../../workers/transcoding/makeStoryboard.js';
import { eventually } from '../support/eventually.js';
import { makeClip, readStored, storedKeys, noisyTone } from '../support/media.js';
import { mediaFixture } from '../support/mediaFixture.js';
import { rowsOf } from '../support/requirements.js';
import { jobRunOf } from '../support/workers.js';

/** A film whose brightness encodes the time in steps of half a second. */
const clock = (seconds: number, size = '320x180', rate = 5): string[] => [
  ...['-f', 'lavfi', '-i', `color=s=${size}:r=${rate}:d=${seconds},geq=lum='16+2*T':cb=128:cr=128`],
  ...['-f', 'lavfi', '-i', noisyTone(seconds), '-shortest', '-c:a', 'aac'],
];
const everySeconds = 2;
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', String(5 * everySeconds)];

describe('The storyboard of a content', () => {
  const media = mediaFixture({ QUICK_GENERATION: 'true' });

  const withStoryboard = (id: string): Promise<Content & { storyboard: NonNullable<Content['storyboard']> }> =>
    eventually(
      async () => {
        const content = await media.ctx.db.model(Content).findByPk(id, { rejectOnEmpty: true });
        const { storyboard } = content;
        if (!storyboard) throw new Error('no storyboard yet');
        return { ...content, storyboard };
      },
      { timeoutMs: 20_000 },
    );

  /** The second that each tile shows, from its brightness. */
  async function secondsOf(content: Awaited<ReturnType<typeof withStoryboard>>): Promise<number[]> {
    const { folder, tileCount, tileWidth, tileHeight } = content.storyboard;
    const seconds: number[] = [];
    for (let tile = 0; tile < tileCount; tile += 1) {
      const name = sheetName(Math.floor(tile / tilesPerSheet));
      const sheet = await readStored(media.ctx, `${contentFolder(content)}/${folder}/${name}`);
      expect(sheet.length).to.be.below(2 * 1024 ** 2);
      const place = tile % tilesPerSheet;
      const area = { left: (place % 10) * tileWidth, top: Math.floor(place / 10) * tileHeight };
      const tilePicture = sharp(sheet).extract({ ...area, width: tileWidth, height: tileHeight });
      const luma = await tilePicture.greyscale().raw().toBuffer();
      const mean = luma.reduce((sum, value) => sum + value, 0) / luma.length;
      // Full range: 16 to 235 is mapped to 0 to 255.
      seconds.push((mean * 219) / 255 / 2);
    }
    return seconds;
  }

  const films: readonly { name: string; extension: string; options: readonly string[] }[] = [
    { name: '1 s, copied', extension: 'mp4', options: [...clock(1), ...h264] },
    { name: '30 s, copied', extension: 'mp4', options: [...clock(30), ...h264] },
    { name: '101 s, copied', extension: 'mkv', options: [...clock(101), ...h264] },
    { name: '30 s, encoded', extension: 'avi', options: [...clock(30), '-c:v', 'mpeg4', '-q:v', '3'] },
  ];
  for (const { name, extension, options } of rowsOf(films, ['30 s, copied'])) {
    it(`has a tile of the correct group of pictures for each second: ${name}`, async () => {
      const made = await media.make(await makeClip(extension, options));
      const content = await withStoryboard(made.id);
      const { tileCount, tileWidth, tileHeight, intervalSeconds } = content.storyboard;
      expect({ tileWidth, tileHeight, intervalSeconds }).to.deep.equal({
        ...{ tileWidth: 160, tileHeight: 90, intervalSeconds: 1 },
      });
      expect(tileCount).to.equal(Math.ceil((content.durationMs ?? 0) / 1000));
      for (const [tile, seconds] of (await secondsOf(content)).entries())
        expect(seconds, `tile ${tile}`).to.be.within(tile - everySeconds - 0.6, tile + 0.8);
    });
  }

  it('is created once, counts as stored, and leaves nothing behind after a second attempt', async () => {
    const { id } = await media.make(await makeClip('mp4', [...clock(2, '90x160'), ...h264]));
    const content = await withStoryboard(id);
    const { tileWidth, tileHeight } = content.storyboard;
    expect([tileWidth, tileHeight]).to.deep.equal([90, 160]);
    expect(content.extraBytes).to.be.above(300);
    const model = media.ctx.db.model(Content);
    const worker = createWorkerContext(media.ctx);
    const run = jobRunOf(media.ctx, { contentId: id });
    expect(await makeStoryboardHandler(run)).to.deep.equal({ skipped: 'no storyboard to create' });
    await model.update({ storyboard: null }, { where: { id } });
    const { runner } = worker.media;
    const convertAfterAnother: typeof runner.convert = async (...parameters) => {
      await model.update({ storyboard: content.storyboard }, { where: { id } });
      return runner.convert(...parameters);
    };
    const slow = { ...worker, media: { ...worker.media, runner: { ...runner, convert: convertAfterAnother } } };
    const { skipped } = (await makeStoryboardHandler({ ...run, ctx: slow })) as { skipped: string };
    expect(skipped).to.match(/^another storyboard is recorded/);
    expect(await withStoryboard(id)).to.include({ extraBytes: content.extraBytes });
    // Other renditions of the owner's films may still be encoded.
    await eventually(async () => {
      const contents = await model.findAll({ where: { ownerId: content.ownerId } });
      const bytes = contents.reduce((sum, { renditionBytes, extraBytes }) => sum + renditionBytes + extraBytes, 0);
      expect((await usageOf(media.ctx, content.ownerId)).renditionBytes).to.equal(bytes);
    });
    const sheets = await storedKeys(media.ctx, contentFolder(content));
    expect(sheets.filter((key) => key.includes('storyboard'))).to.have.lengthOf(1);
  });
});
