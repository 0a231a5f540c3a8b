import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { Content } from '../../shared/content/content.model.js';
import { recordMediaSeconds } from '../../shared/license/mediaMinutes.service.js';
import { contentFolder, generationFolder } from '../../shared/content/storageKeys.js';
import { openTestContext } from '../support/context.js';
import { eventually } from '../support/eventually.js';
import { joinRendition, makeVideo, packetsOf, settledContent, storedKeys, uploadClip } from '../support/media.js';
import { startS3 } from '../support/s3.js';
import { startWorkers } from '../support/workers.js';
import { makeUser } from '../support/users.js';
import { useFixture } from '../support/fixtures.js';
import { ChunkRecord } from '../../shared/content/chunk.model.js';
import { changeRows } from '../support/rows.js';

describe('a content in an object store', function () {
  this.timeout(60_000);
  const store = useFixture(startS3);
  const ctx = useFixture(() => openTestContext({ CHUNK_SECONDS: '4', ...store.env }));

  it('is downloaded, transcoded and stored there, with only the source cached on the local disk', async () => {
    const owner = await makeUser(ctx);
    const workers = await startWorkers(ctx, { queues: ['ingestion', 'transcoding', 'transcoding-status'] });
    try {
      const id = await uploadClip(ctx, owner.id, await makeVideo({ seconds: 9, size: '320x180' }));
      const content = await eventually(() => settledContent(ctx, id), { timeoutMs: 50_000 });
      expect(content.state, content.failureDetail ?? '').to.equal('READY');
      expect(content.plan?.chunkCount).to.equal(3);
      expect(await packetsOf(await joinRendition(ctx, generationFolder(content, 1), '240p'), 'v')).to.have.length(225);
      await eventually(async () =>
        expect((await storedKeys(ctx, contentFolder(content))).filter((key) => key.includes('/making-'))).to.deep.equal(
          [],
        ),
      );
      const root = join(ctx.config.dataDir, 'media');
      await eventually(async () => {
        const kept = (await Promise.all((await readdir(root)).map((name) => readdir(join(root, name))))).flat();
        expect(kept.filter((name) => !name.startsWith('source-'))).to.deep.equal([]);
        expect(kept.length).to.be.at.most(1);
      });
    } finally {
      await workers.close();
    }
  });
});

describe('the chunk priority in the queue', function () {
  this.timeout(60_000);

  it('starts a clip of another owner before a video’s remaining chunks, and a clip of the same owner after them', async () => {
    const ctx = await openTestContext({ CHUNK_SECONDS: '4' });
    const workers = await startWorkers(ctx, { queues: ['ingestion'] });
    try {
      const [first, second] = [await makeUser(ctx), await makeUser(ctx)];
      const planned = async (ownerId: string, seconds: number): Promise<number[]> => {
        const id = await uploadClip(ctx, ownerId, await makeVideo({ seconds, size: '64x64' }));
        await eventually(async () => expect((await ctx.db.model(Content).findByPk(id))?.plan).not.to.equal(null), {
          timeoutMs: 20_000,
        });
        const rows = await ctx.db.rows<{ priority: number }>(
          'SELECT priority FROM chunks WHERE content_id = $id ORDER BY position',
          { id },
        );
        return rows.map(({ priority }) => priority);
      };
      expect(await planned(first.id, 12)).to.deep.equal([1, 2, 3]);
      await changeRows(ctx, ChunkRecord, { priority: 1 }, { state: 'DONE' });
      expect(await planned(second.id, 4)).to.deep.equal([2]);
      expect(await planned(first.id, 8)).to.deep.equal([4, 5]);
      expect(await planned(second.id, 8)).to.deep.equal([3, 4]);
      const third = await makeUser(ctx);
      await ctx.db.transaction((tx) => recordMediaSeconds(ctx, tx, third.id, 3000 * 60));
      expect(await planned(third.id, 8), 'beyond the media minutes of the plan').to.deep.equal([1_000_000, 1_000_001]);
      expect(await planned(first.id, 4)).to.deep.equal([6]);
      await ctx.db.transaction((tx) => recordMediaSeconds(ctx, tx, third.id, 3000 * 60));
      const id = await uploadClip(ctx, third.id, await makeVideo({ seconds: 4, size: '64x64' }));
      expect(await eventually(() => settledContent(ctx, id), { timeoutMs: 20_000 }), 'far beyond them').to.include({
        state: 'FAILED',
        failureKey: 'content.failure.mediaMinutes',
      });
    } finally {
      await workers.close();
      await ctx.close();
    }
  });
});
