import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { CastCut, CastSlate } from '../../../shared/cast/cast.model.js';
import { requestCuts } from '../../../shared/cast/cut.service.js';
import {
  claimNext,
  completePreparation,
  failPreparation,
  preparedFolder,
  releasePreparation,
  renewPreparation,
  type Claimed,
} from '../../../shared/cast/preparation.lifecycle.js';
import { removeUnneeded, requeuePreparations, unknownCastFiles } from '../../../shared/cast/preparation.sweep.js';
import { prepareAll } from '../../support/cast/playoutFixture.js';
import { openTestContext } from '../../support/context.js';
import { storedKeys } from '../../support/media.js';
import { fixtureEach } from '../../support/fixtures.js';
import { changeRows } from '../../support/rows.js';

const rendition = { name: '240p', map: '240p.mp4', files: ['240p.m4s'] };

describe('the preparation of cuts and slates', () => {
  const ctx = fixtureEach(openTestContext);

  const soon = (seconds: number): Date => new Date(ctx.clock.now().getTime() + seconds * 1000);

  async function requestCutsFor(seconds: readonly number[]): Promise<void> {
    const contentId = randomUUID();
    const wants = seconds.map((second, index) => ({
      ...{ contentId, generation: 1, firstFrame: index, endFrame: index + 50 },
      neededUntil: soon(second),
    }));
    await requestCuts(ctx, wants);
  }

  async function claim(owner: string): Promise<Claimed<'cut'>> {
    const claimed = await claimNext(ctx, 'cut', owner);
    if (!claimed) throw new Error('nothing is claimed');
    return claimed;
  }

  const endLeases = (): Promise<number> =>
    ctx.db.change("UPDATE cast_cuts SET lease_until = now() - interval '1 second'");
  const cuts = (): Promise<CastCut[]> => ctx.db.model(CastCut).findAll();

  it('claims the most urgent item first, each for one worker', async () => {
    await requestCutsFor([60, 20, 40, -5]);
    const claimed = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((owner) => claimNext(ctx, 'cut', owner)));
    const frames = claimed.map((one) => one?.row.firstFrame);
    expect(frames).to.have.members([0, 1, 2, undefined, undefined]);
    await requestCutsFor([30, 10]);
    expect((await claim('f')).row.neededUntil).to.deep.equal(soon(10));
  });

  it('rejects all changes of a worker whose lease has ended, and discards its folder', async () => {
    await requestCutsFor([60]);
    const lost = await claim('first');
    await endLeases();
    const held = await claim('second');
    expect(held.row.id).to.equal(lost.row.id);
    expect(held.row.attempt).to.equal(2);
    expect(held.abandonedFolder).to.equal(lost.row.folder);
    expect(held.row.folder).to.not.equal(lost.row.folder);
    expect(await renewPreparation(ctx, lost)).to.equal(false);
    expect(await completePreparation(ctx, lost, { renditions: [rendition] })).to.equal(false);
    await failPreparation(ctx, lost, 'lost');
    await releasePreparation(ctx, lost, { detail: 'lost', returned: true });
    const [before] = await cuts();
    expect(before).to.include({ state: 'WAITING', failureDetail: null, leaseOwner: 'second' });
    expect(await renewPreparation(ctx, held)).to.equal(true);
    expect(await completePreparation(ctx, held, { renditions: [rendition] })).to.equal(true);
    const [row] = await cuts();
    expect(row).to.include({ state: 'READY', folder: held.row.folder, leaseOwner: null });
    expect(row?.renditions).to.deep.equal([rendition]);
  });

  it('ends a lease by the database clock, regardless of the worker’s clock', async () => {
    await requestCutsFor([600]);
    await claim('first');
    ctx.clock.advance(300_000);
    expect(await claimNext(ctx, 'cut', 'second')).to.equal(null);
  });

  it('fails an item that crashed workers have begun too often, and removes the previous attempt’s files', async () => {
    await requestCutsFor([60]);
    const lost = await claim('first');
    const folder = preparedFolder(lost.row);
    await ctx.storage.put(`${folder}/240p.m4s`, Buffer.from('half'), { contentType: 'video/mp4' });
    await endLeases();
    await prepareAll(ctx);
    expect(await storedKeys(ctx, folder)).to.be.empty;
    const begunTwelveTimes = (returns: number): Promise<number> =>
      changeRows(ctx, CastCut, {}, { attempt: 12, returns, state: 'WAITING' });
    await begunTwelveTimes(1);
    await prepareAll(ctx);
    expect((await cuts())[0]?.failureDetail).to.not.include('begun');
    await begunTwelveTimes(0);
    await prepareAll(ctx);
    const [row] = await cuts();
    expect(row).to.include({ state: 'FAILED', failureDetail: 'preparation has begun 13 times' });
  });

  it('queues items without a living worker in the sweep', async () => {
    await requestCutsFor([60, 60, -1]);
    await claim('first');
    expect(await requeuePreparations(ctx)).to.equal(1);
    await endLeases();
    expect(await requeuePreparations(ctx)).to.equal(2);
  });

  it('retries a failed item after an hour if it is still requested', async () => {
    const { signal } = new AbortController();
    const contentId = randomUUID();
    const want = { contentId, generation: 1, firstFrame: 0, endFrame: 50, neededUntil: soon(86_400) };
    await requestCuts(ctx, [want]);
    await failPreparation(ctx, await claim('first'), 'the store is full');
    await requestCuts(ctx, [want]);
    expect(await removeUnneeded(ctx, signal)).to.equal(0);
    expect((await cuts()).map(({ state }) => state)).to.deep.equal(['FAILED']);
    ctx.clock.advance(3_601_000);
    expect(await removeUnneeded(ctx, signal)).to.equal(1);
    await requestCuts(ctx, [want]);
    expect((await cuts()).map(({ state }) => state)).to.deep.equal(['WAITING']);
  });

  it('removes rows and files an hour after their last use in the sweep, but never the default slate', async () => {
    await requestCutsFor([60, 600]);
    for (const owner of ['a', 'b']) {
      const claimed = await claim(owner);
      await ctx.storage.put(`${preparedFolder(claimed.row)}/240p.m4s`, Buffer.from('cut'), {
        contentType: 'video/mp4',
      });
      await completePreparation(ctx, claimed, { renditions: [rendition] });
    }
    await ctx.db.model(CastSlate).create({
      ...{ id: randomUUID(), channelId: null, digest: 'default-1', lines: [], state: 'READY', folder: 'default' },
      ...{ showsFrom: new Date(0), neededUntil: new Date('9999-12-31T00:00:00Z'), createdAt: ctx.clock.now() },
    });
    const { signal } = new AbortController();
    ctx.clock.advance(3_650_000);
    expect(await removeUnneeded(ctx, signal)).to.equal(0);
    ctx.clock.advance(20_000);
    expect(await removeUnneeded(ctx, signal)).to.equal(1);
    const [kept] = await cuts();
    const orphan = `cast/${randomUUID()}-00/240p.m4s`;
    const stored = await storedKeys(ctx, 'cast');
    expect(stored).to.deep.equal([`cast/${kept?.folder}/240p.m4s`]);
    expect(await unknownCastFiles(ctx, [...stored, orphan])).to.deep.equal([orphan]);
    expect(await ctx.db.model(CastSlate).count()).to.equal(1);
  });
});
