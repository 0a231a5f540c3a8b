import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createChunks } from '../../../shared/content/chunk.lifecycle.js';
import { planGrid } from '../../../shared/media/grid.js';
import { Content } from '../../../shared/content/content.model.js';
import { planLadder } from '../../../shared/content/ladder.js';
import { newFolder } from '../../../shared/content/storageKeys.js';
import type { Context } from '../../../shared/platform/context.js';
import { insertOwner } from '../catalogue.js';
import type { Figure } from '../figure.js';
import { sleepSecondsOf } from '../reference/sleepingEncoder.js';
import { openBenchContext } from '../service.js';

const workerCount = 16;

export const manyWorkersFigure: Figure = {
  name: 'workers-16',
  title: 'A video of 256 chunks, 16 media workers whose encoders only sleep, speed-up over one',
  target: { atLeast: 14 },
  method:
    'The real queue, leases and jobs on the embedded PostgreSQL, and 16 worker processes that instead of encoding a chunk sleep for about 5 s ' +
    '(each chunk for another time, 10 % more or less) and report their progress as an encoder does. "Ours" is the time from the commit of the chunks until ' +
    'the last one is done; "reference" is the sum of all times of sleep, which one worker takes at least.',
  async measure(bench) {
    const environment = { ...(await bench.settings()), WORKER_QUEUES: 'transcoding' };
    const ctx = await openBenchContext(bench, environment);
    const base = bench.quick ? 1 : 5;
    const chunkCount = bench.quick ? 64 : 256;
    bench.say(`Starting ${workerCount} workers ...`);
    const entry = 'scripts/bench/reference/sleepingWorker.js';
    await Promise.all(
      Array.from({ length: workerCount }, () => bench.start(entry, { ...environment, SLEEP_SECONDS: String(base) })),
    );
    const contentId = await insertContent(ctx, chunkCount);
    const start = performance.now();
    for (let done = 0; done < chunkCount; bench.onProgress((100 * done) / chunkCount)) {
      await sleep(50);
      const [row] = await ctx.db.rows<{ done: number }>(
        "SELECT count(*)::int AS done FROM chunks WHERE content_id = $contentId AND state = 'DONE'",
        { contentId },
      );
      done = row?.done ?? 0;
    }
    const ours = (performance.now() - start) / 1000;
    const reference = Array.from({ length: chunkCount }, (_, chunk) => sleepSecondsOf(base, chunk)).reduce(
      (sum, seconds) => sum + seconds,
    );
    const note = `${chunkCount} chunks, ${((100 * reference) / ours / workerCount).toFixed(0)} % of the time of all workers`;
    return { unit: 's', ours, reference, result: reference / ours, note };
  },
};

/** A content whose chunks wait for a worker. It has no source. Resolves with its id. */
async function insertContent(ctx: Context, chunkCount: number): Promise<string> {
  const [id, ownerId] = [randomUUID(), await insertOwner(ctx)];
  const now = ctx.clock.now();
  const { chunkSeconds } = ctx.config.media;
  const seconds = chunkCount * chunkSeconds;
  const grid = planGrid({ frameRate: [30, 1], frameCount: seconds * 30, chunkSeconds });
  const renditions = planLadder({ width: 1920, height: 1080, bits: null, codec: 'h264', framesPerSecond: 30 });
  const source = { key: 'none', demuxer: 'mov', stream: 0, seekable: true, originSeconds: 0, still: false };
  const plan = {
    ...{ ...grid, renditions, durationMs: seconds * 1000 },
    source: { ...source, interlaced: false, highDynamicRange: null },
    audio: [],
  };
  const content = { id, ownerId, generation: 1, quick: false };
  await ctx.db.transaction(async (transaction) => {
    await ctx.db.model(Content).create(
      {
        ...{ ...content, folder: newFolder(id), state: 'PENDING', plan, createdAt: now, updatedAt: now },
        ...{ sourceKey: 'none', sourceName: 'none.mp4', sourceBytes: 1 },
      },
      { transaction },
    );
    await createChunks(ctx, transaction, content, { chunkCount: grid.chunkCount, isBehindOthers: false });
  });
  return id;
}
