import { crashUploadSettings, expectReadyOnce, recoveryMs, uploadForCrash } from '../support/crashUpload.js';
import { openDeployment, untilProgress, type TestDeployment } from '../support/deployment.js';

describe('a content whose workers are killed again and again', function () {
  this.timeout(2 * recoveryMs);
  let deployment: TestDeployment;
  before(async () => {
    deployment = await openDeployment(crashUploadSettings);
  });
  after(() => deployment?.close());

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
