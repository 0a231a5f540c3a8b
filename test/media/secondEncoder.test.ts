import { expect } from 'chai';
import { LiveSegment, LiveStream } from '../../shared/streaming/streaming.model.js';
import { maxStoringMs } from '../../workers/live/publishDecisions.js';
import type { packageRun } from '../../workers/live/packaging/packageRun.js';
import { openTestContext, withRealClock, type TestContext } from '../support/context.js';
import { eventually } from '../support/eventually.js';
import { startTestLive, type TestLive } from '../support/live/liveProcess.js';
import { keyAddress, makePublisher, streamKey, type Publisher, makeSegment, runsOf } from '../support/liveStreams.js';
import { makeVideo } from '../support/media.js';
import { rowsOf } from '../support/requirements.js';
import { startEncoder, type Encoder } from '../support/rtmp/encoder.js';
import { media, RtmpClient } from '../support/rtmp/rtmpClient.js';

const started = 'NetStream.Publish.Start';
const taken = 'Another encoder is publishing to this stream. Stop it first.';

describe('a second encoder of a live stream', function () {
  this.timeout(60_000);
  let ctx: TestContext;
  let first: TestLive;
  let second: TestLive;
  let clip: string;
  let publisher: Publisher;
  const encoders: Encoder[] = [];
  /** Resolves when the last segments of ended runs are stored. */
  let stored = Promise.resolve();

  /** Received media payloads by run. */
  const received = new Map<string, Buffer[]>();

  /** A packager that stores one segment of each run at its end. */
  const pack: typeof packageRun = async ({ source, run }) => {
    const payloads: Buffer[] = [];
    received.set(run.runId, payloads);
    if (!('url' in source))
      for await (const batch of source.tags) payloads.push(...batch.map(({ payload }) => payload));
    await stored;
    await makeSegment(ctx, run, { startsAt: new Date() });
    return { reason: 'source ended' };
  };

  before(async () => {
    clip = await makeVideo({ seconds: 2, size: '160x90' });
    ctx = await openTestContext({ RTMP_HOST: '127.0.0.1', RTMP_PORT: '0', LIVE_CONCURRENCY: '4' });
    // Idle time is measured in real time.
    [first, second] = [await startTestLive(withRealClock(ctx), pack), await startTestLive(withRealClock(ctx), pack)];
  });
  beforeEach(async () => {
    ctx.limits.delete(maxStoringMs);
    publisher = await makePublisher(ctx);
  });
  afterEach(() => Promise.all(encoders.splice(0).map((encoder) => encoder.kill())));
  after(async () => {
    await first?.close();
    await second?.close();
    await ctx?.close();
  });

  function publish({ port }: TestLive): Encoder {
    const encoder = startEncoder(clip, keyAddress(port, publisher), { isLive: true });
    encoders.push(encoder);
    return encoder;
  }

  /** An encoder that has sent media, then nothing, and keeps its connection open. */
  async function publishAndFallSilent(live: TestLive): Promise<RtmpClient> {
    const client = await RtmpClient.connect(live.port);
    expect((await client.publish('key', streamKey(publisher))).get('code')).to.equal(started);
    for (const payload of [media.configuration, media.keyframe, media.frame]) client.video(payload);
    await untilRuns('OPEN');
    return client;
  }

  /** An encoder that has disconnected. Its last segments are stored when the returned function is called. */
  async function publishAndLeave(): Promise<() => void> {
    let store = (): void => {};
    stored = new Promise((resolve) => (store = resolve));
    const one = publish(first);
    await untilRuns('OPEN');
    await one.kill();
    await eventually(async () => {
      const [run] = await runsOf(ctx, publisher.streamId);
      expect(run?.encoderLeftAt).to.be.instanceOf(Date);
      expect(run).to.include({ state: 'OPEN' });
    });
    return store;
  }

  const untilWaiting = async (live: TestLive): Promise<void> => {
    const { streamPath } = publisher;
    await eventually(() =>
      expect(live.logged('publish waits for the last segments of the previous run').at(-1)).to.include({ streamPath }),
    );
  };

  const untilRuns = (...states: readonly string[]): Promise<unknown> =>
    eventually(async () =>
      expect((await runsOf(ctx, publisher.streamId)).map(({ state }) => state)).to.deep.equal(states),
    );

  const refused = async () =>
    (await ctx.db.model(LiveStream).findByPk(publisher.streamId, { rejectOnEmpty: true })).refusedEncoder;

  const places = [
    { name: 'the same process', other: () => first },
    { name: 'another process', other: () => second },
  ];
  const [same, another] = places.map(({ name }) => rowsOf(places, [name]));

  for (const { name: where, other } of another ?? [])
    it(`is rejected with the reason, for every attempt at ${where}, while the first encoder sends media`, async () => {
      const one = publish(first);
      await untilRuns('OPEN');
      for (let attempt = 0; attempt < 2; attempt += 1) {
        const client = await RtmpClient.connect(other().port);
        const status = await client.publish('key', streamKey(publisher));
        client.destroy();
        expect([status.get('code'), status.get('description')]).to.deep.equal(['NetStream.Publish.Denied', taken]);
      }
      expect(one.process.exitCode).to.equal(null);
      await untilRuns('OPEN');
      expect(await refused()).to.include({ reason: 'ALREADY_PUBLISHED', address: '127.0.0.1' });
    });

  for (const { name: where, other } of same ?? [])
    it(`takes over from a connected but idle encoder at its first attempt, at ${where}`, async () => {
      const silent = await publishAndFallSilent(first);
      publish(other());
      await untilRuns('ENDED', 'OPEN');
      const [old] = await runsOf(ctx, publisher.streamId);
      expect(old).to.include({ endReason: 'taken over' });
      expect(await refused()).to.equal(null);
      silent.destroy();
    });

  for (const { name: where, other } of another ?? [])
    it(`waits for the last segments of a disconnected encoder, and loses no media, at ${where}`, async () => {
      const store = await publishAndLeave();
      const client = await RtmpClient.connect(other().port);
      expect((await client.publish('key', streamKey(publisher))).get('code')).to.equal(started);
      const sent = [media.configuration, media.keyframe, media.frame];
      for (const payload of sent) client.video(payload);
      await untilWaiting(other());
      store();
      await untilRuns('ENDED', 'OPEN');
      client.destroy();
      await untilRuns('ENDED', 'ENDED');
      const [old, run] = await runsOf(ctx, publisher.streamId);
      expect(old?.endReason).not.to.equal('taken over');
      expect(received.get(run?.id ?? '')).to.deep.equal(sent);
      const order = { order: ['sequence'] } as const;
      const segments = await ctx.db
        .model(LiveSegment)
        .findAll({ where: { sessionId: run?.sessionId ?? '' }, ...order });
      expect(segments.map(({ runId }) => runId)).to.deep.equal([old?.id, run?.id]);
    });

  for (const { name: where, other } of same ?? [])
    it(`takes over from a disconnected encoder whose last segments are not stored in time, at ${where}`, async () => {
      ctx.limits.set(maxStoringMs, 1_500);
      const store = await publishAndLeave();
      publish(other());
      await untilWaiting(other());
      await untilRuns('ENDED', 'OPEN');
      const [old] = await runsOf(ctx, publisher.streamId);
      expect(old).to.include({ endReason: 'taken over' });
      store();
    });

  it('is rejected for all but one of ten encoders that start together on two processes', async () => {
    const all = Array.from({ length: 10 }, (_, index) => publish(index % 2 === 0 ? first : second));
    const running = () => all.filter(({ process }) => process.exitCode === null);
    await eventually(() => expect(running()).to.have.length(1), { timeoutMs: 40_000 });
    await untilRuns('OPEN');
    for (const encoder of all.filter((one) => !running().includes(one)))
      expect((await encoder.ended).printed).to.include(taken);
  });

  it('leaves no run, session or event if its codec is rejected, and its owner sees the codec', async () => {
    const hevc = Buffer.from('90687663310000000000', 'hex');
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const client = await RtmpClient.connect(first.port);
      expect((await client.publish('key', streamKey(publisher))).get('code')).to.equal(started);
      client.received.length = 0;
      client.video(hevc);
      const status = await client.response('onStatus');
      expect([...status.values()]).to.deep.equal([
        'error',
        'NetStream.Publish.Denied',
        'unsupported codec: video H.265 (HEVC). Send H.264 video, with AAC or MP3 audio.',
      ]);
      client.destroy();
    }
    await eventually(async () =>
      expect(await refused()).to.include({ reason: 'UNSUPPORTED_CODEC', codec: 'video H.265 (HEVC)' }),
    );
    expect(await runsOf(ctx, publisher.streamId)).to.deep.equal([]);
    publish(first);
    await untilRuns('OPEN');
    expect(await refused()).to.equal(null);
  });
});
