import { expect } from 'chai';
import { openContext, type OpenContext } from '../../../shared/openContext.js';
import { readConfig } from '../../../shared/settings.js';
import { endRun } from '../../../shared/streaming/liveRun.lifecycle.js';
import { renewRun } from '../../support/liveRun.js';
import { sweepRuns } from '../../../shared/streaming/runSweep.service.js';
import { conflictsOf } from '../../support/conflicts.js';
import { openTestContext } from '../../support/context.js';
import { makeRun, makeSegment, makeStream } from '../../support/liveStreams.js';
import { useFixture } from '../../support/fixtures.js';

const encoders = 4;
const rounds = 25;

describe('encoders that publish concurrently to one path', () => {
  const ctx = useFixture(openTestContext);
  const other = useFixture(() => openContext(readConfig('worker', ctx.env), { clock: ctx.clock }));

  it('never cause a deadlock', async () => {
    const stream = await makeStream(ctx);
    const encoder = async (on: OpenContext): Promise<void> => {
      for (let round = 0; round < rounds; round += 1) {
        const run = await makeRun(on, stream);
        const { runId, leaseOwner } = run;
        // Streaming time is counted at each renewal and each end.
        ctx.clock.advance(61_000);
        await Promise.all([
          renewRun(on, { runId, leaseOwner, lastMediaAt: on.clock.now(), receivedBytes: 1 }),
          makeSegment(on, run, { startsAt: new Date(), renditions: ['240p'] }),
          endRun(on, { runId, leaseOwner, reason: 'closed' }),
        ]);
        await sweepRuns(on);
      }
    };
    await Promise.all(Array.from({ length: encoders }, (_, index) => encoder(index % 2 === 0 ? ctx : other)));
    expect([await conflictsOf(ctx), await conflictsOf(other)]).to.deep.equal([0, 0]);
  });
});
