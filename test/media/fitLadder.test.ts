import { expect } from 'chai';
import { findContent } from '../../shared/content/content.queries.js';
import { ingestContentHandler } from '../../workers/ingestion/ingestContent.js';
import { openTestContext } from '../support/context.js';
import { useFixture } from '../support/fixtures.js';
import { makeClip, uploadClip, noisyTone } from '../support/media.js';
import { makeUser } from '../support/users.js';
import { rowsOf } from '../support/requirements.js';
import { jobRunOf } from '../support/workers.js';

const seconds = 64;
const still = `color=c=navy:s=1280x720:r=10:d=${seconds}`;
/** Slides: a box of another size every four seconds. */
const slides = `${still},drawbox=x=100:y=100:w='100+60*mod(floor(t/4),8)':h=300:color=white:t=fill`;
/** The same with a moving part in its second half. */
const moving = `${slides},noise=alls=40:allf=t:enable='gt(t,${seconds / 2})'`;

describe('the renditions of a film', function () {
  this.timeout(60_000);
  const ctx = useFixture(() => openTestContext({ QUICK_GENERATION: 'false' }));
  const owner = useFixture(() => makeUser(ctx));

  const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
  async function planned(source: string, coding: readonly string[] = h264): Promise<string[]> {
    const contentId = await uploadClip(ctx, owner.id, await makeClip('mp4', ['-f', 'lavfi', '-i', source, ...coding]));
    await ingestContentHandler(jobRunOf(ctx, { contentId }));
    return (await findContent(ctx, contentId))?.plan?.renditions.map(({ name }) => name) ?? [];
  }

  const [outer, all] = [
    ['240p', '720p'],
    ['240p', '360p', '480p', '720p'],
  ];
  const films = [
    { name: 'all of it needs few bits', source: slides, renditions: outer },
    { name: 'a part of it needs more bits', source: moving, renditions: all },
    { name: 'it is short', source: slides.replace(`d=${seconds}`, 'd=20'), renditions: all },
    { name: 'it has only audio', source: noisyTone(seconds), audio: ['-c:a', 'aac'], renditions: outer },
  ];
  for (const { name, source, audio, renditions } of rowsOf(films, ['all of it needs few bits', 'it is short']))
    it(`are ${renditions?.join(', ')} if ${name}`, async () => {
      expect(await planned(source, audio)).to.deep.equal(renditions);
    });
});
