import { expect } from 'chai';
import { contentFolder, generationFolder } from '../../../shared/content/layout.js';
import { eventually } from '../../support/eventually.js';
import { openTestContext, type TestContext } from '../../support/context.js';
import { makeFilm, makeUser, settledContent, storedKeys, uploadClip } from '../../support/media.js';
import { startWorkers } from '../../support/workers.js';

describe('making a content', function () {
  this.timeout(60_000);
  let ctx: TestContext;
  let workers: { close: () => Promise<void> };

  before(async () => {
    ctx = await openTestContext({ CHUNK_SECONDS: '4' });
    workers = await startWorkers(ctx, { queues: ['ingestion', 'transcoding', 'transcoding-status', 'mail'] });
  });

  after(async () => {
    await workers.close();
    await ctx.close();
  });

  it('makes a film of several chunks READY', async () => {
    const owner = await makeUser(ctx);
    const id = await uploadClip(ctx, owner.id, await makeFilm({ seconds: 9.3, rate: '30000/1001' }));
    const content = await eventually(() => settledContent(id), { timeoutMs: 50_000 });
    expect(content.state, content.failureDetail ?? '').to.equal('READY');
    console.log(await storedKeys(ctx, contentFolder(id)), generationFolder(id, 1));
  });
});
