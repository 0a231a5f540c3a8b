import { expect } from 'chai';
import { encodeAmf0 } from '../../../workers/rtmp/amf0.js';
import { writeFlvTag } from '../../../shared/media/flv/flvWriter.js';
import type { RtmpLimits } from '../../../workers/rtmp/limits.js';
import { messageType } from '../../../workers/rtmp/rtmpMessage.js';
import { eventually } from '../../support/eventually.js';
import { media, RtmpClient } from '../../support/rtmp/rtmpClient.js';
import { alice, keyOf, startTestRtmp, type TestRtmp } from '../../support/rtmp/testServer.js';

describe('an RTMP encoder that is faster than encoders need to be', function () {
  this.timeout(20_000);
  let server: TestRtmp;
  let encoder: RtmpClient;

  const publish = async (limits: Partial<RtmpLimits>): Promise<void> => {
    server = await startTestRtmp({ limits });
    encoder = await RtmpClient.connect(server.port);
    expect((await encoder.publish('key', keyOf(alice))).get('code')).to.equal('NetStream.Publish.Start');
  };

  afterEach(async () => {
    encoder.destroy();
    await server.stop();
  });

  for (const limits of [{ messagesPerSecond: 100 }, { bytesPerSecond: 50_000 }])
    it(`has to wait: ${Object.keys(limits).join()}`, async () => {
      await publish(limits);
      const since = performance.now();
      encoder.video(media.configuration);
      for (let at = 0; at < 250; at += 1) encoder.video(media.keyframe.subarray(0, 700), at);
      await eventually(() => expect(server.taken[0]?.publication.counts.videoMessages).to.equal(250));
      expect(performance.now() - since).to.be.within(700, 4000);
    });

  const inner = Array.from({ length: 60 }, () =>
    writeFlvTag({ type: 99, timestampMs: 0, payload: Buffer.alloc(0) }),
  ).flat();
  const repeated = (type: number, payload: Buffer) => Array.from({ length: 60 }, () => ({ type, payload }));
  for (const [what, messages] of [
    ['messages inside an aggregate', [{ type: messageType.aggregate, payload: Buffer.concat(inner) }]],
    ['aborts', repeated(messageType.abort, Buffer.from([0, 0, 0, 99]))],
    ['chunk sizes', repeated(messageType.setChunkSize, Buffer.from([0, 0, 0, 128]))],
    ['metadata', [{ type: messageType.dataAmf0, payload: encodeAmf0('onMetaData', { text: 'x'.repeat(64 * 60) }) }]],
  ] as const)
    it(`has to wait also for ${what}`, async () => {
      await publish({ messagesPerSecond: 100 });
      const since = performance.now();
      for (const message of messages) encoder.send(message);
      encoder.send({ type: messageType.userControl, payload: Buffer.from([0, 6, 1, 2, 3, 4]), chunkStreamId: 2 });
      await eventually(() =>
        expect(encoder.received.some(({ payload }) => payload.toString('hex') === '000701020304')).to.equal(true),
      );
      expect(performance.now() - since).to.be.within(400, 4000);
    });
});
