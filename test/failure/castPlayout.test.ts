import { expect } from 'chai';
import { extendChannel } from '../../shared/cast/cast.jobs.js';
import { CastPlayout, CastSlate } from '../../shared/cast/cast.model.js';
import { extendPlayout } from '../../shared/cast/playout.service.js';
import { requestDefaultSlate } from '../../shared/cast/slate.service.js';
import type { Transaction } from '../../shared/platform/database/database.js';
import { publicToken } from '../support/api.js';
import { type PlayoutFixture, expectJoined, playoutFixtureOf } from '../support/cast/playoutFixture.js';
import { recoveryMs } from './crashUpload.js';
import { type TestDeployment, openDeployment } from '../support/deployment.js';
import { eventually } from '../support/eventually.js';
import { storedKeys } from '../support/media.js';
import { waitingStatements } from '../support/statements.js';
import { useFixture } from '../support/fixtures.js';

/**
 * The steps of one playout decision, each with a lock that stops the process there.
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
  {
    // The last airing is extended first.
    name: 'while it writes',
    stop: ({ ctx }, tx, { channelId }) =>
      ctx.db.rows(
        'SELECT 1 FROM cast_airings WHERE channel_id = $channelId ORDER BY sequence DESC LIMIT 1 FOR UPDATE',
        { channelId },
        tx,
      ),
  },
];

/** The triggers of a worker's decision. */
const causes = {
  owner: ({ ctx }: TestDeployment, channelId: string) =>
    ctx.db.transaction((tx) => ctx.outbox.add(tx, extendChannel, { channelId })),
  /** The response is ignored. */
  async viewer({ api }: TestDeployment, channelId: string) {
    const token = await publicToken(api);
    api.call('POST', `/api/public/cast/channel/${channelId}/play`, { token }).catch(() => {});
  },
};

const kills = [
  ...steps.map((step) => ({ ...step, cause: 'owner' as const })),
  ...steps.slice(-1).map((step) => ({ ...step, cause: 'viewer' as const })),
];

describe('a worker that is killed while it extends the playout of a cast channel', function () {
  this.timeout(120_000);
  const deployment = useFixture(() => openDeployment({ WORKER_QUEUES: 'daily-programming', WORKER_LOCK_SECONDS: '3' }));
  const fixture = useFixture(() => playoutFixtureOf(deployment.ctx, deployment.api));

  /** A channel whose playout was decided until half a minute ago and that plays a content now. */
  async function channelOnAir(): Promise<{ channelId: string; contentId: string }> {
    const { ctx } = deployment;
    const channelId = await fixture.channel();
    const { boxId, contentId } = await fixture.item(600);
    await extendPlayout(ctx, channelId);
    await fixture.program(channelId, -20, [[500, { boxItemId: boxId }]]);
    const earlier = 120_000_000;
    await ctx.db.change(
      'UPDATE cast_airings SET starts_at = starts_at - $earlier, ends_at = ends_at - $earlier WHERE channel_id = $channelId',
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

  for (const { cause, name, stop } of kills)
    it(`leaves nothing behind if it is killed ${name}, on a request of the ${cause}`, async () => {
      const { ctx } = deployment;
      const at = await channelOnAir();
      const before = await fixture.airings(at.channelId);
      await ctx.db
        .transaction(async (tx) => {
          await stop(fixture, tx, at);
          const web = cause === 'viewer' ? await deployment.start('web') : null;
          const worker = await deployment.start('worker');
          await causes[cause](deployment, at.channelId);
          await eventually(async () => expect(await waitingStatements(ctx)).to.be.above(0));
          await worker.end('SIGKILL');
          await web?.end('SIGTERM');
          throw new Error('given up');
        })
        .catch((error: Error) => expect(error.message).to.equal('given up'));
      expect(await fixture.airings(at.channelId)).to.deep.equal(before);
      // Other processes continue at once.
      await Promise.all([extendPlayout(ctx, at.channelId), extendPlayout(ctx, at.channelId)]);
      const after = await fixture.airings(at.channelId);
      expectJoined(after);
      expect(after.some(({ source }) => source.kind === 'CONTENT' && source.contentId === at.contentId)).to.equal(true);
      const { decidedUntil } = await ctx.db.model(CastPlayout).findByPk(at.channelId, { rejectOnEmpty: true });
      expect(decidedUntil).to.be.above(ctx.clock.now().getTime() * 1000);
    });
});

describe('a slate whose worker is killed', function () {
  this.timeout(recoveryMs + 30_000);
  const deployment = useFixture(() => openDeployment({ WORKER_LOCK_SECONDS: '2', WORKER_QUEUES: 'daily-programming' }));

  it('is rendered once by another worker, without remains of the first attempt', async () => {
    const { ctx } = deployment;
    const row = (): Promise<CastSlate> => ctx.db.model(CastSlate).findOne({ rejectOnEmpty: true });
    await requestDefaultSlate(ctx);
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
    // Simulates a stored file of the first attempt.
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
