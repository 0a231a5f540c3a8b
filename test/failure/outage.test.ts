import { expect } from 'chai';
import { startTestDatabase } from '../../scripts/embedded/database.js';
import { eventually } from '../support/eventually.js';
import { openDeployment, untilProgress, type TestDeployment } from '../support/deployment.js';
import type { BuiltProcess } from '../support/processes.js';
import { startTestRedis, type TestRedis } from '../support/redis.js';
import { expectReadyOnce, recoveryMs, crashUploadSettings, uploadForCrash } from '../support/crashUpload.js';
import { given } from '../support/given.js';
import { describeWith, requirements } from '../support/requirements.js';

describe('while a server is down', function () {
  this.timeout(recoveryMs + 150_000);
  let deployment: TestDeployment | undefined;
  afterEach(async () => {
    await deployment?.close();
    deployment = undefined;
  });

  describe('PostgreSQL', () => {
    const database = given(startTestDatabase);
    after(() => database.stop());

    it('restarts during the work: the upload still becomes READY, once', async () => {
      deployment = await openDeployment(crashUploadSettings, database.url);
      await deployment.start('web');
      await deployment.start('worker');
      const crashUpload = await uploadForCrash(deployment);
      await untilProgress(deployment.ctx, crashUpload.uuid, 20);
      await database.restart();
      await expectReadyOnce(deployment, [crashUpload]);
    });
  });

  describeWith(requirements.redis, 'Redis', () => {
    /** Longer than a lock lasts, and longer than any command waits for a response. */
    const awayMs = 10_000;
    const stopMs = 4_000;
    let redis: TestRedis;

    before(async () => {
      redis = await startTestRedis();
    });
    after(() => redis?.close());

    it('is down for 10 s: uploads are accepted, workers stop and start, and all become READY, once', async () => {
      deployment = await openDeployment({
        ...crashUploadSettings,
        REDIS_URL: redis.url,
        QUEUE_PREFIX: 'outage',
      });
      await deployment.start('web');
      await deployment.start('worker');
      const leaver = await deployment.start('worker');
      const early = await uploadForCrash(deployment);
      await untilProgress(deployment.ctx, early.uuid, 20);
      await redis.stop();
      const stopped = performance.now();
      const late = await uploadForCrash(deployment);
      await stopsInTime(leaver);
      await stopsInTime(await deployment.start('worker', { WORKER_QUEUES: 'mail' }));
      await deployment.start('worker');
      await eventually(() => expect(performance.now() - stopped).to.be.above(awayMs), {
        timeoutMs: awayMs + 5_000,
        everyMs: 500,
      });
      await redis.start();
      await expectReadyOnce(deployment, [early, late]);
    });

    /** It cannot return its jobs to the queue, and does not wait for that. */
    async function stopsInTime(worker: BuiltProcess): Promise<void> {
      const began = performance.now();
      expect(await worker.end('SIGTERM'), worker.output()).to.equal(0);
      expect(performance.now() - began, worker.output()).to.be.below(stopMs);
    }
  });
});
