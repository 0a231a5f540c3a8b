import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { cpuSecondsOf } from '../../tools/processUsage.js';
import { extendAllChannels } from '../../shared/cast/cast.jobs.js';
import { planGrid } from '../../shared/media/grid.js';
import { openDeployment, type TestDeployment } from '../support/deployment.js';
import { eventually } from '../support/eventually.js';
import { seedBoxItem, changeRow } from '../support/rows.js';
import { makeUser } from '../support/users.js';
import { Content } from '../../shared/content/content.model.js';
import { useFixture } from '../support/fixtures.js';

const channelCount = 500;

/** Each channel has one-minute programs around the current time, alternately contents and breaks. */
async function makeChannels({ ctx }: TestDeployment): Promise<void> {
  const { id: ownerId } = await makeUser(ctx);
  const { boxId, contentId } = await seedBoxItem(ctx, ownerId, { durationMs: 600_000 });
  const grid = planGrid({ frameRate: [25, 1], frameCount: 15_000, chunkSeconds: 24 });
  await changeRow(ctx, Content, contentId, { readyGrid: grid });
  const ids = Array.from({ length: channelCount }, () => randomUUID());
  const from = `FROM unnest($ids::uuid[]) AS channel (id)`;
  await ctx.db.change(
    `INSERT INTO live_streams (id, owner_id, kind, path, created_at)
     SELECT channel.id, $ownerId, 'CAST_CHANNEL', 'path-' || channel.id, now() ${from}`,
    { ids, ownerId },
  );
  await ctx.db.change(
    `INSERT INTO cast_channels (id, owner_id, name, created_at, updated_at)
     SELECT channel.id, $ownerId, 'Channel', now(), now() ${from}`,
    { ids, ownerId },
  );
  await ctx.db.change(
    `INSERT INTO cast_programs (id, channel_id, owner_id, starts_at, ends_at, type, box_item_id, title, created_at, updated_at)
     SELECT gen_random_uuid(), channel.id, $ownerId, date_trunc('minute', now()) + number * interval '1 minute',
            date_trunc('minute', now()) + (number + 1) * interval '1 minute',
            CASE WHEN number % 3 = 0 THEN 'BREAK' ELSE 'PRERECORDED' END, CASE WHEN number % 3 = 0 THEN NULL ELSE $boxId::uuid END,
            'Program', now(), now() ${from}, generate_series(-2, 30) AS number`,
    { ids, ownerId, boxId },
  );
  // Slates and cuts exist already: only decisions are measured.
  const slate = `'READY', gen_random_uuid()::text, '[]', now() + interval '1 year', now()`;
  await ctx.db.change(
    `INSERT INTO cast_slates (id, channel_id, digest, lines, shows_from, state, folder, renditions, needed_until, created_at)
     SELECT gen_random_uuid(), channel.id, 'slate', '[]', now() - interval '1 day', ${slate} ${from}`,
    { ids },
  );
}

describe('five hundred cast channels', function () {
  this.timeout(300_000);
  const deployment = useFixture(() => openDeployment({ WORKER_QUEUES: 'daily-programming' }));
  before(() => makeChannels(deployment));

  it('are decided in advance by one worker, in its first minute and in the next one', async () => {
    const { ctx } = deployment;
    const worker = await deployment.start('worker');
    const lines: string[] = [];
    for (const name of ['first minute', 'second minute']) {
      const [startedAt, cpuBefore] = [performance.now(), cpuSecondsOf(worker.pid)];
      await ctx.db.transaction((tx) => ctx.outbox.add(tx, extendAllChannels, {}));
      await ctx.outbox.publish();
      await eventually(() => expectDecided(), { timeoutMs: 60_000, everyMs: 100 });
      const seconds = (performance.now() - startedAt) / 1000;
      while (performance.now() < startedAt + 60_000) {
        await expectDecided();
        await sleep(1_000);
      }
      const cpuSeconds = cpuSecondsOf(worker.pid) - cpuBefore;
      lines.push(`${name}: decided after ${seconds.toFixed(1)} s, ${cpuSeconds.toFixed(2)} s of CPU`);
    }
    console.error(lines.map((line) => `    ${line}`).join('\n'));
    const [broken] = await ctx.db.rows<{ count: number }>(
      `SELECT count(*)::int AS count FROM (
         SELECT starts_at, lag(ends_at) OVER channel AS before_ends, sequence - lag(sequence) OVER channel AS step,
                lag(jsonb_array_length(durations)) OVER channel AS before_count
           FROM cast_airings WINDOW channel AS (PARTITION BY channel_id ORDER BY sequence)) airings
        WHERE before_ends IS NOT NULL AND (before_ends <> starts_at OR step <> before_count)`,
    );
    expect(broken?.count).to.equal(0);
  });

  /** Slates and cuts are not rendered: only decisions are measured. */
  async function expectDecided(): Promise<void> {
    const { ctx } = deployment;
    for (const table of ['cast_slates', 'cast_cuts'])
      await ctx.db.change(`UPDATE ${table} SET state = 'FAILED' WHERE state = 'WAITING'`);
    const [row] = await ctx.db.rows<{ decided: number }>(
      `SELECT count(*)::int AS decided FROM cast_playouts
        WHERE decided_until > (extract(epoch FROM now()) + $least) * 1000000`,
      { least: 60 },
    );
    expect(row?.decided).to.equal(channelCount);
  }
});
