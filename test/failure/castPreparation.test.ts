import { expect } from 'chai';
import { CastSlate } from '../../shared/cast/cast.model.js';
import { wantDefaultSlate } from '../../shared/cast/slate.service.js';
import { recoveryMs } from '../support/crashUpload.js';
import { openDeployment, type TestDeployment } from '../support/deployment.js';
import { eventually } from '../support/eventually.js';
import { storedKeys } from '../support/media.js';

describe('a slate whose worker is killed', function () {
  this.timeout(recoveryMs + 30_000);
  let deployment: TestDeployment;
  before(async () => {
    deployment = await openDeployment({ WORKER_LOCK_SECONDS: '2', WORKER_QUEUES: 'daily-programming' });
  });
  after(() => deployment?.close());

  it('is made by another worker, once, and nothing of the first attempt is left', async () => {
    const { ctx } = deployment;
    const row = (): Promise<CastSlate> => ctx.db.model(CastSlate).findOne({ rejectOnEmpty: true });
    await wantDefaultSlate(ctx);
    const first = await deployment.start('worker');
    const claimed = await eventually(
      async () => {
        const slate = await row();
        expect(slate).to.include({ state: 'WAITING', attempt: 1 });
        return slate;
      },
      { timeoutMs: recoveryMs, everyMs: 10 },
    );
    await first.end('SIGKILL');
    expect(await row()).to.include({ state: 'WAITING', leaseOwner: claimed.leaseOwner });
    // As if the first attempt had stored a file.
    await ctx.storage.put(`cast/${claimed.folder}/00.m4s`, Buffer.from('half'), { contentType: 'video/mp4' });
    await deployment.start('worker');
    await eventually(async () => expect(await row()).to.include({ state: 'READY', attempt: 2 }), {
      timeoutMs: recoveryMs,
      everyMs: 50,
    });
    const { folder, renditions } = await row();
    const files = renditions?.flatMap((rendition) => [rendition.map, ...rendition.files]) ?? [];
    expect(await storedKeys(ctx, 'cast')).to.have.members(files.map((file) => `cast/${folder}/${file}`));
  });
});
