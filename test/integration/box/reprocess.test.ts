import { randomUUID } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { reprocess } from '../../../scripts/reprocess.js';
import { BoxItem } from '../../../shared/box/box.model.js';
import { Content } from '../../../shared/content/content.model.js';
import { requeueIngestions } from '../../../shared/content/ingestion.lifecycle.js';
import { usageOf } from '../../../shared/license/usage.service.js';
import { OutboxJob } from '../../../shared/platform/queue/index.js';
import { seedBoxItem, type SeededItem, changeRow, changeRows, removeRows, storedRows } from '../../support/rows.js';
import { quotaMonth, setQuota } from '../../support/licenses.js';
import { serviceFixture } from '../../support/fixtures.js';
import { boxFixture } from './openBox.js';

describe('POST /api/box/:boxId/reprocess', () => {
  // A separate service, whose jobs stay in the outbox.
  const { ctx, user, other, call } = boxFixture(serviceFixture({}));
  before(() => ctx.outbox.close());

  const request = (boxId: string, as = user) => call('POST', `/api/box/${boxId}/reprocess`, undefined, as);

  /** Seeds an item with a stored source. */
  async function seeded(state: 'READY' | 'FAILED' = 'FAILED'): Promise<SeededItem> {
    const item = await seedBoxItem(ctx, user.userId, { state });
    const { sourceKey } = await contentOf(item);
    await ctx.storage.put(sourceKey, Buffer.from('a film'), { contentType: 'video/mp4' });
    const failure = { failedGeneration: 1, failureKey: 'content.failure.unreadable', mediaCounted: true };
    await changeRow(ctx, Content, item.contentId, state === 'FAILED' ? failure : { mediaCounted: true });
    return item;
  }
  async function contentOf({ contentId }: SeededItem): Promise<Content> {
    const [content] = await storedRows(ctx, Content, { id: contentId });
    if (!content) throw new Error('no content');
    return content;
  }
  /** Ends the processing of the newest generation. */
  async function ended(item: SeededItem, state: 'READY' | 'FAILED'): Promise<void> {
    const { generation } = await contentOf(item);
    const of = state === 'READY' ? { readyGeneration: generation } : { failedGeneration: generation };
    await changeRow(ctx, Content, item.contentId, { state, ...of });
  }
  const jobsOf = async ({ contentId }: SeededItem): Promise<string[]> =>
    (await storedRows(ctx, OutboxJob))
      .filter(({ payload }) => JSON.stringify(payload).includes(contentId))
      .map(({ job }) => job);

  it('200: sets a FAILED item to PENDING and clears its message', async () => {
    const item = await seeded();
    expect((await call('GET', `/api/box/${item.boxId}`)).body.message).to.contain('damaged');
    const { status, body } = await request(item.boxId);
    expect([status, body.status, body.message]).to.deep.equal([200, 'PENDING', undefined]);
    expect(await contentOf(item)).to.include({ generation: 2, failedGeneration: 1, quick: false, plan: null });
    expect(await jobsOf(item)).to.deep.equal(['content.ingestFully']);
  });

  it('200: keeps a READY item READY and reports its progress', async () => {
    const item = await seeded('READY');
    const { status, body } = await request(item.boxId);
    expect([status, body.status, body.preparing]).to.deep.equal([200, 'READY', 0]);
    expect(await contentOf(item)).to.include({ generation: 2, readyGeneration: 1 });
    await ended(item, 'FAILED');
    await changeRow(ctx, Content, item.contentId, { state: 'READY', failureKey: 'content.failure.internal' });
    const failed = (await call('GET', `/api/box/${item.boxId}`)).body;
    expect(failed).to.include({ status: 'READY' }).and.not.have.property('preparing');
    expect(failed.message).to.contain('could not be processed again');
  });

  it('200: counts media seconds once per content, for failed and for complete contents', async () => {
    const seconds = async (): Promise<number> => (await usageOf(ctx, user.userId)).mediaSeconds;
    const before = await seconds();
    const [failed, ready] = [await seeded(), await seeded('READY')];
    for (const { boxId } of [failed, ready]) expect((await request(boxId)).status).to.equal(200);
    expect((await seconds()) - before).to.equal(20);
    expect((await contentOf(failed)).mediaCounted).to.equal(true);
    expect((await contentOf(ready)).mediaCounted).to.equal(false);
  });

  it('returns 200 for one of several concurrent requests, and 409 for all others until processing ends', async () => {
    const item = await seeded();
    const answers = await Promise.all(Array.from({ length: 4 }, () => request(item.boxId)));
    expect(answers.map(({ status }) => status).toSorted((one, next) => one - next)).to.deep.equal([200, 409, 409, 409]);
    expect(await contentOf(item)).to.include({ generation: 2, reprocessings: 1 });
    expect(await jobsOf(item)).to.deep.equal(['content.ingestFully']);
    const { status, body } = await request(item.boxId);
    expect([status, body.message]).to.deep.equal([409, 'This content is already being processed.']);
  });

  it('returns 403 for an acquired item, and 404 for a deleted item and another user’s item', async () => {
    const item = await seeded();
    expect((await request(item.boxId, other)).status).to.equal(404);
    await changeRow(ctx, BoxItem, item.boxId, { source: 'MARKET_PLACE' });
    expect((await request(item.boxId)).status).to.equal(403);
    await changeRow(ctx, BoxItem, item.boxId, { source: 'UPLOAD' });
    await changeRow(ctx, Content, item.contentId, { state: 'DELETED' });
    expect((await request(item.boxId)).status).to.equal(404);
    await removeRows(ctx, BoxItem, { id: item.boxId });
    expect((await request(item.boxId)).status).to.equal(404);
  });

  it('returns 409 when the source is gone', async () => {
    const item = await seeded();
    await ctx.storage.remove([(await contentOf(item)).sourceKey]);
    const { status, body } = await request(item.boxId);
    expect([status, body.message]).to.deep.equal([
      409,
      'The uploaded file of this content no longer exists. Upload it again.',
    ]);
    expect(await contentOf(item)).to.include({ state: 'FAILED', generation: 1 });
  });

  it('returns 409 for the fourth request', async () => {
    const item = await seeded();
    for (let times = 0; times < 3; times += 1) {
      expect((await request(item.boxId)).status).to.equal(200);
      await ended(item, 'FAILED');
    }
    const { status, body } = await request(item.boxId);
    expect([status, body.message.includes('3 times')]).to.deep.equal([409, true]);
    expect(await run(item.contentId, '--yes')).to.deep.include({ code: 0 });
    expect((await contentOf(item)).generation).to.equal(5);
  });

  it('returns 409 far beyond the quota of media minutes', async () => {
    const item = await seeded();
    const { mediaSeconds } = await usageOf(ctx, user.userId);
    await setQuota(ctx, user.userId, { mediaSeconds: 1e9, mediaMonth: quotaMonth(ctx) });
    const { status, body } = await request(item.boxId);
    await setQuota(ctx, user.userId, { mediaSeconds });
    expect([status, body.exception]).to.deep.equal([409, 'MediaMinutesQuotaExceededException']);
  });

  it('continues when its job was lost', async () => {
    const item = await seeded();
    await request(item.boxId);
    await changeRows(ctx, OutboxJob, { job: 'content.ingestFully' }, { job: 'content.lost' });
    await requeueIngestions(ctx, new Date(ctx.clock.now().getTime() + 1000));
    expect(await jobsOf(item)).to.have.members(['content.lost', 'content.ingestFully']);
  });

  async function run(...parameters: string[]): Promise<{ code: number; text: string }> {
    const stream = new PassThrough();
    const code = await reprocess(ctx, parameters, stream as unknown as NodeJS.WriteStream);
    stream.end();
    return { code, text: (await stream.toArray()).join('') };
  }

  describe('npm run reprocess', () => {
    const moment = (minutes: number): string => new Date(ctx.clock.now().getTime() + minutes * 60_000).toISOString();
    const recent = () => ['--from', moment(-1), '--until', moment(1)];

    it('lists the contents, and with --yes processes them without counting media minutes', async () => {
      const item = await seeded('READY');
      const named = await run(item.contentId);
      expect([named.code, named.text.includes('Nothing was changed. With --yes these 1')]).to.deep.equal([0, true]);
      expect((await contentOf(item)).generation).to.equal(1);
      expect((await run('--yes', item.contentId)).text).to.equal(`content   ${item.contentId} is processed again\n`);
      expect(await contentOf(item)).to.include({ generation: 2, mediaCounted: true, reprocessings: 0 });
      expect((await run('--yes', item.contentId)).text).to.contain('is already being processed');
    });

    it('selects contents by failure key and period, or by upload period', async () => {
      const [failed, foreign, ready] = [await seeded(), await seeded(), await seeded('READY')];
      await changeRow(ctx, Content, foreign.contentId, { failureKey: 'content.failure.tooLong' });
      const byKey = (await run('--failed', 'content.failure.unreadable', ...recent())).text;
      expect(byKey).to.contain(failed.contentId).and.contain('FAILED content.failure.unreadable “video.mp4”');
      expect(byKey).to.not.contain(foreign.contentId).and.not.contain(ready.contentId);
      const uploaded = (await run('--uploaded', ...recent())).text;
      for (const { contentId } of [failed, foreign, ready]) expect(uploaded).to.contain(contentId);
      const earlier = await run('--uploaded', '--from', moment(-9), '--until', moment(-8));
      expect([earlier.code, earlier.text.includes('No matching content')]).to.deep.equal([0, true]);
      expect((await run('--failed', 'content.failure.unreadable', ...recent(), '--yes')).text).to.contain(
        `${failed.contentId} is processed again`,
      );
      expect((await contentOf(failed)).state).to.equal('PENDING');
    });

    it('exits with 1 for a missing content, a missing source and unknown parameters', async () => {
      const item = await seeded();
      await ctx.storage.remove([(await contentOf(item)).sourceKey]);
      expect(await run(item.contentId, '--yes')).to.deep.equal({
        code: 1,
        text: `content   ${item.contentId} cannot be processed: its source was deleted\n`,
      });
      expect((await run(randomUUID(), '--yes')).text).to.contain('does not exist');
      for (const wrong of [[], ['x'], ['--failed', ...recent()], ['--uploaded', '--from', 'x', '--until', moment(1)]])
        expect(await run(...wrong), wrong.join(' ')).to.include({ code: 1 });
    });
  });
});
