import { expect } from 'chai';
import { endsWithin } from '../../scripts/embedded/processes.js';
import { eventually } from '../support/eventually.js';
import { openDeployment, untilProgress } from '../support/deployment.js';
import { childrenOf, type BuiltProcess } from '../support/processes.js';
import {
  crashUploadSettings,
  expectReadyOnce,
  recoveryMs,
  uploadForCrash,
  type CrashUpload,
} from '../support/crashUpload.js';
import { useFixture, fixtureEach } from '../support/fixtures.js';
import { itWith, requirements } from '../support/requirements.js';

/** The tests run in order, in one deployment: each begins with the processes that the one before it has left running. */
describe('after a crash', function () {
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

  it('when a media worker is killed, only the chunk it was working on is transcoded again', async () => {
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

  it('SIGTERM returns the chunk to the queue within 10 seconds, and counts no attempt', async () => {
    const { uuid } = await upload();
    await untilProgress(deployment.ctx, uuid, 30);
    const start = performance.now();
    expect(await worker.end('SIGTERM')).to.equal(0);
    expect(performance.now() - start).to.be.below(10_000);
    const leased = await deployment.ctx.db.rows(
      'SELECT position FROM chunks WHERE lease_owner IS NOT NULL AND state = $state',
      { state: 'RUNNING' },
    );
    expect(leased, 'leases of a worker that is gone').to.deep.equal([]);
    worker = await deployment.start('worker');
    await expectReadyOnce(deployment, uploads);
  });

  it('processes an accepted upload although the web process is killed at once', async () => {
    await worker.end('SIGKILL');
    await upload();
    await web.end('SIGKILL');
    worker = await deployment.start('worker');
    web = await deployment.start('web');
    await expectReadyOnce(deployment, uploads);
  });

  it('recovers after all processes were killed at the same time', async () => {
    const clock = await deployment.start('clock');
    const { uuid } = await upload();
    await untilProgress(deployment.ctx, uuid, 20);
    await Promise.all([web, worker, clock].map((one) => one.end('SIGKILL')));
    await Promise.all([deployment.start('web'), deployment.start('worker'), deployment.start('clock')]);
    await expectReadyOnce(deployment, uploads);
  });
});

describe('the tools of a media worker', function () {
  this.timeout(recoveryMs + 60_000);
  const deployment = fixtureEach(() => openDeployment(crashUploadSettings));

  itWith(requirements.setpriv, 'when a media worker is killed, its ffmpeg ends too', async function () {
    await deployment.start('web');
    // One chunk that takes long to transcode.
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
    // It has the lowest priority, so on a busy machine it takes a while until it ends.
    for (const { pid } of encoders)
      expect(await endsWithin(pid, 'libx264', 15_000), `ffmpeg ${pid} still runs`).to.equal(true);
  });
});
