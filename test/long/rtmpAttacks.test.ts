import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { packageRun } from '../../workers/live/packaging/packageRun.js';
import { eventually } from '../support/eventually.js';
import { childrenOf } from '../support/deployment.js';
import { runTool } from '../support/media.js';
import { openTestContext, type TestContext } from '../support/context.js';
import { startTestLive, type TestLive } from '../support/live/liveProcess.js';
import { makePublisher, type Publisher } from '../support/liveStreams.js';
import { watchLoop } from '../support/loopWatch.js';
import { type AttackOrder, attacks } from './rtmpAttackWorker.js';

const milliseconds = Number(process.env['RTMP_ATTACK_MILLISECONDS'] ?? 2000);

/** Runs the attackers in a separate thread: this thread runs only the live process. Resolves with the number of sent bytes. */
function attack(order: AttackOrder): Promise<number> {
  const worker = new Worker(new URL('./rtmpAttackWorker.js', import.meta.url), { workerData: order });
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

/** The current cost of a process start in this thread: it copies page tables, which other programs slow down. */
async function processStartMs(): Promise<number> {
  const watch = watchLoop();
  for (let start = 0; start < 5; start += 1) await runTool('ffmpeg', ['-version']);
  watch.stop();
  return watch.maxMs;
}

describe('encoders that attack the live process', function () {
  this.timeout(60_000);
  let ctx: TestContext;
  let live: TestLive;
  let publishers: Publisher[];

  before(async () => {
    const settings = { RTMP_HOST: '127.0.0.1', RTMP_PORT: '0', LIVE_CONCURRENCY: '16', LIVE_RENDITIONS: '100' };
    ctx = await openTestContext(settings);
    publishers = await Promise.all(Array.from({ length: 16 }, () => makePublisher(ctx)));
  });
  beforeEach(async () => {
    live = await startTestLive(ctx, packageRun);
  });
  afterEach(async () => {
    await live.close();
    // They would encode the attack's remains during the next attack; a run that fails repeatedly ends.
    await eventually(
      () => {
        const encoders = childrenOf(process.pid).filter(({ command }) => command.includes('ffmpeg'));
        for (const { pid } of encoders) process.kill(pid, 'SIGKILL');
        expect(encoders).to.deep.equal([]);
      },
      { timeoutMs: 30_000, everyMs: 200 },
    );
  });
  after(() => ctx?.close());

  for (const connections of [1, 16])
    for (const name of Object.keys(attacks))
      it(`never stop it for 100 ms: ${name}, on ${connections} connections`, async () => {
        const streamKeys = publishers
          .slice(0, connections)
          .map((one) => `${one.streamPath}?user=${one.userCode}&pass=${encodeURIComponent(one.livePassword)}`);
        const maxMs = Math.max(100, 4 * (await processStartMs()));
        const watch = watchLoop();
        const sent = await attack({ name, port: live.port, streamKeys, milliseconds });
        watch.stop();
        const figures = `${watch.maxMs.toFixed(0)} ms at once, ${(watch.share * 100).toFixed(0)} % of a processor`;
        console.error(`        ${figures}, ${(sent / 1e6).toFixed(1)} MB sent`);
        expect(live.log.filter((line) => line.includes('packaging failed'))).to.deep.equal([]);
        expect(watch.maxMs, figures).to.be.below(maxMs);
      });
});
