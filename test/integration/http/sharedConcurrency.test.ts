import { expect } from 'chai';
import { ContextParts } from '../../../shared/platform/contextParts.js';
import { TooManyRequestsError } from '../../../shared/platform/errors.js';
import { sharedConcurrency, SharedConcurrency } from '../../../shared/platform/sharedConcurrency.js';
import { SharedCount } from '../../../shared/platform/sharedConcurrency.model.js';
import { deleteEndedSharedCounts } from '../../../shared/platform/endedCounts.js';
import { registerUser, startApi } from '../../support/api.js';
import { seedBoxItem } from '../../support/contents.js';
import { eventually } from '../../support/eventually.js';
import { rejection } from '../../support/rejection.js';
import { serviceFixture } from '../../support/service.js';

describe('concurrency limits across processes', () => {
  const { ctx, api } = serviceFixture();
  const process = (): SharedConcurrency => new SharedConcurrency(ctx.db, ctx.log);
  const refused = async (concurrency: SharedConcurrency, key: string, maximum: number): Promise<void> =>
    void expect(await rejection(concurrency.enter(key, maximum))).to.be.instanceOf(TooManyRequestsError);

  it('permit the maximum in all processes together, and another entry after one has ended', async () => {
    const [first, second] = [process(), process()];
    const leave = await first.enter('film:1', 2);
    await second.enter('film:1', 2);
    await refused(first, 'film:1', 2);
    await refused(second, 'film:1', 2);
    await second.enter('film:2', 2);
    leave();
    leave();
    await eventually(() => second.enter('film:1', 2));
    await refused(first, 'film:1', 2);
    await Promise.all([first.close(), second.close()]);
    const third = process();
    await third.enter('film:1', 1);
    await third.close();
    expect(await ctx.db.model(SharedCount).count({ where: { key: ['film:1', 'film:2'] } })).to.equal(0);
  });

  it('never permit more than the maximum for simultaneous entries', async () => {
    const processes = [process(), process(), process(), process()];
    const entering = processes.flatMap((one) => Array.from({ length: 10 }, () => one.enter('film:3', 10)));
    const entered = (await Promise.allSettled(entering)).filter(({ status }) => status === 'fulfilled');
    expect(entered.length).to.be.at.most(10);
    await Promise.all(processes.map((one) => one.close()));
  });

  it('ignore a crashed process, and count a process again whose rows were lost', async () => {
    const [dead, alive] = [process(), process()];
    await dead.enter('film:4', 1);
    await refused(alive, 'film:4', 1);
    const past = new Date(Date.now() - 1_000);
    await ctx.db.model(SharedCount).update({ leaseUntil: past }, { where: { key: 'film:4' } });
    await alive.enter('film:4', 1);
    expect(await deleteEndedSharedCounts(ctx, new AbortController().signal)).to.equal(1);
    await ctx.db.model(SharedCount).destroy({ where: { key: 'film:4' } });
    await alive.renew();
    await refused(process(), 'film:4', 1);
    await Promise.all([dead.close(), alive.close()]);
  });

  it('limit the event streams of a user', async () => {
    const ann = await registerUser(api);
    const { boxId } = await seedBoxItem(ctx, ann.userId, { state: 'PENDING' });
    const other = await startApi({ ...ctx, parts: new ContextParts([[sharedConcurrency, process()]]) });
    const aborts = new AbortController();
    const open = async ({ url }: { readonly url: string }): Promise<number> => {
      const headers = { Authorization: `Bearer ${ann.token}` };
      const response = await fetch(`${url}/api/box/${boxId}/status/events`, { headers, signal: aborts.signal });
      return response.status;
    };
    try {
      for (let stream = 0; stream < 20; stream += 1) expect(await open(stream % 2 ? api : other)).to.equal(200);
      expect(await open(api)).to.equal(429);
      expect(await open(other)).to.equal(429);
    } finally {
      aborts.abort();
      await other.close();
    }
  });
});
