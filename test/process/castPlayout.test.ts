import { expect } from 'chai';
import { CastPlayout } from '../../shared/cast/cast.model.js';
import { extendChannel } from '../../shared/cast/playout.jobs.js';
import { extendPlayout } from '../../shared/cast/playout.service.js';
import type { Transaction } from '../../shared/platform/database/database.js';
import { expectJoined, playoutFixtureOf, type PlayoutFixture } from '../support/cast/playoutFixture.js';
import { openDeployment, type TestDeployment } from '../support/deployment.js';
import { eventually } from '../support/eventually.js';

/**
 * Steps of one decision, each with a lock at which the process stops there.
 */
const steps: readonly {
  readonly name: string;
  readonly stop: (
    fixture: PlayoutFixture,
    tx: Transaction,
    at: { channelId: string; contentId: string },
  ) => Promise<unknown>;
}[] = [
  {
    name: 'before it locks the channel',
    stop: ({ ctx }, tx, { channelId }) =>
      ctx.db.rows('SELECT 1 FROM cast_playouts WHERE channel_id = $channelId FOR UPDATE', { channelId }, tx),
  },
  {
    name: 'before it locks the contents',
    stop: ({ ctx }, tx, { contentId }) =>
      ctx.db.rows('SELECT 1 FROM contents WHERE id = $contentId FOR UPDATE', { contentId }, tx),
  },
];

describe('a process that is killed while it decides what a cast channel plays', function () {
  this.timeout(120_000);
  let deployment: TestDeployment;
  let fixture: PlayoutFixture;
  before(async () => {
    deployment = await openDeployment({ WORKER_QUEUES: 'daily-programming', WORKER_LOCK_SECONDS: '3' });
    fixture = await playoutFixtureOf(deployment.ctx, deployment.api);
  });
  after(() => deployment?.close());

  /** A channel that was decided until half a minute ago, and that plays a content now. */
  async function channelOnAir(): Promise<{ channelId: string; contentId: string }> {
    const { ctx } = deployment;
    const channelId = await fixture.channel();
    const { boxId, contentId } = await fixture.item(600);
    await extendPlayout(ctx, channelId);
    await fixture.program(channelId, -20, [[500, { boxItemId: boxId }]]);
    const earlier = 120_000_000;
    await ctx.db.change(
      'UPDATE cast_parts SET starts_at = starts_at - $earlier, ends_at = ends_at - $earlier WHERE channel_id = $channelId',
      { channelId, earlier },
    );
    await ctx.db.change(
      'UPDATE cast_playouts SET decided_until = decided_until - $earlier WHERE channel_id = $channelId',
      {
        channelId,
        earlier,
      },
    );
    return { channelId, contentId };
  }

  for (const { name, stop } of steps)
    it(`leaves nothing behind: ${name}`, async () => {
      const { ctx } = deployment;
      const at = await channelOnAir();
      const before = await fixture.parts(at.channelId);
      const worker = await deployment.start('worker');
      await ctx.db
        .transaction(async (tx) => {
          await stop(fixture, tx, at);
          await ctx.db.transaction((other) => ctx.outbox.add(other, extendChannel, { channelId: at.channelId }));
          await eventually(async () => expect(await waitingStatements()).to.be.above(0));
          await worker.end('SIGKILL');
          throw new Error('given up');
        })
        .catch((error: Error) => expect(error.message).to.equal('given up'));
      expect(await fixture.parts(at.channelId)).to.deep.equal(before);
      // Another process goes on at once, and so does the next worker.
      await Promise.all([extendPlayout(ctx, at.channelId), extendPlayout(ctx, at.channelId)]);
      const after = await fixture.parts(at.channelId);
      expectJoined(after);
      expect(after.some(({ source }) => source.kind === 'CONTENT' && source.contentId === at.contentId)).to.equal(true);
      const { decidedUntil } = await ctx.db.model(CastPlayout).findByPk(at.channelId, { rejectOnEmpty: true });
      expect(decidedUntil).to.be.above(ctx.clock.now().getTime() * 1000);
    });

  /** Statements of this database that wait for a lock. */
  async function waitingStatements(): Promise<number> {
    const [row] = await deployment.ctx.db.rows<{ count: number }>(
      `SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return row?.count ?? 0;
  }
});
