import { expect } from 'chai';
import { findContent } from '../../shared/content/content.queries.js';
import { ingestContentHandler } from '../../workers/ingestion/ingestContent.js';
import { createWorkerContext } from '../../workers/runtime/workerContext.js';
import { openTestContext } from '../support/context.js';
import { useFixture } from '../support/fixtures.js';
import { makeClip, uploadClip, noisyTone } from '../support/media.js';
import { makeUser } from '../support/users.js';

const seconds = 64;
const still = `color=c=navy:s=1280x720:r=10:d=${seconds}`;
/** Like slides: a box of another size every four seconds. */
const slides = `${still},drawbox=x=100:y=100:w='100+60*mod(floor(t/4),8)':h=300:color=white:t=fill`;
/** The same with a part that moves, from its middle on. */
const moving = `${slides},noise=alls=40:allf=t:enable='gt(t,${seconds / 2})'`;

describe('the renditions of a film', function () {
  this.timeout(60_000);
  const ctx = useFixture(() => openTestContext({ QUICK_GENERATION: 'false' }));
  const owner = useFixture(() => makeUser(ctx));

  async function planned(source: string, audio: readonly string[] = []): Promise<string[]> {
    const video = ['-f', 'lavfi', '-i', source, '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
    const contentId = await uploadClip(ctx, owner.id, await makeClip('mp4', [...(audio.length > 0 ? audio : video)]));
    await ingestContentHandler({
      ...{ ctx: createWorkerContext(ctx), log: ctx.log, payload: { contentId }, signal: new AbortController().signal },
      ...{ attempt: 1, isLastAttempt: true, reportProgress: () => {} },
    });
    return (await findContent(ctx, contentId))?.plan?.renditions.map(({ name }) => name) ?? [];
  }

  it('are the lowest and the highest one where all of it needs few bits', async () => {
    expect(await planned(slides)).to.deep.equal(['240p', '720p']);
  });

  it('are all of them where a part of it needs more, or it is short', async () => {
    expect(await planned(moving)).to.deep.equal(['240p', '360p', '480p', '720p']);
    expect(await planned(slides.replace(`d=${seconds}`, 'd=20'))).to.deep.equal(['240p', '360p', '480p', '720p']);
  });

  it('are two of audio without video', async () => {
    const tone = ['-f', 'lavfi', '-i', noisyTone(seconds), '-c:a', 'aac'];
    expect(await planned('', tone)).to.deep.equal(['240p', '720p']);
  });
});
