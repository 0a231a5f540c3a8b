import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { endsWithin } from '../../scripts/embedded/processes.js';
import { eventually } from '../support/eventually.js';
import { openHouse, untilProgress, type TestHouse } from '../support/house.js';
import { childrenOf, type BuiltProcess } from '../support/processes.js';
import { expectReadyOnce, recoveryMs, survivorSettings, uploadSurvivor } from '../support/survivor.js';

describe('after a crash', function () {
  this.timeout(recoveryMs + 60_000);
  let house: TestHouse;
  beforeEach(async () => {
    house = await openHouse(survivorSettings);
  });
  afterEach(() => house?.close());

  async function doneChunks(uuid: string): Promise<{ position: number; attempt: number; folder: string }[]> {
    return house.ctx.db.rows(
      `SELECT position, attempt, folder FROM chunks WHERE content_id = $uuid AND state = 'DONE' ORDER BY position`,
      { uuid },
    );
  }

  it('a killed media worker loses the chunk it was at, and no other', async () => {
    await house.start('web');
    const worker = await house.start('worker');
    const survivor = await uploadSurvivor(house);
    await untilProgress(house.ctx, survivor.uuid, 40);
    await worker.end('SIGKILL');
    const before = await doneChunks(survivor.uuid);
    expect(before, 'chunks done before the kill').to.not.be.empty;
    await house.start('worker');
    await expectReadyOnce(house, [survivor]);
    const after = await doneChunks(survivor.uuid);
    expect(after).to.have.length(5);
    expect(after.filter(({ position }) => before.some((one) => one.position === position))).to.deep.equal(before);
  });

  it('a killed media worker takes its ffmpeg along', async function () {
    if (process.platform !== 'linux' || spawnSync('setpriv', ['--version']).status !== 0) return this.skip();
    await house.start('web');
    // One chunk that would go on for long.
    const worker = await house.start('worker', { CHUNK_SECONDS: '24', ENCODER_PRESET: 'slow' });
    await uploadSurvivor(house);
    const encoders = await eventually(
      () => {
        const found = childrenOf(worker.pid).filter(({ command }) => command.includes('libx264'));
        expect(found).to.not.be.empty;
        return found;
      },
      { timeoutMs: 30_000 },
    );
    await worker.end('SIGKILL');
    for (const { pid } of encoders)
      expect(await endsWithin(pid, 'libx264', 2_000), `ffmpeg ${pid} lives on`).to.equal(true);
  });

  it('kills at one moment after another still end in READY, once', async () => {
    await house.start('web');
    let worker: BuiltProcess = await house.start('worker');
    const survivor = await uploadSurvivor(house);
    for (const percent of [0, 5, 60]) {
      await untilProgress(house.ctx, survivor.uuid, percent, recoveryMs);
      await worker.end('SIGKILL');
      worker = await house.start('worker');
    }
    await expectReadyOnce(house, [survivor]);
  });

  it('an upload that was accepted is worked on though the web process is killed at once', async () => {
    const web = await house.start('web');
    const survivor = await uploadSurvivor(house);
    await web.end('SIGKILL');
    await house.start('worker');
    await house.start('web');
    await expectReadyOnce(house, [survivor]);
  });

  it('SIGTERM puts the chunk back within 10 seconds, without spending an attempt', async () => {
    await house.start('web');
    const worker = await house.start('worker');
    const survivor = await uploadSurvivor(house);
    await untilProgress(house.ctx, survivor.uuid, 30);
    const start = performance.now();
    expect(await worker.end('SIGTERM')).to.equal(0);
    expect(performance.now() - start).to.be.below(10_000);
    const leased = await house.ctx.db.rows(
      'SELECT position FROM chunks WHERE lease_owner IS NOT NULL AND state = $state',
      { state: 'RUNNING' },
    );
    expect(leased, 'leases of a worker that is gone').to.deep.equal([]);
    await house.start('worker');
    await expectReadyOnce(house, [survivor]);
  });

  it('everything killed at once comes back', async () => {
    const all = [await house.start('web'), await house.start('worker'), await house.start('clock')];
    const survivor = await uploadSurvivor(house);
    await untilProgress(house.ctx, survivor.uuid, 20);
    await Promise.all(all.map((one) => one.end('SIGKILL')));
    await Promise.all([house.start('web'), house.start('worker'), house.start('clock')]);
    await expectReadyOnce(house, [survivor]);
  });
});
