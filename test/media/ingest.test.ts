import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { endRunOf } from '../../shared/streaming/liveRun.lifecycle.js';
import { releaseStream } from '../../shared/streaming/streamPath.service.js';
import { offerRun } from '../../shared/streaming/offeredRun.lifecycle.js';
import { LiveRun } from '../../shared/streaming/streaming.model.js';
import { openTestContext } from '../support/context.js';
import { eventually } from '../support/eventually.js';
import { useFixture } from '../support/fixtures.js';
import { makeVideo } from '../support/media.js';
import { startEncoder, type Encoder } from '../support/rtmp/encoder.js';
import { RtmpClient } from '../support/rtmp/rtmpClient.js';
import { startTestLive, type TestLive } from '../support/live/liveProcess.js';
import { challengeAddress, keyAddress, makePublisher, streamKey, type Publisher } from '../support/liveStreams.js';

describe('the live process', function () {
  this.timeout(30_000);
  let live: TestLive;
  const ctx = useFixture(() =>
    openTestContext({
      ...{ RTMP_HOST: '127.0.0.1', RTMP_PORT: '0', LIVE_CONCURRENCY: '1', LIVE_RECONNECT_SECONDS: '5' },
      LIVE_PULL_URL: 'rtmp://127.0.0.1/{streamPath}',
    }),
  );
  beforeEach(async () => {
    live = await startTestLive(ctx);
  });
  afterEach(() => live.close());

  const runsOf = ({ streamId }: Publisher): Promise<LiveRun[]> =>
    ctx.db.model(LiveRun).findAll({ where: { streamId }, order: [['openedAt', 'ASC']] });

  describe('with encoders', () => {
    let clip: string;
    let publisher: Publisher;
    const encoders: Encoder[] = [];

    before(async () => {
      clip = await makeVideo({ seconds: 2, size: '160x90' });
    });
    beforeEach(async () => {
      publisher = await makePublisher(ctx);
    });
    afterEach(async () => {
      await Promise.all(encoders.splice(0).map((encoder) => encoder.kill()));
      expect(live.log.filter((line) => line.includes(publisher.livePassword))).to.deep.equal([]);
    });

    function publish(address: string, isLive = true): Encoder {
      const encoder = startEncoder(clip, address, { isLive });
      encoders.push(encoder);
      return encoder;
    }

    /** The packager of a publication, as soon as it has received media. */
    function receiving(index: number): Promise<TestLive['packaged'][number]> {
      return eventually(() => {
        const run = live.packaged[index];
        if (!run || run.bytes === 0) throw new Error(`no media in publication ${index}: ${live.log.join('')}`);
        return run;
      });
    }

    it('packages a stream, and ends its run with the connection', async () => {
      const { code, printed } = await publish(keyAddress(live.port, publisher), false).ended;
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

    it('rejects a valid live password after 15 failures from the same address', async () => {
      const attempt = async (login: Publisher): Promise<unknown> => {
        const client = await RtmpClient.connect(live.port);
        const status = await client.publish('key', streamKey(login)).finally(() => client.destroy());
        return status.get('code');
      };
      for (let count = 0; count < 15; count += 1)
        expect(await attempt({ ...publisher, livePassword: 'wrong' })).to.equal('NetStream.Publish.Denied');
      expect(await attempt(publisher)).to.equal('NetStream.Publish.Denied');
      expect(live.logged('publish refused').at(-1)).to.include({ detail: 'too many rejected attempts' });
      expect(live.packaged).to.have.length(0);
    });

    it('keeps an encoder’s slot while another encoder tries to publish its stream, also if all slots are in use', async () => {
      publish(challengeAddress(live.port, publisher));
      await receiving(0);
      const second = await publish(challengeAddress(live.port, publisher)).ended;
      expect(second.printed).to.include('Another encoder is publishing to this stream.');
      expect(live.logged('publish refused').at(-1)).to.include({ streamPath: publisher.streamPath });
      expect((await runsOf(publisher)).map(({ state }) => state)).to.deep.equal(['OPEN']);
    });

    it('lets an encoder replace the pulled run of its stream, also if all slots are in use', async () => {
      const { streamId, ownerId } = publisher;
      await offerRun(ctx, {
        streamId,
        ownerId,
        serverKey: streamId,
        pullUrl: 'rtmp://192.0.2.1/x',
        clientAddress: null,
      });
      await eventually(() => expect(live.packaged[0]?.options.source).to.have.property('url'));
      // The pulled run has never received media.
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

    it('disconnects the encoder of a deleted stream and stops the packager', async () => {
      const encoder = publish(keyAddress(live.port, publisher));
      const { options } = await receiving(0);
      await ctx.db.transaction((tx) => releaseStream(ctx, tx, publisher.streamId));
      expect((await encoder.ended).code).not.to.equal(0);
      expect(options.signal.aborted).to.equal(true);
      await eventually(() => expect(live.logged('publish ended')[0]).to.include({ reason: 'channel deleted' }));
      expect((await runsOf(publisher))[0]).to.include({ endReason: 'channel deleted' });
    });

    it('ends all runs when it stops, and reports media in renewals before', async () => {
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
      expect((await publish(keyAddress(live.port, publisher)).ended).code).not.to.equal(0);
    });

    it('mails the owner once about a run that continues with fewer renditions', async () => {
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

  describe('with publications of external servers', () => {
    async function offered(): Promise<Publisher & { serverKey: string }> {
      const publisher = await makePublisher(ctx);
      const serverKey = randomUUID();
      const { streamId, ownerId, streamPath } = publisher;
      const pullUrl = `rtmp://user:secret@media.example.org/live/${streamPath}`;
      await offerRun(ctx, { streamId, ownerId, serverKey, pullUrl, clientAddress: null });
      return { ...publisher, serverKey };
    }

    const packager = (index: number): Promise<TestLive['packaged'][number]> =>
      eventually(() => live.packaged[index] ?? expect.fail(`no packager ${index}`));

    it('pulls as many as it has slots, without logging their URLs', async () => {
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
      expect(options.signal.aborted, 'before the second run started').to.equal(true);
      expect(await runsOf(first)).to.have.length(1);
      expect((await runsOf(second))[0]).to.include({ state: 'OPEN' });
      expect(live.log.join('')).not.to.include('secret');
    });

    it('continues a pulled run in a new run of the same session after the packager or the process has ended', async () => {
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

    it('fills its slots, while a second process fills its own and further runs wait', async () => {
      const other = await startTestLive(ctx);
      try {
        const publishers = [await offered(), await offered(), await offered()];
        await eventually(() => expect([live, other].map(({ packaged }) => packaged.length)).to.deep.equal([1, 1]));
        const states = async (): Promise<(string | undefined)[]> =>
          (await Promise.all(publishers.map(runsOf))).map(([run]) => run?.state);
        // Without media, a run ends after five seconds and releases its slot.
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

    it('retries a run until media arrives, and ends it after LIVE_RECONNECT_SECONDS without media', async () => {
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
});
