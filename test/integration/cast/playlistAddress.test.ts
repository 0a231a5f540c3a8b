import { expect } from 'chai';
import { ContextParts } from '../../../shared/platform/contextParts.js';
import { channelTimelines } from '../../../shared/cast/castTimeline.js';
import { recordBand } from '../../../shared/license/band.service.js';
import { startApi, type TestResponse } from '../../support/api.js';
import { openCastFixture, processOf, storeSlate } from '../../support/cast/castFixture.js';
import { bodyOf } from '../../support/responses.js';
import { createLoggedInUser, type TestUser } from '../../support/users.js';
import { useFixture } from '../../support/fixtures.js';

/** Requests have no token, because players have none. */
describe('GET /api/public/cast/channel/{channelId}/playlist.m3u8', () => {
  const fixture = useFixture(openCastFixture);

  /** Creates a channel that plays its slate. */
  async function playing(by?: TestUser): Promise<string> {
    const id = await fixture.channel(by);
    const slate = await storeSlate(fixture.ctx, id);
    const seconds = Array.from({ length: 60 }, () => 4);
    await fixture.play(id, fixture.ctx.clock.now().getTime() - 60_000, [{ source: slate(4, 0), seconds }]);
    return id;
  }

  const open = (id: string, api = fixture.api, method = 'GET'): Promise<TestResponse> =>
    api.call(method, `/api/public/cast/channel/${id}/playlist.m3u8`);
  const pathIn = ({ headers }: TestResponse): string => new URL(headers.get('location') ?? '').pathname;

  it('returns 302 to a playable playlist, a different one for each player, and is not cached', async () => {
    const channelId = await playing();
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

  it('returns 403 when the publisher has used up the monthly band', async () => {
    const publisher = await createLoggedInUser(fixture.ctx);
    const channelId = await playing(publisher);
    await recordBand(fixture.ctx, new Map([[publisher.userId, 500 * 1024 ** 3]]));
    const response = await open(channelId);
    bodyOf(403, response);
    expect(response.headers.has('location')).to.equal(false);
  });

  it('returns 503 while a new deployment has no slate', async () => {
    const nothing = { get: async () => ({ listed: [], tick: 0 }) } as never;
    const api = await startApi(processOf(fixture.ctx, { parts: new ContextParts([[channelTimelines, nothing]]) }));
    try {
      bodyOf(503, await open(await playing(), api));
    } finally {
      await api.close();
    }
  });

  it('returns 404 for an unknown, a malformed and a deleted channel', async () => {
    const deleted = await playing();
    bodyOf(204, await fixture.api.call('DELETE', `/api/cast/channel/${deleted}`, { token: fixture.owner.token }));
    for (const id of [deleted, fixture.owner.userId, 'none']) bodyOf(404, await open(id));
  });

  it('redirects to a new playlist after the previous one has expired', async () => {
    const channelId = await playing();
    const first = pathIn(await open(channelId));
    fixture.ctx.clock.advance(25 * 3_600_000);
    expect((await fixture.api.call('GET', first)).status).to.equal(403);
    expect((await fixture.api.call('GET', pathIn(await open(channelId)))).status).to.equal(200);
  });
});
