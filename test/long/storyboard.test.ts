import { expect } from 'chai';
import sharp from 'sharp';
import { Content } from '../../shared/content/content.model.js';
import { contentFolder } from '../../shared/content/storageKeys.js';
import { sheetName, tilesPerSheet } from '../../shared/content/storyboard.js';
import { eventually } from '../support/eventually.js';
import { makeClip, readStored } from '../support/media.js';
import { mediaFixture } from '../support/mediaFixture.js';

const timeoutMs = 15 * 60_000;
const seconds = 12 * 3600;
/** One frame per second, with a keyframe every ten seconds. */
const groupSeconds = 10;
/** The time of a frame from the brightness of three columns, in units of 2,000 s, 100 s and half a second. */
const clock = 'if(lt(X,W/3),16+9*floor(T/2000),if(lt(X,2*W/3),16+10*floor(mod(T,2000)/100),16+2*mod(T,100)))';

describe('the storyboard of a film of twelve hours', function () {
  this.timeout(20 * 60_000);
  const media = mediaFixture({ QUICK_GENERATION: 'true' });

  it('has tiles that show their time within a group of pictures, on sheets of at most 2 MB', async () => {
    const path = await makeClip('mp4', [
      ...['-f', 'lavfi', '-i', `color=s=96x54:r=1:d=${seconds},geq=lum='${clock}':cb=128:cr=128`],
      ...['-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '4', '-g', String(groupSeconds), '-pix_fmt', 'yuv420p'],
    ]);
    const { id } = await media.make(path, timeoutMs);
    const { content, storyboard } = await eventually(
      async () => {
        const found = await media.ctx.db.model(Content).findByPk(id, { rejectOnEmpty: true });
        if (!found.storyboard) throw new Error(found.failureDetail ?? 'no storyboard yet');
        return { content: found, storyboard: found.storyboard };
      },
      { timeoutMs },
    );
    const { folder, tileCount, tileWidth, tileHeight, intervalSeconds } = storyboard;
    expect([tileCount, intervalSeconds]).to.deep.equal([Math.ceil(seconds / 87), 87]);
    for (let tile = 0; tile < tileCount; tile += 1) {
      const sheet = await readStored(
        media.ctx,
        `${contentFolder(content)}/${folder}/${sheetName(Math.floor(tile / tilesPerSheet))}`,
      );
      expect(sheet.length).to.be.below(2 * 1024 ** 2);
      const place = tile % tilesPerSheet;
      const column = async (number: number): Promise<number> => {
        const width = Math.floor(tileWidth / 3);
        const left = (place % 10) * tileWidth + number * width + Math.floor(width / 4);
        const area = {
          left,
          top: Math.floor(place / 10) * tileHeight + 10,
          width: Math.floor(width / 2),
          height: tileHeight - 20,
        };
        const luma = await sharp(sheet).extract(area).greyscale().raw().toBuffer();
        // Full range: 16 to 235 is mapped to 0 to 255.
        return ((luma.reduce((sum, value) => sum + value, 0) / luma.length) * 219) / 255;
      };
      const shown =
        Math.round((await column(0)) / 9) * 2000 + Math.round((await column(1)) / 10) * 100 + (await column(2)) / 2;
      const second = tile * intervalSeconds;
      expect(shown, `tile ${tile}`).to.be.within(second - groupSeconds - 1, second + 1);
    }
  });
});
