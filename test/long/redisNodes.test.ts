import { openAsBlob } from 'node:fs';
import { expect } from 'chai';
import { registerUser } from '../support/api.js';
import { openDeployment, untilProgress, untilSettled, uploadClip } from '../support/deployment.js';
import { eventually } from '../support/eventually.js';
import { makeVideo } from '../support/media.js';
import { startRedisCluster, startRedisSentinels, type RedisNodes } from '../support/redisNodes.js';
import { OutboxJob } from '../../shared/platform/outbox/outbox.model.js';
import { storedRows } from '../support/rows.js';
import { describeWith, requirements } from '../support/requirements.js';

const videos = 6;

describeWith(requirements.redis, 'the service with several Redis servers', function () {
  this.timeout(600_000);

  /** Kills a server while videos are processed; `isRestarted`: it comes back. */
  async function expectNothingLost(open: () => Promise<RedisNodes>, isRestarted: boolean): Promise<void> {
    const nodes = await open();
    const deployment = await openDeployment({ ...nodes.settings, QUEUE_PREFIX: 'video', CHUNK_SECONDS: '4' });
    try {
      const { ctx, api } = deployment;
      for (const kind of ['web', 'worker', 'worker'] as const) await deployment.start(kind);
      const { token } = await registerUser(api);
      const file = await openAsBlob(await makeVideo({ seconds: 16 }));
      const send = async (number: number) => uploadClip(api, token, file, `Node ${number}`);
      const first = await send(0);
      await untilProgress(ctx, first.contentId.replace(/^.*:/, ''), 20);
      const sent = [first, ...(await Promise.all(Array.from({ length: videos }, (_, number) => send(number))))];
      await nodes.kill('transcoding');
      // Uploads are accepted while the server is away; the outbox keeps their jobs.
      sent.push(await send(videos));
      if (isRestarted) await nodes.restart();
      for (const { boxId } of sent) expect(await untilSettled(api, token, boxId, 180_000)).to.equal('READY');
      await eventually(async () => expect(await storedRows(ctx, OutboxJob)).to.deep.equal([]));
    } finally {
      await deployment.close();
      await nodes.close();
    }
  }

  it('loses nothing where a node of a cluster is killed and comes back', () =>
    expectNothingLost(startRedisCluster, true));

  it('loses nothing where the server is killed and sentinels name another one', () =>
    expectNothingLost(startRedisSentinels, false));
});
