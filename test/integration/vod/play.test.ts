import { expect } from 'chai';
import { recordBand } from '../../../shared/license/band.service.js';
import { publicToken, registerUser, bodyOf } from '../../support/api.js';
import { seedBoxItem, type SeedOptions, seedStream, changeRow, drainSearch } from '../../support/rows.js';
import { serviceFixture, useFixture } from '../../support/fixtures.js';
import { Content } from '../../../shared/content/content.model.js';
import { BoxItem } from '../../../shared/box/box.model.js';
import { freeTerms, openShop, perView } from './shop.js';

describe('POST /api/vod/{vodId}/play, /api/public/vod/{vodId}/play and preview', () => {
  const { ctx, api } = serviceFixture();
  const owner = useFixture(() => registerUser(api));
  const otherUser = useFixture(() => registerUser(api));
  let anybody: string;

  before(async () => {
    anybody = await publicToken(api);
  });

  async function published(body: object = { licenseType: 'FREE' }, options: SeedOptions = {}, publisher = owner) {
    const item = await seedBoxItem(ctx, publisher.userId, options);
    const response = await api.call('POST', `/api/box/${item.boxId}/vod`, { token: publisher.token, body });
    expect(response.status, response.text).to.equal(201);
    return { ...item, vodId: response.body.vodId as string };
  }

  const readPublic = (vodId: string) => api.call('GET', `/api/public/vod/${vodId}`, { token: anybody });
  const play = (vodId: string, body: unknown = {}, token = anybody) =>
    api.call('POST', `/api/public/vod/${vodId}/play`, { token, body });

  it('returns 200 PLAY with HLS URLs and the public view of the item', async () => {
    const { vodId, folder } = await published();
    const { status, body } = await play(vodId);
    expect(status).to.equal(200);
    const { streamer, uniqueStreamer } = body;
    expect(body).to.deep.equal({
      resource: (await readPublic(vodId)).body,
      result: 'PLAY',
      srcs: [{ mimeType: 'application/x-mpegurl', streamer, uniqueStreamer }],
      mimeType: 'application/x-mpegurl',
      file: `${folder}master.m3u8`,
      streamer,
      uniqueStreamer,
    });
    for (const address of [streamer, uniqueStreamer]) {
      expect(address)
        .to.match(/^http:\/\/.*\.m3u8$/)
        .and.include(`.full.`)
        .and.include(owner.userCode)
        .and.include(folder);
    }
    expect(streamer).to.not.equal(uniqueStreamer);
  });

  it('returns 200 with the same `streamer` for ten minutes, and a new `uniqueStreamer` each time', async () => {
    const { vodId } = await published();
    const [one, two] = [(await play(vodId)).body, (await play(vodId)).body];
    expect(two.streamer).to.equal(one.streamer);
    const known = bodyOf(200, await api.call('POST', `/api/vod/${vodId}/play`, { token: otherUser.token, body: {} }));
    expect(known.resource.publisher.userCode).to.equal(owner.userCode);
    expect(known.streamer).to.include(otherUser.userCode);
    expect(known.streamer).to.not.equal(one.streamer);
    ctx.clock.advance(11 * 60_000);
    expect((await play(vodId)).body.streamer).to.not.equal(one.streamer);
  });

  it('returns 200 MESSAGE in the request’s language for pending, failed and expired items', async () => {
    const pending = await published();
    await changeRow(ctx, Content, pending.contentId, { state: 'PENDING', readyGeneration: null });
    const failed = await published();
    await changeRow(ctx, Content, failed.contentId, { state: 'FAILED', readyGeneration: null });
    const expired = await published();
    await changeRow(ctx, BoxItem, expired.boxId, { expiresAt: ctx.clock.now() });
    const messages = [];
    for (const { vodId } of [pending, failed, expired]) {
      for (const action of ['play', 'preview']) {
        const options = { token: anybody, body: {}, headers: { 'accept-language': 'fr' } };
        const { body } = await api.call('POST', `/api/public/vod/${vodId}/${action}`, options);
        const empty = { srcs: [], mimeType: '', file: '', streamer: '', uniqueStreamer: '' };
        expect(body).to.deep.include({ result: 'MESSAGE', ...empty });
        expect(body.resource.vodId).to.equal(vodId);
        messages.push(body.message);
      }
    }
    expect(new Set(messages).size).to.equal(3);
    expect(messages[0]).to.match(/préparation/);
  });

  it('returns 200 BAND_LIMIT_EXCEEDED when the publisher has used up the monthly band', async () => {
    const publisher = await registerUser(api);
    const { vodId } = await published({ licenseType: 'FREE' }, {}, publisher);
    await recordBand(ctx, new Map([[publisher.userId, 5 * 1024 ** 3 - 1]]));
    expect((await play(vodId)).body.result).to.equal('PLAY');
    await recordBand(ctx, new Map([[publisher.userId, 1]]));
    expect((await play(vodId)).body).to.deep.include({ result: 'BAND_LIMIT_EXCEEDED', srcs: [], streamer: '' });
  });

  it('returns 200 PLAY for a preview, with URLs of the kind `preview`', async () => {
    const { vodId, folder } = await published();
    const { body } = await api.call('POST', `/api/public/vod/${vodId}/preview`, { token: anybody });
    expect(body.result).to.equal('PLAY');
    expect(body.file).to.equal(`${folder}preview/master.m3u8`);
    for (const address of [body.streamer, body.uniqueStreamer, body.srcs[0].streamer])
      expect(address).to.match(/\.preview\..*\/preview\/master\.m3u8$/);
  });
});

