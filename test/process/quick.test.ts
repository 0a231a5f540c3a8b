import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { Content } from '../../shared/content/content.model.js';
import { generationFolder } from '../../shared/content/storageKeys.js';
import { openDeployment, type TestDeployment } from '../support/deployment.js';
import { eventually } from '../support/eventually.js';
import { liveCoding, makeClip, makeVideo, readStored, uploadClip } from '../support/media.js';
import { crashUploadSettings, recoveryMs } from '../support/crashUpload.js';
import { makeUser } from '../support/users.js';

/** Half an hour of small frames: some megabytes, and 450 segments to be stored. */
async function longClip(): Promise<string> {
  const minute = await makeVideo({ seconds: 60, size: '64x64', rate: '10', coding: [...liveCoding, '-g', '20'] });
  return makeClip('mp4', ['-stream_loop', '29', '-i', minute, '-c', 'copy', '-movflags', '+faststart']);
}

describe('a worker that is killed while it copies a video', function () {
  this.timeout(recoveryMs);
  let deployment: TestDeployment;
  before(async () => {
    deployment = await openDeployment({
      ...{ QUICK_GENERATION: 'true', WORKER_LOCK_SECONDS: '3', WORKER_QUEUES: 'ingestion,transcoding-status,sweeps' },
    });
  });
  after(() => deployment?.close());

  it('leaves a list that can be watched, and the next worker makes the content READY', async () => {
    const { ctx } = deployment;
    const { id: ownerId } = await makeUser(ctx);
    const worker = await deployment.start('worker');
    const contentId = await uploadClip(ctx, ownerId, await readFile(await longClip()));
    const read = (): Promise<Content> => ctx.db.model(Content).findByPk(contentId, { rejectOnEmpty: true });
    const listOf = async (content: Content, name: string): Promise<string[]> => {
      const folder = generationFolder(content, 1);
      const text = (await readStored(ctx, `${folder}/${name}`)).toString();
      const files = text.split('\n').filter((line) => line.endsWith('.m4s'));
      const missing = await Promise.all(files.map((file) => ctx.storage.stat(`${folder}/${file}`)));
      expect(missing.filter((file) => file === null)).to.have.length(0);
      return files;
    };
    await eventually(async () => expect((await read()).growing).to.equal(true), { timeoutMs: 60_000, everyMs: 20 });
    await worker.end('SIGKILL');
    const killed = await read();
    expect(killed.state, 'killed before the end').to.equal('PENDING');
    expect((await listOf(killed, '64p-growing.m3u8')).length).to.be.within(1, 449);
    await deployment.start('worker');
    const ready = await eventually(
      async () => {
        const content = await read();
        expect(content).to.include({ state: 'READY', readyGeneration: 1 });
        return content;
      },
      { timeoutMs: recoveryMs - 30_000, everyMs: 200 },
    );
    for (const name of ['64p-a2.m3u8', '64p-growing.m3u8']) {
      const files = await listOf(ready, name);
      expect(files).to.have.length(450);
      expect(
        files.every((file) => file.startsWith('copy0-a2/')),
        name,
      ).to.equal(true);
    }
  });
});

describe('a worker that is killed while it encodes a video', function () {
  this.timeout(2 * recoveryMs);
  let deployment: TestDeployment;
  before(async () => {
    deployment = await openDeployment({ ...crashUploadSettings, QUICK_GENERATION: 'true' });
  });
  after(() => deployment?.close());

  it('quickly, and then in all renditions: each generation becomes ready, from the chunks that were done', async () => {
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
      expect(master.toString().match(/^[^#].*$/gm)).to.have.length(generation === 1 ? 1 : 2);
      if (generation === 1) await next.end('SIGKILL');
    }
    expect(await read()).to.include({ state: 'READY', failedGeneration: null, quick: false });
  });
});
