import { expect } from 'chai';
import { AdobeChallenges } from '../../../workers/rtmp/adobeChallenge.js';
import { encodeAmf0 } from '../../../workers/rtmp/amf0.js';
import { defaultRtmpLimits } from '../../../workers/rtmp/limits.js';
import { LoginRequests } from '../../../workers/rtmp/loginRequests.js';
import { messageType } from '../../../workers/rtmp/rtmpMessage.js';
import { RtmpSession } from '../../../workers/rtmp/rtmpSession.js';
import { eventually } from '../../support/eventually.js';

describe('encoders with a pending login challenge', () => {
  it('count as rejected if they do not return from the same address', async () => {
    const requests = new LoginRequests(20);
    const gone: string[] = [];
    const ask = (name: string, address: string): void => requests.ask(address, () => void gone.push(name));
    ask('one', '192.0.2.1');
    ask('another', '192.0.2.1');
    ask('a third', '2001:db8::1');
    requests.returned('192.0.2.1');
    requests.returned('2001:db8::2');
    requests.returned('192.0.2.9');
    await eventually(() => expect(gone).to.have.length(1));
    expect(gone).to.deep.equal(['another']);
    ask('a last one', '192.0.2.1');
    await eventually(() => expect(gone).to.deep.equal(['another', 'a last one']));
  });

  it('are reported with address, application and stream path', async () => {
    const refused: object[] = [];
    const loginRequests = new LoginRequests(10);
    const connectTo = async (app: string): Promise<void> => {
      const session = new RtmpSession<string>({
        peer: {
          ...{ remoteAddress: '192.0.2.1', isOpen: true, send() {}, dismiss() {}, onEnd() {} },
          onRefused: (refusal) => void refused.push(refusal),
        },
        decisions: { authenticate: () => expect.fail('not needed'), onPublish() {} },
        challenges: new AdobeChallenges(Buffer.alloc(32), () => 0),
        loginRequests,
        limits: defaultRtmpLimits,
        now: () => new Date(),
      });
      const payload = encodeAmf0('connect', 1, { app });
      await session.take({ type: messageType.commandAmf0, timestamp: 0, streamId: 0, payload }, () => {});
    };
    await connectTo('live');
    await connectTo('live?authmod=adobe&user=alice');
    await eventually(() => expect(refused).to.have.length(1));
    expect(refused).to.deep.equal([
      { reason: 'no login', detail: 'did not return after the request to log in', application: 'live', user: 'alice' },
    ]);
    await connectTo('live');
    await eventually(() => expect(refused).to.have.length(2));
  });

  it('are limited to a thousand', () => {
    const requests = new LoginRequests();
    let gone = 0;
    for (let at = 0; at < 1100; at += 1) requests.ask(`192.0.2.${at % 200}`, () => (gone += 1));
    expect(gone).to.equal(100);
    requests.close();
  });
});
