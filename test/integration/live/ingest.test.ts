import { expect } from 'chai';
import { releaseStream } from '../../../shared/streaming/streamPath.service.js';
import { offerRun } from '../../../shared/streaming/offeredRun.lifecycle.js';
import { LiveRun } from '../../../shared/streaming/streaming.model.js';
import { openTestContext, type TestContext } from '../../support/context.js';
import { eventually } from '../../support/eventually.js';
import { makeVideo } from '../../support/media.js';
import { startEncoder, type Encoder } from '../../support/rtmp/encoder.js';
import { startTestLive, type TestLive } from '../../support/live/liveProcess.js';
import { challengeAddress, keyAddress, makePublisher, type Publisher } from '../../support/live/publishers.js';
import { changeRow } from '../../support/rows.js';
import { User } from '../../../shared/user/user.model.js';
import { disableUser } from '../../support/users.js';
import { useUpStreaming } from '../../support/licenses.js';

describe('live process: encoders', function () {
  this.timeout(30_000);
  let ctx: TestContext;
  let live: TestLive;
  let clip: string;
  let publisher: Publisher;
  const encoders: Encoder[] = [];

  before(async () => {
    clip = await makeVideo({ seconds: 2, size: '160x90' });
    const settings = {
      ...{ RTMP_HOST: '127.0.0.1', RTMP_PORT: '0', LIVE_CONCURRENCY: '1', LIVE_RECONNECT_SECONDS: '5' },
      LIVE_PULL_URL: 'rtmp://127.0.0.1/{streamPath}',
    };
    ctx = await openTestContext(settings);
  });
  beforeEach(async () => {
    live = await startTestLive(ctx);
    publisher = await makePublisher(ctx);
  });
  afterEach(async () => {
    await Promise.all(encoders.splice(0).map((encoder) => encoder.kill()));
    await live.close();
    expect(live.log.filter((line) => line.includes(publisher.livePassword))).to.deep.equal([]);
  });
  after(() => ctx?.close());

  function publish(address: string, isLive = true): Encoder {
    const encoder = startEncoder(clip, address, { isLive });
    encoders.push(encoder);
    return encoder;
  }

  const runsOf = ({ streamId }: Publisher): Promise<LiveRun[]> =>
    ctx.db.model(LiveRun).findAll({ where: { streamId }, order: [['openedAt', 'ASC']] });

  /** The packager of the given publication, when it has media. */
  function receiving(index: number): Promise<TestLive['packaged'][number]> {
    return eventually(() => {
      const run = live.packaged[index];
      if (!run || run.bytes === 0) throw new Error(`no media in publication ${index}: ${live.log.join('')}`);
      return run;
    });
  }

  for (const [what, addressOf] of [
    ['Adobe’s challenge', challengeAddress],
    ['credentials in the stream key', keyAddress],
  ] as const)
    it(`are packaged after a login with ${what}, and the run ends with them`, async () => {
      const { code, printed } = await publish(addressOf(live.port, publisher), false).ended;
      expect(code, printed).to.equal(0);
      const { options, bytes } = await receiving(0);
      await eventually(async () => {
        const [run] = await runsOf(publisher);
        expect(run).to.include({ id: options.run.runId, state: 'ENDED', source: 'RTMP', clientAddress: '127.0.0.1' });
        expect(run).to.include({ endReason: 'unpublished' });
      });
      expect(bytes).to.be.greaterThan(10_000);
      const { streamPath } = publisher;
      const { runId, sessionId } = options.run;
      expect(live.logged('publish started')).to.deep.equal([{ streamPath, runId, sessionId, source: 'RTMP' }]);
      const [ended] = live.logged('publish ended');
      expect(ended).to.include({ streamPath, runId, reason: 'unpublished' });
    });

  it('are refused without the right login, path and hours: no run, and not a byte for the packager', async () => {
    const { port } = live;
    const [other, disabled, without, used] = await Promise.all([1, 2, 3, 4].map(() => makePublisher(ctx)));
    if (!other || !disabled || !without || !used) return expect.fail();
    await disableUser(ctx, disabled.ownerId);
    await changeRow(ctx, User, without.ownerId, { livePassword: null });
    await useUpStreaming(ctx, used.ownerId);
    const { userCode, livePassword, streamPath } = publisher;
    const cases: readonly (readonly [address: string, detail: string | undefined])[] = [
      [challengeAddress(port, { ...publisher, livePassword: 'wrong' }), 'wrong live password'],
      [keyAddress(port, { ...publisher, livePassword: 'wrong' }), 'wrong live password'],
      [`rtmp://127.0.0.1:${port}/key/${streamPath}`, undefined],
      [keyAddress(port, { ...publisher, userCode: 'nobody' }), 'unknown user'],
      [keyAddress(port, { ...publisher, streamPath: 'nowhere' }), 'unknown stream path'],
      [challengeAddress(port, { userCode, livePassword, streamPath: other.streamPath }), 'stream of another user'],
      [keyAddress(port, disabled), 'user disabled or not activated'],
      [keyAddress(port, without), 'user has no live password'],
      [keyAddress(port, used), 'streaming hours used up'],
    ];
    for (const [address, detail] of cases) {
      const { code, printed } = await publish(address, false).ended;
      expect(code, `${detail}: ${printed}`).not.to.equal(0);
      expect(live.logged('publish refused').at(-1), address).to.include(detail === undefined ? {} : { detail });
    }
    expect(live.logged('publish refused')).to.have.length(cases.length);
    expect(live.packaged).to.have.length(0);
    for (const one of [publisher, other, disabled, without, used]) expect(await runsOf(one)).to.deep.equal([]);
    expect(await live.metrics.registry.getSingleMetricAsString('live_publish_refused_total')).to.include(
      `} ${cases.length}`,
    );
  });

  it('cannot guess live passwords: after 15 failures the right one is refused too, from this address', async () => {
    const { userCode, streamPath } = publisher;
    const wrong = keyAddress(live.port, { userCode, streamPath, livePassword: 'wrong' });
    for (let round = 0; round < 3; round += 1)
      await Promise.all([1, 2, 3, 4, 5].map(() => publish(wrong, false).ended));
    expect((await publish(keyAddress(live.port, publisher), false).ended).code).not.to.equal(0);
    expect(live.logged('publish refused').at(-1)).to.include({ detail: 'too many refused attempts' });
    expect(live.packaged).to.have.length(0);
  });

  it('need a place: that of their own stream is theirs, also while another encoder publishes it', async () => {
    publish(challengeAddress(live.port, publisher));
    await receiving(0);
    const other = await makePublisher(ctx);
    const refused = await publish(keyAddress(live.port, other)).ended;
    expect(refused.printed).to.include('All places of this server are taken.');
    expect(await runsOf(other)).to.deep.equal([]);
    const second = await publish(challengeAddress(live.port, publisher)).ended;
    expect(second.printed).to.include('Another encoder is publishing this stream.');
    expect(live.logged('publish refused').at(-1)).to.include({ streamPath: publisher.streamPath });
    expect((await runsOf(publisher)).map(({ state }) => state)).to.deep.equal(['OPEN']);
  });

  it('replace the pulled run of their own stream, though all places are taken', async () => {
    const { streamId, ownerId } = publisher;
    await offerRun(ctx, { streamId, ownerId, serverKey: streamId, pullUrl: 'rtmp://192.0.2.1/x', clientAddress: null });
    await eventually(() => expect(live.packaged[0]?.options.source).to.have.property('url'));
    // Its media never came.
    ctx.clock.advance(21_000);
    publish(keyAddress(live.port, publisher));
    await receiving(1);
    await eventually(async () => {
      const runs = await runsOf(publisher);
      expect(runs.map(({ source, state }) => [source, state])).to.deep.equal([
        ['PULL', 'ENDED'],
        ['RTMP', 'OPEN'],
      ]);
    });
  });

  it('lose their connection when their stream is deleted, and the packager is stopped', async () => {
    const encoder = publish(keyAddress(live.port, publisher));
    const { options } = await receiving(0);
    await ctx.db.transaction((tx) => releaseStream(ctx, tx, publisher.streamId));
    expect((await encoder.ended).code).not.to.equal(0);
    expect(options.signal.aborted).to.equal(true);
    await eventually(() => expect(live.logged('publish ended')[0]).to.include({ reason: 'channel deleted' }));
    expect((await runsOf(publisher))[0]).to.include({ endReason: 'channel deleted' });
  });

  it('are ended in order when the process stops; renewals have shown their media before', async () => {
    publish(keyAddress(live.port, publisher));
    await receiving(0);
    await eventually(async () => expect((await runsOf(publisher))[0]?.lastMediaAt).to.be.instanceOf(Date));
    const text = await live.metrics.registry.metrics();
    expect(text).to.match(/live_runs\{source="RTMP",.*\} 1/);
    expect(Number(/live_received_bits_total\{.*\} (\d+)/.exec(text)?.[1])).to.be.greaterThan(80_000);
    await live.close();
    const [run] = await runsOf(publisher);
    expect(run).to.include({ state: 'ENDED', endReason: 'server closed' });
    expect(Number(run?.receivedBytes)).to.be.greaterThan(10_000);
    await eventually(async () => expect((await publish(keyAddress(live.port, publisher)).ended).code).not.to.equal(0));
  });

  it('owner gets one mail for a run that goes on with fewer renditions', async () => {
    await ctx.outbox.close();
    publish(keyAddress(live.port, publisher));
    const { options } = await receiving(0);
    options.onRenditionDropped?.({ name: '720p', remaining: ['480p', '240p'] });
    options.onRenditionDropped?.({ name: '480p', remaining: ['240p'] });
    const mails = await eventually(async () => {
      const rows = await ctx.db.rows<{ payload: object }>("SELECT payload FROM outbox WHERE job = 'user.notify'");
      expect(rows).not.to.have.length(0);
      return rows;
    });
    expect(mails.map(({ payload }) => payload)).to.deep.equal([
      {
        userId: publisher.ownerId,
        key: 'streaming.renditionDropped',
        values: { streamPath: publisher.streamPath, rendition: '720p' },
        event: options.run.runId,
      },
    ]);
  });
});
