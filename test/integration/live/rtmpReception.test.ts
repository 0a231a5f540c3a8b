import { expect } from 'chai';
import { RtmpClient } from '../../support/rtmp/rtmpClient.js';
import { alice, keyOf, startTestRtmp, type TestRtmp } from '../../support/rtmp/testServer.js';

describe('RTMP connections of one address', () => {
  let server: TestRtmp;
  const clients: RtmpClient[] = [];

  const client = async (): Promise<RtmpClient> => {
    const connected = await RtmpClient.connect(server.port);
    clients.push(connected);
    return connected;
  };
  const publisher = async (): Promise<RtmpClient> => {
    const encoder = await client();
    expect((await encoder.publish('key', keyOf(alice))).get('code')).to.equal('NetStream.Publish.Start');
    return encoder;
  };
  afterEach(async () => {
    for (const one of clients.splice(0)) one.destroy();
    await server.stop();
  });

  it('that do not publish are limited: the oldest ends. Those that publish are not counted', async () => {
    server = await startTestRtmp({ limits: { pendingConnectionsPerAddress: 2 } });
    const published = [await publisher(), await publisher(), await publisher()];
    const [oldest, ...others] = [await client(), await client(), await client()];
    await oldest?.whenClosed();
    expect([...others, ...published].filter(({ isClosed }) => isClosed)).to.have.length(0);
    expect(server.refusals.map(({ reason }) => reason)).to.deep.equal(['too many connections']);
    expect(server.connections).to.equal(5);
  });

  it('begin at a limited rate', async () => {
    server = await startTestRtmp({ limits: { startsPerAddress: { atOnce: 2, perSecond: 10 } } });
    const since = performance.now();
    await Promise.all(Array.from({ length: 7 }, client));
    expect(performance.now() - since).to.be.within(400, 3000);
  });
});
