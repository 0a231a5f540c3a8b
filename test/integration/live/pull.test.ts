import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { endRunOf } from '../../../shared/streaming/liveRun.lifecycle.js';
import { offerRun } from '../../../shared/streaming/offeredRun.lifecycle.js';
import { LiveRun } from '../../../shared/streaming/streaming.model.js';
import { openTestContext, type TestContext } from '../../support/context.js';
import { eventually } from '../../support/eventually.js';
import { startTestLive, type TestLive } from '../../support/live/liveProcess.js';
import { makePublisher, type Publisher } from '../../support/live/publishers.js';

describe('live process: publications of external servers', function () {
  this.timeout(30_000);
  let ctx: TestContext;
  let live: TestLive;

  before(async () => {
    const settings = {
      ...{ RTMP_HOST: '127.0.0.1', RTMP_PORT: '0', LIVE_CONCURRENCY: '1', LIVE_RECONNECT_SECONDS: '5' },
      LIVE_PULL_URL: 'rtmp://127.0.0.1/{streamPath}',
    };
    ctx = await openTestContext(settings);
  });
  beforeEach(async () => {
    live = await startTestLive(ctx);
  });
  afterEach(() => live.close());
  after(() => ctx?.close());

  async function offered(): Promise<Publisher & { serverKey: string }> {
    const publisher = await makePublisher(ctx);
    const serverKey = randomUUID();
    const { streamId, ownerId, streamPath } = publisher;
    const pullUrl = `rtmp://user:secret@media.example.org/live/${streamPath}`;
    await offerRun(ctx, { streamId, ownerId, serverKey, pullUrl, clientAddress: null });
    return { ...publisher, serverKey };
  }

  const runsOf = ({ streamId }: Publisher): Promise<LiveRun[]> =>
    ctx.db.model(LiveRun).findAll({ where: { streamId }, order: [['openedAt', 'ASC']] });

  const packager = (index: number): Promise<TestLive['packaged'][number]> =>
    eventually(() => live.packaged[index] ?? expect.fail(`no packager ${index}`));

  it('are pulled while there are places, and their addresses are not logged', async () => {
    const first = await offered();
    const { options } = await packager(0);
    expect(options.source).to.include({
      url: `rtmp://user:secret@media.example.org/live/${first.streamPath}`,
    });
    const second = await offered();
    options.onMedia?.(new Date(), 70_000);
    await eventually(async () => expect(Number((await runsOf(first))[0]?.receivedBytes)).to.equal(70_000));
    await endRunOf(ctx, { serverKey: first.serverKey, reason: 'unpublished' });
    await packager(1);
    expect(options.signal.aborted, 'before the second was taken').to.equal(true);
    expect(await runsOf(first)).to.have.length(1);
    expect((await runsOf(second))[0]).to.include({ state: 'OPEN' });
    expect(live.log.join('')).not.to.include('secret');
  });

  it('go on as a new run of the same session when the packager has ended, or the process', async () => {
    const publisher = await offered();
    const first = await packager(0);
    first.options.onMedia?.(new Date(), 1000);
    first.end();
    const second = await packager(1);
    second.options.onMedia?.(new Date(), 1000);
    await live.close();
    live = await startTestLive(ctx);
    await packager(0);
    const runs = await runsOf(publisher);
    expect(runs.map(({ state }) => state)).to.deep.equal(['ENDED', 'ENDED', 'OPEN']);
    expect(new Set(runs.map(({ sessionId }) => sessionId)).size).to.equal(1);
  });

  it('are shared by two live processes: each takes as many as it has places, another one waits', async () => {
    const other = await startTestLive(ctx);
    try {
      const publishers = [await offered(), await offered(), await offered()];
      await eventually(() => expect([live, other].map(({ packaged }) => packaged.length)).to.deep.equal([1, 1]));
      const states = async (): Promise<(string | undefined)[]> =>
        (await Promise.all(publishers.map(runsOf))).map(([run]) => run?.state);
      // Without media they end after five seconds, and another place is free.
      for (const { packaged } of [live, other]) packaged[0]!.options.onMedia?.(new Date(), 1000);
      expect(await states()).to.deep.equal(['OPEN', 'OPEN', 'OFFERED']);
      const [first] = publishers;
      await endRunOf(ctx, { serverKey: first!.serverKey, reason: 'unpublished' });
      await eventually(async () => expect(await states()).to.deep.equal(['ENDED', 'OPEN', 'OPEN']));
      expect(live.packaged.length + other.packaged.length).to.equal(3);
      for (const { serverKey } of publishers) await endRunOf(ctx, { serverKey, reason: 'unpublished' });
    } finally {
      await other.close();
    }
  });

  it('are tried again until they send media, and ended after LIVE_RECONNECT_SECONDS without any', async () => {
    const publisher = await offered();
    (await packager(0)).end();
    (await packager(1)).end();
    await eventually(async () => {
      const [run, ...others] = await runsOf(publisher);
      expect(run).to.include({ state: 'ENDED', endReason: 'no media' });
      expect(others).to.deep.equal([]);
    });
  });
});
