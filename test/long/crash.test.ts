import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { Content } from '../../shared/content/content.model.js';
import { generationFolder } from '../../shared/content/storageKeys.js';
import { crashUploadSettings, expectReadyOnce, recoveryMs, uploadForCrash } from '../failure/crashUpload.js';
import { openDeployment, untilProgress } from '../support/deployment.js';
import { eventually } from '../support/eventually.js';
import { makeVideo, readStored, uploadClip } from '../support/media.js';
import { makeUser } from '../support/users.js';
import { useFixture } from '../support/fixtures.js';

describe('a content whose workers are killed repeatedly', function () {
  this.timeout(2 * recoveryMs);
  const deployment = useFixture(() => openDeployment(crashUploadSettings));

  it('becomes READY once', async () => {
    await deployment.start('web');
    let worker = await deployment.start('worker');
    const crashUpload = await uploadForCrash(deployment);
    for (const percent of [0, 5, 60]) {
      await untilProgress(deployment.ctx, crashUpload.uuid, percent, recoveryMs);
      await worker.end('SIGKILL');
      worker = await deployment.start('worker');
    }
    await expectReadyOnce(deployment, [crashUpload]);
  });
});

describe('a worker that is killed while it encodes a video', function () {
  this.timeout(2 * recoveryMs);
  const deployment = useFixture(() => openDeployment({ ...crashUploadSettings, QUICK_GENERATION: 'true' }));

  it('makes the quick and the full generation ready from the completed chunks', async () => {
    const { ctx } = deployment;
    const { id: ownerId } = await makeUser(ctx);
    const coding = ['-c:v', 'mpeg4', '-q:v', '4', '-c:a', 'aac'];
    const video = await makeVideo({ seconds: 36, size: '640x360', rate: '12', coding });
    const contentId = await uploadClip(ctx, ownerId, await readFile(video));
    const read = (): Promise<Content> => ctx.db.model(Content).findByPk(contentId, { rejectOnEmpty: true });
    const chunksOf = (generation: number, state: string): Promise<unknown[]> =>
      ctx.db.rows(
        `SELECT position, attempt, folder FROM chunks
          WHERE content_id = $contentId AND generation = $generation AND state = $state ORDER BY position`,
        { contentId, generation, state },
      );
    for (const [generation, chunks] of [
      [1, 5],
      [2, 9],
    ] as const) {
      const worker = await deployment.start('worker');
      await eventually(async () => expect(await chunksOf(generation, 'DONE')).to.not.be.empty, {
        timeoutMs: 60_000,
        everyMs: 20,
      });
      await worker.end('SIGKILL');
      const done = await chunksOf(generation, 'DONE');
      expect(done.length, 'killed in the middle').to.be.within(1, chunks - 1);
      expect(await read()).to.include({ generation, readyGeneration: generation === 1 ? null : 1 });

      const next = await deployment.start('worker');
      await eventually(async () => expect((await read()).readyGeneration).to.equal(generation), {
        timeoutMs: recoveryMs - 60_000,
        everyMs: 20,
      });
      const finished = await chunksOf(generation, 'DONE');
      expect(finished).to.have.length(chunks);
      expect(finished).to.deep.include.members(done);
      const { folder } = await read();
      const master = await readStored(ctx, `${generationFolder({ id: contentId, folder }, generation)}/master.m3u8`);
      expect(master.toString().match(/^[^#].*$/gm)).to.have.length(generation === 1 ? 2 : 3);
      if (generation === 1) await next.end('SIGKILL');
    }
    expect(await read()).to.include({ state: 'READY', failedGeneration: null, quick: false });
  });
});
