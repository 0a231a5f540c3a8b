import { expect } from 'chai';
import { readFile } from 'node:fs/promises';
import { endsWithin } from '../../scripts/embedded/processes.js';
import { Content } from '../../shared/content/content.model.js';
import { generationFolder } from '../../shared/content/storageKeys.js';
import { type CrashUpload, crashUploadSettings, expectReadyOnce, recoveryMs, uploadForCrash } from './crashUpload.js';
import { openDeployment, untilProgress, type BuiltProcess, childrenOf } from '../support/deployment.js';
import { eventually, slowness } from '../support/eventually.js';
import { fixtureEach, useFixture } from '../support/fixtures.js';
import { liveCoding, makeClip, makeVideo, readStored, uploadClip } from '../support/media.js';
import { itWith, requirements } from '../support/requirements.js';
import { makeUser } from '../support/users.js';

/** The tests run in order in one deployment: each starts with the processes that the previous test has left running. */
describe('a deployment after a crash', function () {
  this.timeout(recoveryMs + 60_000);
  const deployment = useFixture(() => openDeployment(crashUploadSettings));
  let web: BuiltProcess;
  let worker: BuiltProcess;
  const uploads: CrashUpload[] = [];

  before(async () => {
    web = await deployment.start('web');
    worker = await deployment.start('worker');
  });

  async function upload(): Promise<CrashUpload> {
    const one = await uploadForCrash(deployment);
    uploads.push(one);
    return one;
  }

  async function doneChunks(uuid: string): Promise<{ position: number; attempt: number; folder: string }[]> {
    return deployment.ctx.db.rows(
      `SELECT position, attempt, folder FROM chunks WHERE content_id = $uuid AND state = 'DONE' ORDER BY position`,
      { uuid },
    );
  }

  it('transcodes only the interrupted chunk again if a media worker is killed', async () => {
    const { uuid } = await upload();
    await untilProgress(deployment.ctx, uuid, 40);
    await worker.end('SIGKILL');
    const before = await doneChunks(uuid);
    expect(before, 'chunks done before the kill').to.not.be.empty;
    worker = await deployment.start('worker');
    await expectReadyOnce(deployment, uploads);
    const after = await doneChunks(uuid);
    expect(after).to.have.length(5);
    expect(after.filter(({ position }) => before.some((one) => one.position === position))).to.deep.equal(before);
  });

  it('returns the chunk to the queue within 10 seconds of SIGTERM without a counted attempt', async () => {
    const { uuid } = await upload();
    await untilProgress(deployment.ctx, uuid, 30);
    const start = performance.now();
    expect(await worker.end('SIGTERM')).to.equal(0);
    expect(performance.now() - start).to.be.below(10_000 * slowness);
    const leased = await deployment.ctx.db.rows(
      'SELECT position FROM chunks WHERE lease_owner IS NOT NULL AND state = $state',
      { state: 'RUNNING' },
    );
    expect(leased, 'leases of a worker that has ended').to.deep.equal([]);
    worker = await deployment.start('worker');
    await expectReadyOnce(deployment, uploads);
  });

  it('processes an accepted upload even if the web process and then all processes are killed', async () => {
    await worker.end('SIGKILL');
    const { uuid } = await upload();
    await web.end('SIGKILL');
    const kinds = ['web', 'worker', 'clock'] as const;
    const all = await Promise.all(kinds.map((kind) => deployment.start(kind)));
    await untilProgress(deployment.ctx, uuid, 20);
    await Promise.all(all.map((one) => one.end('SIGKILL')));
    await Promise.all(kinds.map((kind) => deployment.start(kind)));
    await expectReadyOnce(deployment, uploads);
  });
});

describe('the tools of a media worker', function () {
  this.timeout(recoveryMs + 60_000);
  const deployment = fixtureEach(() => openDeployment(crashUploadSettings));

  itWith(requirements.setpriv, 'end when the worker is killed', async function () {
    await deployment.start('web');
    // One chunk with a long transcoding time.
    const worker = await deployment.start('worker', { CHUNK_SECONDS: '24', ENCODER_PRESET: 'slow' });
    await uploadForCrash(deployment);
    const encoders = await eventually(
      () => {
        const found = childrenOf(worker.pid).filter(({ command }) => command.includes('libx264'));
        expect(found).to.not.be.empty;
        return found;
      },
      { timeoutMs: 30_000 },
    );
    await worker.end('SIGKILL');
    // It has the lowest priority and therefore ends late on a busy machine.
    for (const { pid } of encoders)
      expect(await endsWithin(pid, 'libx264', 15_000), `ffmpeg ${pid} still runs`).to.equal(true);
  });
});

/** Half an hour of small frames: a few megabytes and 450 segments. */
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

  it('leaves a playable event playlist, and the next worker makes the content READY', async () => {
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
