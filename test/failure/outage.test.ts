import { expect } from 'chai';
import { startTestDatabase } from '../../scripts/embedded/embeddedDatabase.js';
import { eventually, slowness } from '../support/eventually.js';
import {
  openDeployment,
  untilProgress,
  type TestDeployment,
  type BuiltProcess,
  freePort,
} from '../support/deployment.js';
import { notifyUser } from '../../shared/user/user.jobs.js';
import { registerUser } from '../support/api.js';
import { startS3 } from '../support/s3.js';
import { startSmtpProcess } from '../support/smtpProcess.js';
import { startTestRedis, type TestRedis } from '../support/redis.js';
import { expectReadyOnce, recoveryMs, crashUploadSettings, uploadForCrash } from './crashUpload.js';
import { createTus, tusAt } from '../support/tus.js';
import { useFixture } from '../support/fixtures.js';
import { describeWith, requirements } from '../support/requirements.js';

describe('during an outage:', function () {
  this.timeout(recoveryMs + 150_000);
  let deployment: TestDeployment | undefined;
  afterEach(async () => {
    await deployment?.close();
    deployment = undefined;
  });

  describe('PostgreSQL', () => {
    const database = useFixture(startTestDatabase, (server) => server.stop());
    after(() => database.stop());

    it('restarts during the work, and the upload becomes READY once', async () => {
      deployment = await openDeployment(crashUploadSettings, database.url);
      await deployment.start('web');
      await deployment.start('worker');
      const crashUpload = await uploadForCrash(deployment);
      await untilProgress(deployment.ctx, crashUpload.uuid, 20);
      await database.restart();
      await expectReadyOnce(deployment, [crashUpload]);
    });

    it('is down for some seconds, and each process logs the outage and the recovery once', async () => {
      deployment = await openDeployment({ LOG_LEVEL: 'info' }, database.url);
      const processes = [
        await deployment.start('web'),
        await deployment.start('worker'),
        await deployment.start('live', { RTMP_PORT: '0' }),
        await deployment.start('clock'),
      ];
      const { api } = deployment;
      const isBack = database.restart(12_000);
      await eventually(async () => expect((await api.call('GET', '/readyz')).status).to.equal(503));
      for (let call = 0; call < 5; call += 1) await api.call('POST', '/api/public/search/vod/contents', { body: {} });
      await isBack;
      for (const one of processes) await expectOneOutage(one, 'database');
    });
  });

  describeWith(requirements.redis, 'Redis', () => {
    /** Longer than a lock's duration and any command's timeout. */
    const awayMs = 10_000;
    const stopMs = 4_000;
    let redis: TestRedis;

    before(async () => {
      redis = await startTestRedis();
    });
    after(() => redis?.close());

    it('is down for 10 s while uploads are accepted and workers restart, and all uploads become READY once', async () => {
      deployment = await openDeployment({
        ...crashUploadSettings,
        LOG_LEVEL: 'info',
        REDIS_URL: redis.url,
        QUEUE_PREFIX: 'outage',
      });
      const web = await deployment.start('web');
      const worker = await deployment.start('worker');
      const leaver = await deployment.start('worker');
      const early = await uploadForCrash(deployment);
      await untilProgress(deployment.ctx, early.uuid, 20);
      await redis.stop();
      const stopped = performance.now();
      const late = await uploadForCrash(deployment);
      await stopsInTime(leaver);
      await stopsInTime(await deployment.start('worker', { WORKER_QUEUES: 'mail' }));
      const later = await deployment.start('worker');
      expect(later.output()).to.contain('degraded').and.not.contain('"msg":"ready"');
      await eventually(() => expect(performance.now() - stopped).to.be.above(awayMs), {
        timeoutMs: awayMs + 5_000,
        everyMs: 500,
      });
      await redis.start();
      await expectReadyOnce(deployment, [early, late]);
      for (const one of [web, worker]) await expectOneOutage(one, 'queue');
      await eventually(() => expect(later.output()).to.contain('"msg":"ready"'), { timeoutMs: 15_000 });
    });

    /** The worker cannot return its jobs to the queue and does not wait for it. */
    async function stopsInTime(worker: BuiltProcess): Promise<void> {
      const began = performance.now();
      expect(await worker.end('SIGTERM'), worker.output()).to.equal(0);
      expect(performance.now() - began, worker.output()).to.be.below(stopMs * slowness);
    }
  });

  describe('the mail server and the object store', () => {
    const s3 = useFixture(() => startS3());
    const arrivingBytes = 100_000;

    it('are down for some time and logged once each, like their recovery, and the mail is sent', async () => {
      const port = await freePort();
      deployment = await openDeployment({ LOG_LEVEL: 'info', ...s3.env, SMTP_URL: `smtp://127.0.0.1:${port}` });
      const { api, ctx } = deployment;
      const web = await deployment.start('web');
      const worker = await deployment.start('worker', { WORKER_QUEUES: 'mail' });
      const user = await registerUser(api);
      const { token, userId } = user;
      const values = { host: 'example.org' };
      await ctx.db.transaction((tx) =>
        ctx.outbox.add(tx, notifyUser, { userId, key: 'webhookGone', values, event: 'outage' }),
      );
      const created = await createTus(api, user, arrivingBytes);
      const arriving = tusAt(api, user, created.headers.get('Location') ?? '');
      s3.isFailing = true;
      for (let upload = 0; upload < 3; upload += 1) {
        const body = new FormData();
        body.set('title', 'away');
        body.set('file', new Blob(['media']), 'a.mp4');
        const { status, headers } = await api.call('POST', '/api/box', { token, body });
        expect([status, headers.get('Retry-After')]).to.deep.equal([503, '5']);
      }
      const { status, headers } = await arriving.patch(0, Buffer.alloc(arrivingBytes));
      expect([status, headers.get('Retry-After')]).to.deep.equal([503, '5']);
      await eventually(() => expect(worker.output()).to.contain('mail: the server cannot be reached'));
      s3.isFailing = false;
      const smtp = await startSmtpProcess(port);
      try {
        await expectOneOutage(web, 'storage');
        await expectOneOutage(worker, 'mail');
        await eventually(() => expect(smtp.received).to.have.length(1), { timeoutMs: 30_000 });
      } finally {
        await smtp.end();
      }
    });
  });
});

/** Expects one line for the outage of the dependency, without a stack, and one for its recovery. */
async function expectOneOutage(one: BuiltProcess, dependency: string): Promise<void> {
  await eventually(() => expect(one.output()).to.contain(`${dependency} works again`), { timeoutMs: 30_000 });
  const lines = one
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{') && !line.includes('"request completed"'));
  // Job locks expire during the outage of Redis: another worker may own the job afterwards.
  const others = /"level":[123]0|payments go to the sandbox|less than STORAGE|lock lost/;
  const faults = lines.filter((line) => !others.test(line));
  expect(faults, faults.join('\n')).to.have.length(1);
  expect(faults[0]).to.contain(`"dependency":"${dependency}"`).and.not.contain('"stack"');
  expect(lines.filter((line) => line.includes('works again'))).to.have.length(1);
}
