import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { ContextParts } from '../../../shared/platform/contextParts.js';
import { channelTimelines } from '../../../shared/cast/castTimeline.js';
import { recordBand } from '../../../shared/license/band.service.js';
import { startApi, type TestResponse, type TestUser, bodyOf, integrationHeaders } from '../../support/api.js';
import { openCastFixture, processOf, storeSlate } from '../../support/cast/castFixture.js';
import { createLoggedInUser } from '../../support/users.js';
import { useFixture } from '../../support/fixtures.js';

const gibibyte = 1024 ** 3;

describe('playing a cast channel', () => {
  const fixture = useFixture(openCastFixture);
  const viewer = useFixture(() => createLoggedInUser(fixture.ctx));
  let channelId: string;

  before(async () => {
    channelId = await playing();
  });

  /** Creates a channel that plays its slate. */
  async function playing(by?: TestUser): Promise<string> {
    const id = await fixture.channel(by);
    const slate = await storeSlate(fixture.ctx, id);
    const seconds = Array.from({ length: 60 }, () => 4);
    await fixture.play(id, fixture.ctx.clock.now().getTime() - 60_000, [{ source: slate(4, 0), seconds }]);
    return id;
  }

  /** The user; null uses a public token on the public path. */
  const play = (id: string, by: TestUser | null, headers = {}, api = fixture.api) =>
    api.call('POST', by ? `/api/cast/channel/${id}/play` : `/api/public/cast/channel/${id}/play`, {
      token: by?.token ?? fixture.anybody,
      headers,
    });
  const test = (id: string, by = fixture.owner, api = fixture.api) =>
    api.call('POST', `/api/cast/channel/${id}/test`, { token: by.token });
  const open = (id: string, api = fixture.api, method = 'GET'): Promise<TestResponse> =>
    api.call(method, `/api/public/cast/channel/${id}/playlist.m3u8`);
  const get = (path: string, token: string) => fixture.api.call('GET', path, { token });

  describe('POST /api/cast/channel/{channelId}/play and /api/public/cast/channel/{channelId}/play', () => {
    it('returns 200 PLAY for everybody, with the public channel and URLs that play for a day', async () => {
      for (const by of [null, viewer, fixture.owner]) {
        const body = bodyOf(200, await play(channelId, by));
        const { streamer, uniqueStreamer } = body;
        const mimeType = 'application/x-mpegurl';
        expect(body).to.deep.include({
          ...{ result: 'PLAY', mimeType, file: `cast/${channelId}/master.m3u8` },
          srcs: [{ mimeType, streamer, uniqueStreamer }],
        });
        const shown = await get(`/api/public/cast/channel/${channelId}`, fixture.anybody);
        expect(body.resource).to.deep.equal(shown.body);
        expect(body.resource.publisher.userCode).to.equal(fixture.owner.userCode);
        for (const address of [streamer, uniqueStreamer]) {
          const { pathname } = new URL(address);
          expect((await fixture.api.call('GET', pathname)).text).to.match(/^#EXTM3U\n/);
          const expiry = Number(pathname.split('.').at(5));
          expect(expiry - fixture.ctx.clock.now().getTime() / 1000).to.be.within(24 * 3600, 24 * 3600 + 601);
        }
      }
    });

    it('returns the same URL to the same viewer within ten minutes, and other URLs to other viewers', async () => {
      const streamerOf = async (by: TestUser | null): Promise<string> =>
        bodyOf(200, await play(channelId, by)).streamer;
      const [first, second] = [await streamerOf(null), await streamerOf(viewer)];
      expect(await streamerOf(null)).to.equal(first);
      expect(await streamerOf(viewer))
        .to.equal(second)
        .and.not.to.equal(first);
    });

    it('returns a URL that opens no other channel', async () => {
      const other = await playing();
      const { pathname } = new URL(bodyOf(200, await play(channelId, null)).streamer);
      for (const forged of [pathname.replaceAll(channelId, other), pathname.replace('.cast.', '.full.')])
        bodyOf(403, await fixture.api.call('GET', forged));
    });

    it('returns a grant that is a streaming server token for this channel’s path', async () => {
      const { uniqueStreamer } = bodyOf(200, await play(channelId, null));
      const { streamPath } = bodyOf(200, await get(`/api/cast/channel/${channelId}`, fixture.owner.token));
      const token = uniqueStreamer.split('/s/')[1].split('/')[0];
      const check = (query: string) =>
        fixture.api.call('GET', `/rest/integration/authtoken/${token}${query}`, {
          headers: integrationHeaders(fixture.api),
        });
      for (const query of ['', `?streamName=${streamPath}`]) expect((await check(query)).status).to.equal(200);
      expect((await check('?streamName=other')).status).to.equal(401);
    });

    it('returns 200 BAND_LIMIT_EXCEEDED when the publisher has used up the monthly band, and 403 for the playlist', async () => {
      const publisher = await createLoggedInUser(fixture.ctx);
      const id = await playing(publisher);
      await recordBand(fixture.ctx, new Map([[publisher.userId, 500 * gibibyte]]));
      for (const by of [null, viewer, publisher])
        expect(bodyOf(200, await play(id, by))).to.deep.include({
          result: 'BAND_LIMIT_EXCEEDED',
          srcs: [],
          streamer: '',
        });
      expect(bodyOf(200, await test(id, publisher)).result).to.equal('BAND_LIMIT_EXCEEDED');
      const opened = await open(id);
      bodyOf(403, opened);
      expect(opened.headers.has('location')).to.equal(false);
    });

    it('returns 200 MESSAGE in the request’s language while a new deployment has no slate, and 503 for the playlist', async () => {
      const nothing = { get: async () => ({ listed: [], tick: 0 }) } as never;
      const api = await startApi(processOf(fixture.ctx, { parts: new ContextParts([[channelTimelines, nothing]]) }));
      try {
        const { result, message, srcs } = bodyOf(200, await play(channelId, null, { 'accept-language': 'it' }, api));
        expect([result, message, srcs]).to.deep.equal(['MESSAGE', 'La trasmissione inizia tra un istante.', []]);
        expect(bodyOf(200, await test(channelId, fixture.owner, api)).result).to.equal('MESSAGE');
        bodyOf(503, await open(channelId, api));
      } finally {
        await api.close();
      }
    });

    it('returns 404 for an unknown, malformed or deleted id, and for a disabled publisher’s channel, also for the playlist', async () => {
      const publisher = await createLoggedInUser(fixture.ctx);
      const disabled = await playing(publisher);
      bodyOf(204, await fixture.api.call('POST', '/api/user/me/disable', { token: publisher.token, body: {} }));
      const deleted = await playing();
      bodyOf(204, await fixture.api.call('DELETE', `/api/cast/channel/${deleted}`, { token: fixture.owner.token }));
      for (const id of [disabled, deleted, randomUUID(), 'channel']) {
        for (const by of [null, viewer]) bodyOf(404, await play(id, by));
        bodyOf(404, await open(id));
      }
    });
  });

  describe('POST /api/cast/channel/{channelId}/test', () => {
    it('returns 200 PLAY to its owner, with the private channel', async () => {
      const body = bodyOf(200, await test(channelId));
      expect(body).to.include({ result: 'PLAY', file: `cast/${channelId}/master.m3u8` });
      expect(body.resource).to.deep.equal((await get(`/api/cast/channel/${channelId}`, fixture.owner.token)).body);
      expect((await fixture.api.call('GET', new URL(body.streamer).pathname)).status).to.equal(200);
    });
  });

  /** Players send no token. */
  describe('GET /api/public/cast/channel/{channelId}/playlist.m3u8', () => {
    const pathIn = ({ headers }: TestResponse): string => new URL(headers.get('location') ?? '').pathname;

    it('returns 302 to a playable playlist, a different one for each player, and is not cached', async () => {
      const response = await open(channelId);
      expect([response.status, response.text, response.headers.get('cache-control')]).to.deep.equal([
        302,
        '',
        'no-store',
      ]);
      expect(response.headers.get('access-control-allow-origin')).to.equal('*');
      const master = await fixture.api.call('GET', pathIn(response));
      const [rendition] = master.text.split('\n').filter((line) => /^[^#]/.test(line));
      const media = await fixture.api.call('GET', new URL(rendition ?? '', `http://x${pathIn(response)}`).pathname);
      expect(media.text).to.match(/^#EXTM3U\n[^]*#EXTINF:4/);
      expect(media.text, 'the continuous form').to.match(/\/track\/video\/\d+-/);
      expect(pathIn(await open(channelId))).not.to.equal(pathIn(response));
      const head = await open(channelId, fixture.api, 'HEAD');
      expect([head.status, head.headers.has('location')]).to.deep.equal([302, true]);
    });

    it('redirects to a new playlist after the previous one has expired', async () => {
      const id = await playing();
      const first = pathIn(await open(id));
      fixture.ctx.clock.advance(25 * 3_600_000);
      expect((await fixture.api.call('GET', first)).status).to.equal(403);
      expect((await fixture.api.call('GET', pathIn(await open(id)))).status).to.equal(200);
    });
  });
});
