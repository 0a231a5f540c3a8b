import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { ChunkRecord } from '../../../shared/content/chunk.model.js';
import { Content } from '../../../shared/content/content.model.js';
import { contentFolder, generationFolder, newFolder } from '../../../shared/content/storageKeys.js';
import type { Context } from '../../../shared/platform/context.js';
import { createWorkerContext } from '../../../workers/runtime/workerContext.js';
import { cleanContentHandler } from '../../../workers/transcoding-status/cleanContent.js';
import { beginGeneration, seedBoxItem } from '../../support/contents.js';
import { storedKeys } from '../../support/media.js';
import { sharedService } from '../../support/service.js';
import { createUser } from '../../support/users.js';

describe('content.clean', () => {
  it('keeps the files and rows of a generation that begins while it runs', async () => {
    const { ctx } = await sharedService();
    const { contentId } = await seedBoxItem(ctx, await createUser(ctx));
    const folder = newFolder(contentId);
    await ctx.db.model(Content).update({ folder }, { where: { id: contentId } });
    const content = { id: contentId, folder };
    const put = (key: string) => ctx.storage.put(key, Buffer.from('x'), { contentType: 'video/mp4' });
    const needed = [
      `${generationFolder(content, 1)}/master.m3u8`,
      `${generationFolder(content, 2)}/c0-a1/240p/00000.m4s`,
      `${contentFolder(content)}/making-g2/${randomUUID()}/audio.aac`,
    ];
    const obsolete = [`${generationFolder(content, 1)}/c0-a1/240p/00000.m4s`, `${contentFolder(content)}/making-g1/x`];
    for (const key of [...needed.slice(0, 1), ...obsolete]) await put(key);
    /** Starts the next generation at the first listing of files, after the rows were read. */
    const listing: Context['storage']['list'] = async function* list(prefix) {
      await beginGeneration(ctx, contentId);
      for (const key of needed.slice(1)) await put(key);
      await ctx.db
        .model(ChunkRecord)
        .create({ contentId, generation: 2, position: 0, state: 'PENDING', priority: 1, updatedAt: ctx.clock.now() });
      yield* ctx.storage.list(prefix);
    };
    const worker = createWorkerContext({ ...ctx, storage: { ...ctx.storage, list: listing } });
    const run = {
      ctx: worker,
      log: ctx.log,
      payload: { contentId },
      signal: new AbortController().signal,
      attempt: 1,
      isLastAttempt: true,
      reportProgress: () => {},
    };
    expect(await cleanContentHandler(run)).to.deep.equal({ removed: obsolete.length });
    expect((await storedKeys(ctx, contentFolder(content))).toSorted()).to.deep.equal(needed.toSorted());
    expect(await ctx.db.model(ChunkRecord).findAll({ where: { contentId } })).to.have.length(1);
  });
});
