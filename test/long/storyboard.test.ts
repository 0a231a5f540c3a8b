import { expect } from 'chai';
import sharp from 'sharp';
import { Content } from '../../shared/content/content.model.js';
import { contentFolder } from '../../shared/content/storageKeys.js';
import { sheetName, tilesPerSheet } from '../../shared/content/storyboard.js';
import { eventually } from '../support/eventually.js';
import { makeClip, readStored } from '../support/media.js';
import { mediaFixture } from '../support/mediaFixture.js';

const hours = 12;
/** Its brightness says which tenth of an hour it is. Frames of one second, keyframes of ten. */
const film = [
  ...['-f', 'lavfi', '-i', `nullsrc=s=64x36:r=1:d=${hours * 3600},geq=lum='30+floor(T/360)':cb=128:cr=128`],
  ...['-f', 'lavfi', '-i', `anullsrc=r=48000:d=${hours * 3600}`, '-shortest', '-c:a', 'aac', '-b:a', '8k'],
  ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '10'],
];

describe('The storyboard of twelve hours', function () {
  this.timeout(600_000);
  const media = mediaFixture({ QUICK_GENERATION: 'true' });

  it('has 500 tiles, each of its time', async () => {
    const { id } = await media.make(await makeClip('mp4', film));
    const begun = performance.now();
    const content = await eventually(
      async () => {
        const row = await media.ctx.db.model(Content).findByPk(id, { rejectOnEmpty: true });
        if (!row.storyboard) throw new Error('no storyboard yet');
        return { ...row, storyboard: row.storyboard };
      },
      { timeoutMs: 60_000 },
    );
    expect((performance.now() - begun) / 1000).to.be.below(60);
    const { folder, tileCount, tileWidth, tileHeight, intervalSeconds } = content.storyboard;
    expect([tileCount, intervalSeconds]).to.deep.equal([497, 87]);
    for (let tile = 0; tile < tileCount; tile += 1) {
      const name = sheetName(Math.floor(tile / tilesPerSheet));
      const sheet = await readStored(media.ctx, `${contentFolder(content)}/${folder}/${name}`);
      const place = tile % tilesPerSheet;
      const area = { left: (place % 10) * tileWidth, top: Math.floor(place / 10) * tileHeight };
      const picture = sharp(sheet).extract({ ...area, width: tileWidth, height: tileHeight });
      const luma = await picture.greyscale().raw().toBuffer();
      const mean = luma.reduce((sum, value) => sum + value, 0) / luma.length;
      const tenth = (mean * 219) / 255 + 16 - 30;
      expect(tenth, `tile ${tile}`).to.be.closeTo(Math.floor((tile * intervalSeconds) / 360), 1.5);
    }
  });
});