/** `docs/contract.md#choices-vod`: `public: false` is unlisted, not hidden. */
describe('an item whose `public` is false', () => {
  const shop = useFixture(openShop);
  const unlisted = async (conditions: object) => {
    const item = await shop.published({ ...conditions, public: false });
    await seedStream(shop.ctx, item.folder);
    return item;
  };

  it('is read, played and previewed by everybody who has its id', async () => {
    const { vodId } = await unlisted(freeTerms);
    for (const [name, by] of [...shop.payers, ['its owner', shop.publisher]] as const) {
      const token = by?.token ?? shop.anybody;
      const call = (method: string, action = '') =>
        shop.api.call(method, `/api/public/vod/${vodId}${action}`, { token });
      expect((await call('GET')).status, name).to.equal(200);
      expect(await shop.resultOf(vodId, by), name).to.equal('PLAY');
      for (const action of ['/preview', '/play'])
        expect(bodyOf(200, await call('POST', action)).result, name).to.equal('PLAY');
    }
  });

  it('is paid and played, with a user and with a public token', async () => {
    const { vodId } = await unlisted(perView);
    for (const [name, by] of shop.payers) {
      expect(await shop.resultOf(vodId, by), name).to.equal('PAYMENT_REQUIRED');
      expect(await shop.resultOf(vodId, by, await shop.paid(vodId, by)), name).to.equal('PLAY');
    }
  });

  it('is played by the embed page', async () => {
    const { vodId } = await unlisted(freeTerms);
    const page = await shop.api.call('GET', `/embed/?vod=${vodId}`);
    expect([page.status, /data-source="[^"]+"/.test(page.text)]).to.deep.equal([200, true]);
    expect((await shop.api.call('GET', `/embed/playback?vod=${vodId}`)).body.playback.result).to.equal('PLAY');
  });

  it('is not found by the public search, like items of a publisher whose `vodPublic` is false', async () => {
    const publisher = await shop.seller();
    const { vodId } = await shop.published({ ...freeTerms, public: false }, {}, publisher);
    const found = async () => {
      await drainSearch(shop.ctx);
      const body = { userCode: publisher.userCode };
      const response = await shop.api.call('POST', '/api/public/search/vod/contents', { token: shop.anybody, body });
      return bodyOf(200, response).items.map((item: { vodId: string }) => item.vodId);
    };
    expect(await found()).to.deep.equal([]);
    bodyOf(200, await shop.update(vodId, { ...freeTerms, public: true }, publisher));
    expect(await found()).to.deep.equal([vodId]);
    const me = bodyOf(200, await shop.api.call('GET', '/api/user/me', { token: publisher.token }));
    const body = { ...me, features: { vodPublic: false } };
    bodyOf(200, await shop.api.call('POST', '/api/user/me', { token: publisher.token, body }));
    expect(await found()).to.deep.equal([]);
    expect((await shop.readPublic(vodId)).status).to.equal(200);
  });
});
