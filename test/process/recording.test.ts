import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { BoxItem } from '../../shared/box/box.model.js';
import type { Content } from '../../shared/content/content.model.js';
import { usageOf } from '../../shared/license/usage.service.js';
import { LiveRecording } from '../../shared/live/live.model.js';
import { queueRecordings, syncRecording, type RecordedEvent } from '../../shared/live/recording.lifecycle.js';
import { User } from '../../shared/user/user.model.js';
import { recoveryMs } from '../support/crashUpload.js';
import { openDeployment, type TestDeployment } from '../support/deployment.js';
import { eventually } from '../support/eventually.js';
import { settledContent, storedKeys } from '../support/media.js';
import { broadcastMedia, makeRecordedEvent, makeSession, storeRun } from '../support/recordings.js';

const slow = { timeoutMs: recoveryMs, everyMs: 10 };

describe('a recording whose workers are killed', function () {
  this.timeout(recoveryMs + 60_000);
  let deployment: TestDeployment;
  before(async () => {
    deployment = await openDeployment({ WORKER_LOCK_SECONDS: '3' });
  });
  after(() => deployment?.close());

  /** An event that is over. Three runs of four seconds were published during it. */
  async function recordedEvent(): Promise<RecordedEvent> {
    const { ctx } = deployment;
    const event = await makeRecordedEvent(ctx, 60);
    const past = (seconds: number): Date => new Date(event.startsAt.getTime() + (seconds - 120) * 1000);
    const media = await broadcastMedia({ seconds: 4, markAt: 1 });
    const session = await makeSession(ctx, event, past(0));
    for (const seconds of [0, 10, 20]) await storeRun(ctx, event, session, past(seconds), media);
    await ctx.db.model(User).update({ transcoderNotifyEnabled: true }, { where: { id: event.ownerId } });
    await ctx.db.transaction((tx) => syncRecording(ctx, tx, { ...event, startsAt: past(0), endsAt: past(60) }));
    return event;
  }

  function rowOf({ id }: RecordedEvent): Promise<LiveRecording> {
    return deployment.ctx.db.model(LiveRecording).findByPk(id, { rejectOnEmpty: true });
  }

  it('becomes one READY box item with everything that was published, and one mail', async () => {
    const { ctx } = deployment;
    const event = await recordedEvent();
    await queueRecordings(ctx);
    for (const attempt of [1, 2]) {
      const worker = await deployment.start('worker');
      await eventually(async () => expect(await rowOf(event)).to.include({ state: 'COPYING', attempt }), slow);
      await worker.end('SIGKILL');
      expect(await rowOf(event)).to.include({ state: 'COPYING', attempt });
    }
    await deployment.start('worker');
    const content = await eventually(async (): Promise<Content> => {
      const { boxItemId } = await rowOf(event);
      const item = await ctx.db.model(BoxItem).findByPk(boxItemId ?? '', { rejectOnEmpty: true });
      return settledContent(ctx, item.contentId);
    }, slow);
    expect(content.state, content.failureDetail ?? '').to.equal('READY');
    expect(content.durationMs).to.be.closeTo(12_000, 100);
    expect(await ctx.db.model(BoxItem).count({ where: { ownerId: event.ownerId } })).to.equal(1);
    expect(await usageOf(ctx, event.ownerId)).to.include({ uploads: 1, reservedBytes: 0, reservedUploads: 0 });
    expect(await storedKeys(ctx, 'sources')).to.deep.equal([content.sourceKey]);
    await eventually(async () => expect(await readdir(join(ctx.config.dataDir, 'mail'))).to.have.length(1), slow);
  });
});
