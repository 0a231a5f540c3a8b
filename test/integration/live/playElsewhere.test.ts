import { expect } from 'chai';
import { bodyOf } from '../../support/responses.js';
import { integrationHeaders } from '../../support/streams.js';
import { openLiveShop, perEvent, type LiveShop } from './liveShop.js';

/** The deployment has a streaming server of its own for viewers; this service may not have the media at all. */
describe('Live plays with LIVE_PLAYBACK_URL and LIVE_RTMP_PLAYBACK_URL', () => {
  let shop: LiveShop;

  before(async () => {
    shop = await openLiveShop({
      LIVE_PLAYBACK_URL: 'https://edge.example/hls/{streamPath}/index.m3u8?token={token}',
      LIVE_RTMP_PLAYBACK_URL: 'rtmp://edge.example/live/{streamPath}?token={token}',
    });
  });
  after(() => shop?.close());

  const isValid = async (token: string, streamName: string): Promise<boolean> => {
    const path = `/rest/integration/authtoken/${token}?streamName=${streamName}`;
    const { status } = await shop.api.call('GET', path, { headers: integrationHeaders(shop.api) });
    expect(status).to.be.oneOf([200, 401]);
    return status === 200;
  };
  const tokenIn = (address: string): string => new URL(address).searchParams.get('token') ?? '';
  const pathOf = async (channelId: string): Promise<string> =>
    bodyOf(200, await shop.get(`/api/live/channel/${channelId}`)).streamPath;

  it('200 PLAY with addresses of that server, whose token is valid for that stream until the end of the event', async () => {
    const { eventId, channelId, run, endsAt } = await shop.onAir({});
    const other = await pathOf((await shop.onAir({})).channelId);
    await shop.loseSegments(run);
    const streamPath = await pathOf(channelId);
    const results = [
      bodyOf(200, await shop.play(eventId, null)),
      bodyOf(200, await shop.post(`/api/live/channel/${channelId}/test`, undefined)),
    ];
    for (const { result, file, streamer, uniqueStreamer, srcs } of results) {
      expect([result, file]).to.deep.equal(['PLAY', `hls/${streamPath}/index.m3u8`]);
      expect(srcs[0]).to.deep.equal({ mimeType: 'application/x-mpegurl', streamer, uniqueStreamer });
      expect(srcs[1]).to.deep.equal({
        mimeType: 'video/flash',
        streamer: 'rtmp://edge.example/live',
        uniqueStreamer: 'rtmp://edge.example/live',
        file: `${streamPath}?token=${tokenIn(streamer)}`,
      });
      for (const address of [streamer, uniqueStreamer]) {
        expect(address).to.match(new RegExp(`^https://edge\\.example/hls/${streamPath}/index\\.m3u8\\?token=`));
        expect(await isValid(tokenIn(address), streamPath)).to.equal(true);
        expect(await isValid(tokenIn(address), other)).to.equal(false);
      }
    }
    shop.advanceTo(endsAt, 59_999);
    expect(await isValid(tokenIn(results[0].streamer), streamPath)).to.equal(true);
    shop.advanceTo(endsAt, 60_000);
    expect(await isValid(tokenIn(results[0].streamer), streamPath)).to.equal(false);
  });

  it('200 PAYMENT_REQUIRED without any address, and no token before the payment', async () => {
    const { eventId } = await shop.onAir(perEvent);
    expect(bodyOf(200, await shop.play(eventId, null))).to.deep.include({
      result: 'PAYMENT_REQUIRED',
      srcs: [],
      file: '',
    });
    const trackingId = await shop.paid(eventId, null);
    const { result, srcs } = bodyOf(200, await shop.play(eventId, null, { trackingId }));
    expect([result, srcs.length]).to.deep.equal(['PLAY', 2]);
  });

  it('`myPlayHlsUrl` is an address of that server, too', async () => {
    const { eventId, channelId } = await shop.onAir({});
    await shop.drained();
    const { items } = bodyOf(200, await shop.post('/api/search/live/events', { channelId }));
    expect(items.map((item: { eventId: string }) => item.eventId)).to.deep.equal([eventId]);
    expect(items[0].myPlayHlsUrl).to.match(/^https:\/\/edge\.example\/hls\//);
  });
});
