import { expect } from 'chai';
import { publishSeconds } from '../../support/licenses.js';
import { sweepRuns } from '../../../shared/streaming/runSweep.service.js';
import { nginxHook, recordedServers, srsHook, type HookClient } from '../../support/hooks.js';
import { bodyOf, integrationHeaders } from '../../support/api.js';
import { openLiveShop, perEvent } from './liveShop.js';
import { livePassword } from '../../support/users.js';
import { runsOf } from '../../support/liveStreams.js';
import { useFixture } from '../../support/fixtures.js';

/** The deployment has a separate streaming server for viewers; this service may have no media. */
describe('live plays with LIVE_PLAYBACK_URL and LIVE_RTMP_PLAYBACK_URL', () => {
  const shop = useFixture(() =>
    openLiveShop({
      LIVE_PLAYBACK_URL: 'https://edge.example/hls/{streamPath}/index.m3u8?token={token}',
      LIVE_RTMP_PLAYBACK_URL: 'rtmp://edge.example/live/{streamPath}?token={token}',
    }),
  );

  const isValid = async (token: string, streamName: string): Promise<boolean> => {
    const path = `/rest/integration/authtoken/${token}?streamName=${streamName}`;
    const { status } = await shop.api.call('GET', path, { headers: integrationHeaders(shop.api) });
    expect(status).to.be.oneOf([200, 401]);
    return status === 200;
  };
  const tokenIn = (address: string): string => new URL(address).searchParams.get('token') ?? '';
  const pathOf = async (channelId: string): Promise<string> =>
    bodyOf(200, await shop.get(`/api/live/channel/${channelId}`)).streamPath;

  it('return 200 PLAY with that server’s URLs, whose token is valid for the stream until the event’s end', async () => {
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

  it('return 200 with a player page that plays from that server', async () => {
    const { eventId, channelId } = await shop.onAir({});
    const streamPath = await pathOf(channelId);
    const { status, text, headers } = await shop.api.call('GET', `/embed/?event=${eventId}`);
    expect(status).to.equal(200);
    const [, live = ''] = /data-live="([^"]*)"/.exec(text) ?? [];
    const { result, address } = JSON.parse(live.replaceAll('&quot;', '"').replaceAll('&amp;', '&'));
    expect(result).to.equal('PLAY');
    expect(address).to.match(new RegExp(`^https://edge\\.example/hls/${streamPath}/index\\.m3u8\\?token=`));
    expect(await isValid(tokenIn(address), streamPath)).to.equal(true);
    expect(headers.get('content-security-policy')).to.match(/connect-src 'self' https:/);
  });

  it('return 200 PAYMENT_REQUIRED without URL and token before the payment', async () => {
    const { eventId } = await shop.onAir(perEvent);
    const refused = { result: 'PAYMENT_REQUIRED', srcs: [], file: '' };
    expect(bodyOf(200, await shop.play(eventId, null))).to.deep.include(refused);
    const trackingId = await shop.paid(eventId, null);
    const { result, srcs } = bodyOf(200, await shop.play(eventId, null, { trackingId }));
    expect([result, srcs.length]).to.deep.equal(['PLAY', 2]);
  });

  it('return `myPlayHlsUrl` as a URL of that server', async () => {
    const { eventId, channelId } = await shop.onAir({});
    await shop.drained();
    const { items } = bodyOf(200, await shop.post('/api/search/live/events', { channelId }));
    expect(items.map((item: { eventId: string }) => item.eventId)).to.deep.equal([eventId]);
    expect(items[0].myPlayHlsUrl).to.match(/^https:\/\/edge\.example\/hls\//);
  });

  describe('without LIVE_PULL_URL', () => {
    const reconnectMs = () => shop.ctx.config.live.reconnectSeconds * 1000;
    const minutes = (count: number) => shop.ctx.clock.advance(count * 60_000);

    /** A current event, and the encoder of its channel at the streaming server. */
    async function planned(members: object = {}) {
      const publisher = await shop.newPublisher();
      const { eventId, channel } = await shop.event(0, 24 * 60, members, undefined, publisher);
      const encoder: HookClient = { path: channel.streamPath, user: publisher.userCode, pass: livePassword };
      const [nginx] = recordedServers;
      return {
        ...{ eventId, encoder, publisher },
        isOnAir: async () => bodyOf(200, await shop.get(`/api/public/live/event/${eventId}`, shop.anybody)).onAir,
        isListedOnAir: async () => {
          await shop.drained();
          const search = { userCode: publisher.userCode };
          const { items } = bodyOf(200, await shop.post('/api/public/search/live/events', search, shop.anybody));
          return items.map(({ onAir }: { onAir: boolean }) => onAir);
        },
        publish: async () => nginx?.isAllowed(await nginx.publish(shop.api, encoder)),
        update: async () => (await nginxHook(shop.api, 'update_publish', encoder)).status,
        end: () => nginx?.end(shop.api, encoder),
        run: async () => (await runsOf(shop.ctx, channel.channelId)).at(-1),
        runs: async () => (await runsOf(shop.ctx, channel.channelId)).map(({ endReason }) => endReason),
      };
    }

    it('are on air from the start hook until LIVE_RECONNECT_SECONDS after the end hook', async () => {
      const live = await planned();
      expect(await live.isOnAir()).to.equal(false);
      expect(await live.publish()).to.equal(true);
      expect([await live.isOnAir(), await live.isListedOnAir()]).to.deep.equal([true, [true]]);
      const { result, streamer } = bodyOf(200, await shop.play(live.eventId, null));
      expect(result).to.equal('PLAY');
      expect(await isValid(tokenIn(streamer), live.encoder.path)).to.equal(true);
      shop.ctx.clock.advance(90_000);
      await live.end();
      shop.ctx.clock.advance(reconnectMs() - 1);
      expect([await live.isOnAir(), await live.isListedOnAir()]).to.deep.equal([true, [true]]);
      shop.ctx.clock.advance(1);
      expect([await live.isOnAir(), await live.isListedOnAir()]).to.deep.equal([false, [false]]);
      expect(await shop.resultOf(live.eventId, null)).to.equal('MESSAGE');
      expect(await live.run()).to.include({ state: 'ENDED', source: 'REPORTED', countedSeconds: 90 });
    });

    it('do not mark the event’s sales as never on air', async () => {
      const live = await planned(perEvent);
      await live.publish();
      await shop.resultOf(live.eventId, null, await shop.paid(live.eventId, null));
      minutes(1);
      await live.end();
      minutes(24 * 60);
      const { items } = bodyOf(200, await shop.get('/api/user/me/earnings', live.publisher.token));
      expect(items.map(({ itemId }: { itemId: string }) => itemId)).to.deep.equal([live.eventId]);
      expect(items[0]).not.to.have.property('neverOnAir');
    });

    it('end two minutes after the last update of a crashed server, and reopen with an update', async () => {
      const live = await planned();
      await live.publish();
      minutes(1);
      expect(await live.update()).to.equal(200);
      minutes(2);
      await sweepRuns(shop.ctx);
      expect(await live.isOnAir()).to.equal(true);
      shop.ctx.clock.advance(1000);
      await sweepRuns(shop.ctx);
      expect(await live.isOnAir()).to.equal(false);
      const endReason = 'not confirmed by the streaming server';
      expect(await live.run()).to.include({ state: 'ENDED', countedSeconds: 60, endReason });
      expect(await live.update()).to.equal(200);
      expect(await live.isOnAir()).to.equal(true);
      await live.end();
      expect(await live.update()).to.equal(403);
    });

    it('end after 24 hours without updates, or when the encoder returns', async () => {
      const live = await planned();
      for (const connection of [1, 2]) {
        const { body } = await srsHook(shop.api, 'on_publish', { ...live.encoder, connection });
        expect(body.code).to.equal(0);
        shop.ctx.clock.advance(1000);
      }
      expect(await live.runs()).to.deep.equal(['taken over', null]);
      minutes(24 * 60 - 1);
      expect(await live.isOnAir()).to.equal(true);
      minutes(1);
      await sweepRuns(shop.ctx);
      expect(await live.runs()).to.deep.equal(['taken over', 'not confirmed by the streaming server']);
      expect(await live.run()).to.include({ countedSeconds: 24 * 3600 });
    });

    it('count streaming hours each minute, and end when none are left, after which updates are rejected', async () => {
      const live = await planned();
      await live.publish();
      minutes(2);
      await sweepRuns(shop.ctx);
      expect(await live.run()).to.include({ state: 'OPEN', countedSeconds: 120 });
      await publishSeconds(shop.ctx, live.publisher.userId, 10 * 3600);
      minutes(1);
      await live.update();
      await sweepRuns(shop.ctx);
      const endReason = 'streaming hours used up';
      expect(await live.run()).to.include({ state: 'ENDED', countedSeconds: 180, endReason });
      expect(await live.update()).to.equal(403);
    });
  });
});
