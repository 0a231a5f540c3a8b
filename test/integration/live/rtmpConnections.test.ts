import { expect } from 'chai';
import { adobeResponse } from '../../../workers/rtmp/adobeChallenge.js';
import { readName } from '../../../workers/rtmp/encoderCredentials.js';
import { encodeAmf0 } from '../../../workers/rtmp/amf0.js';
import { flvTagType, writeFlvTag, type FlvTag } from '../../../shared/media/flv/index.js';
import { messageType } from '../../../workers/rtmp/rtmpMessage.js';
import type { RtmpPublication } from '../../../workers/rtmp/publication.js';
import { eventually, rejection } from '../../support/eventually.js';
import { media, RtmpClient } from '../../support/rtmp/rtmpClient.js';
import { alice, decide, keyOf, startTestRtmp, type TestRtmp } from '../../support/rtmp/testServer.js';

async function readOnce({ tags }: RtmpPublication<string>): Promise<void> {
  for await (const _batch of tags) return;
}

describe('RTMP connections', () => {
  let server: TestRtmp;
  const clients: RtmpClient[] = [];

  const start = async (...options: Parameters<typeof startTestRtmp>): Promise<void> => {
    server = await startTestRtmp(...options);
  };
  const client = async (): Promise<RtmpClient> => {
    const connected = await RtmpClient.connect(server.port);
    clients.push(connected);
    return connected;
  };
  /** An encoder that publishes its stream. */
  const publisher = async (): Promise<{
    encoder: RtmpClient;
    publication: RtmpPublication<string>;
    tags: FlvTag[];
  }> => {
    const encoder = await client();
    expect((await encoder.publish('key', keyOf(alice))).get('code')).to.equal('NetStream.Publish.Start');
    const taken = server.taken.at(-1) ?? expect.fail('nothing was taken');
    return { encoder, ...taken };
  };
  const videoTag = (timestampMs: number, payload: Buffer): FlvTag => ({ type: flvTagType.video, timestampMs, payload });

  afterEach(async () => {
    for (const one of clients.splice(0)) one.destroy();
    await server.stop();
  });

  it('accept a connect without tcUrl, and store the configuration before the media', async () => {
    await start();
    const { encoder, publication, tags } = await publisher();
    encoder.video(media.frame, 0);
    encoder.video(media.configuration, 0);
    encoder.video(media.keyframe, 40);
    encoder.video(media.frame, 80);
    await eventually(() => expect(publication.counts.videoMessages).to.equal(2));
    await eventually(() =>
      expect(tags).to.deep.equal([
        videoTag(0, media.configuration),
        videoTag(0, media.keyframe),
        videoTag(40, media.frame),
      ]),
    );
    expect(publication.counts).to.include({ droppedMessages: 1, lastMediaMs: 40, firstTimestamp: 40 });
  });

  it('reject a publish, and drop everything that a peer sends after the end of the connection', async () => {
    await start({ limits: { lingerMs: 100 } });
    const encoder = await client();
    const status = await encoder.publish('key', 'news?user=alice&pass=wrong');
    expect(status.get('code')).to.equal('NetStream.Publish.Denied');
    expect(status.get('description')).to.equal('The credentials are wrong.');
    encoder.video(media.configuration);
    for (let at = 0; at < 50; at += 1) encoder.video(media.keyframe, at * 40);
    await encoder.whenClosed(1000);
    for (let at = 0; at < 50; at += 1) encoder.video(media.keyframe, at * 40);
    expect(server.taken).to.have.length(0);
    expect(server.connections).to.equal(0);
  });

  it('send a new challenge for Adobe’s login on every connection, and accept a response once', async () => {
    await start();
    const rejectionOf = async (app: string): Promise<string> => {
      const description = (await (await client()).connectTo(app)).get('description');
      return typeof description === 'string' ? description : expect.fail('no description');
    };
    expect(await rejectionOf('live')).to.include('[ code=403 need auth; authmod=adobe ]');
    const login = 'live?authmod=adobe&user=alice';
    const parameters = readName(`x${/\?.*/.exec(await rejectionOf(login))?.[0] ?? ''}`)?.parameters ?? new Map();
    const [salt, opaque] = [String(parameters.get('salt')), String(parameters.get('opaque'))];
    const challenge = 'a+b/c===';
    const response = adobeResponse({ user: alice.user, salt, opaque, challenge }, alice.password);
    const app = `${login}&challenge=${challenge}&response=${response}&opaque=${opaque}`;
    expect((await (await client()).connectTo(app)).get('code')).to.equal('NetConnection.Connect.Success');
    expect(await rejectionOf(app)).to.include('?reason=needauth');
    expect(server.refusals).to.have.length(0);
  });

  it('carry at most one stream', async () => {
    await start();
    const { encoder, publication } = await publisher();
    encoder.command('publish', 6, null, keyOf(alice), 'live');
    expect(await publication.ended).to.deep.equal({
      reason: 'protocol error',
      detail: 'several streams on one connection',
    });
    await encoder.whenClosed();
    const other = await client();
    await other.connectTo('key');
    other.command('createStream', 2, null);
    other.command('createStream', 3, null);
    await other.whenClosed();
  });

  it('accept aggregate messages, any metadata and unknown commands', async () => {
    await start();
    const { encoder, publication } = await publisher();
    encoder.command('_checkbw', 9, null);
    encoder.send({ type: messageType.dataAmf0, payload: Buffer.from([3, 1, 2]) });
    encoder.send({ type: messageType.dataAmf0, payload: encodeAmf0('onTextData', { text: 'x' }) });
    encoder.send({
      type: messageType.dataAmf0,
      payload: encodeAmf0('@setDataFrame', 'onMetaData', { width: 64, title: 'x' }),
    });
    const inner = [videoTag(7, media.configuration), videoTag(7, media.keyframe), videoTag(47, media.frame)];
    const payload = Buffer.concat(inner.flatMap(writeFlvTag));
    encoder.send({ type: messageType.aggregate, payload, streamId: 1, timestamp: 1000 });
    await eventually(() =>
      expect(publication.counts).to.include({ videoMessages: 2, lastMediaMs: 40, firstTimestamp: 1000 }),
    );
    expect(publication.metadata).to.deep.equal({ width: 64 });
  });

  it('answer pings, and acknowledge the bytes of a window', async () => {
    await start();
    const { encoder } = await publisher();
    encoder.send({ type: messageType.windowAcknowledgementSize, payload: Buffer.from([0, 0, 4, 0]), chunkStreamId: 2 });
    encoder.send({ type: messageType.userControl, payload: Buffer.from([0, 6, 1, 2, 3, 4]), chunkStreamId: 2 });
    const find = (type: number) => encoder.received.filter((message) => message.type === type).at(-1)?.payload;
    await eventually(() => expect(find(messageType.userControl)?.toString('hex')).to.equal('000701020304'));
    await eventually(() => expect(find(messageType.acknowledgement)?.readUInt32BE(0)).to.be.greaterThan(3073));
  });

  it('end with an error that H.265 is not supported', async () => {
    await start({ limits: { lingerMs: 20 } });
    const { encoder, publication } = await publisher();
    encoder.received.length = 0;
    encoder.video(Buffer.from('906876633101', 'hex'));
    expect(await publication.ended).to.deep.equal({ reason: 'unsupported codec', detail: 'video H.265 (HEVC)' });
    const status = await encoder.response('onStatus');
    expect(status.get('code')).to.equal('NetStream.Publish.Denied');
    expect(status.get('description')).to.include('unsupported codec: video H.265 (HEVC).');
    await encoder.whenClosed();
    expect(publication.counts.bytes).to.equal(0);
  });

  it('end without a publish, without media, and if the received media are not read', async () => {
    const unread: RtmpPublication<string>[] = [];
    await start({
      limits: { publishDeadlineMs: 150, idleMs: 200, slowReaderMs: 250, bufferedBytes: 4096 },
      onPublish: (publication) => void unread.push(publication),
    });
    const silent = await client();
    const idle = await client();
    await idle.publish('key', keyOf(alice));
    const unreadEncoder = await client();
    await unreadEncoder.publish('key', keyOf(alice));
    unreadEncoder.video(media.configuration);
    for (let at = 0; at < 10; at += 1) unreadEncoder.video(media.keyframe, at * 40);
    const [first, second] = unread;
    expect(await first?.ended).to.deep.equal({ reason: 'idle' });
    expect(await second?.ended).to.deep.equal({ reason: 'slow reader' });
    await Promise.all([silent, idle, unreadEncoder].map((one) => one.whenClosed()));
    expect(server.refusals.map(({ reason }) => reason)).to.deep.equal(['nothing was published in time']);
  });

  it('end at the first command or message that an encoder does not send before publish', async () => {
    await start({ limits: { bytesBeforePublish: 8192 } });
    const connected = async (): Promise<RtmpClient> => {
      const one = await client();
      await one.connectTo('key');
      return one;
    };
    const reasonOf = async (encoder: RtmpClient): Promise<string | undefined> => {
      await encoder.whenClosed();
      return server.refusals.at(-1)?.reason;
    };
    const early = await connected();
    early.video(media.keyframe);
    expect(await reasonOf(early)).to.equal('media before publish');
    const large = await connected();
    for (let at = 0; at < 100; at += 1) large.command('releaseStream'.padEnd(200, 'x'), at, null);
    expect(await reasonOf(large)).to.equal('too many bytes before publish');
    const player = await connected();
    player.command('play', 2, null, 'news');
    expect((await player.response('onStatus')).get('description')).to.equal('This server only receives streams.');
    await player.whenClosed();
  });

  it('end when their reader ends', async () => {
    const taken: RtmpPublication<string>[] = [];
    await start({
      async onPublish(publication) {
        taken.push(publication);
        void readOnce(publication);
      },
    });
    const encoder = await client();
    await encoder.publish('key', keyOf(alice));
    encoder.video(media.configuration);
    expect(await taken[0]?.ended).to.deep.equal({ reason: 'reader closed' });
    await encoder.whenClosed();
  });

  it('are rejected if authentication or the start of the stream fails', async () => {
    let fails: 'authenticate' | 'onPublish' = 'authenticate';
    await start({
      authenticate: (request) =>
        fails === 'authenticate' ? Promise.reject(new Error('no database')) : Promise.resolve(decide(request)),
      onPublish: () => Promise.reject(new Error('no database')),
    });
    const description = async (): Promise<unknown> =>
      (await (await client()).publish('key', keyOf(alice))).get('description');
    // At `connect` there are no credentials yet.
    expect(await description()).to.equal('The server cannot accept the stream now.');
    fails = 'onPublish';
    expect(await description()).to.equal('The server cannot accept the stream now.');
    expect(server.log.filter((line) => line.includes('no database'))).to.have.length(2);
  });

  it('end with the server, which uses its port exclusively', async () => {
    await start();
    const { encoder, publication } = await publisher();
    const second = await rejection(startTestRtmp({ port: server.port }));
    expect(second).to.have.property('code', 'EADDRINUSE');
    await server.close();
    expect(await publication.ended).to.deep.equal({ reason: 'server closed' });
    await encoder.whenClosed();
    await start();
  });

  it('are slowed down above the rate of bytes or messages, of any kind and nested', async () => {
    await start({ limits: { messagesPerSecond: 100 } });
    const other = await startTestRtmp({ limits: { bytesPerSecond: 50_000 } });
    const repeated = (type: number, payload: Buffer) => Array.from({ length: 60 }, () => ({ type, payload }));
    const empty = Array.from({ length: 60 }, () => writeFlvTag({ type: 99, timestampMs: 0, payload: Buffer.alloc(0) }));
    const text = encodeAmf0('onMetaData', { text: 'x'.repeat(64 * 60) });
    const video = [media.configuration, ...Array.from({ length: 250 }, () => media.keyframe.subarray(0, 700))];
    const rows = [
      ['video', server, video.map((payload) => ({ type: messageType.video, payload, streamId: 1 }))],
      ['bytes of video', other, video.map((payload) => ({ type: messageType.video, payload, streamId: 1 }))],
      ['messages of an aggregate', server, [{ type: messageType.aggregate, payload: Buffer.concat(empty.flat()) }]],
      ['aborts', server, repeated(messageType.abort, Buffer.from([0, 0, 0, 99]))],
      ['chunk sizes', server, repeated(messageType.setChunkSize, Buffer.from([0, 0, 0, 128]))],
      ['metadata', server, [{ type: messageType.dataAmf0, payload: text }]],
    ] as const;
    try {
      await Promise.all(
        rows.map(async ([what, { port }, messages]) => {
          const encoder = await RtmpClient.connect(port);
          clients.push(encoder);
          expect((await encoder.publish('key', keyOf(alice))).get('code'), what).to.equal('NetStream.Publish.Start');
          const since = performance.now();
          for (const message of messages) encoder.send(message);
          encoder.send({ type: messageType.userControl, payload: Buffer.from([0, 6, 1, 2, 3, 4]), chunkStreamId: 2 });
          const isAnswered = () => encoder.received.some(({ payload }) => payload.toString('hex') === '000701020304');
          await eventually(() => expect(isAnswered(), what).to.equal(true));
          expect(performance.now() - since, what).to.be.within(400, 4000);
        }),
      );
    } finally {
      await other.stop();
    }
  });
});
