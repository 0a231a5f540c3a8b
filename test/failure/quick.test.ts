import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { Content } from '../../shared/content/content.model.js';
import { generationFolder } from '../../shared/content/storageKeys.js';
import { openDeployment } from '../support/deployment.js';
import { eventually } from '../support/eventually.js';
import { liveCoding, makeClip, makeVideo, readStored, uploadClip } from '../support/media.js';
import { recoveryMs } from '../support/crashUpload.js';
import { makeUser } from '../support/users.js';
import { useFixture } from '../support/fixtures.js';

/** Half an hour of small frames: some megabytes, and 450 segments to be stored. */
async function longClip(): Promise<string> {
  const minute = await makeVideo({ seconds: 60, size: '64x64', rate: '10', coding: [...liveCoding, '-g', '20'] });
  return makeClip('mp4', ['-stream_loop', '29', '-i', minute, '-c', 'copy', '-movflags', '+faststart']);
}

describe('a worker that is killed while it copies a video', function () {
  this.timeout(recoveryMs);
  const deployment = useFixture(() =>
    openDeployment({
      ...{ QUICK_GENERATION: 'true', WORKER_LOCK_SECONDS: '3', WORKER_QUEUES: 'ingestion,transcoding-status,sweeps' },
    }),
  );

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
