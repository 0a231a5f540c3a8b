import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { accessOf } from '../../api/http/access.js';
import type { Route } from '../../api/http/route.js';
import { routes } from '../../api/routes.js';
import { registerUser, type TestResponse, makeSeller } from '../support/api.js';
import { seedBoxItem } from '../support/rows.js';
import { addProgram } from '../support/cast/playoutFixture.js';
import { serviceFixture, useFixture } from '../support/fixtures.js';
import { setLivePassword } from '../support/users.js';

/** A valid body for every private route with an item's id and a request body. */
const bodies: Readonly<Record<string, (boxId: string) => object>> = {
  '/api/box/:boxId': () => ({ title: 'Taken over' }),
  '/api/box/:boxId/chapters': () => ({ chapters: [] }),
  '/api/box/:boxId/tracks': () => ({ tracks: [{ trackId: 0, language: 'en', label: 'One' }] }),
  '/api/box/:boxId/captions/:captionId': () => ({ label: 'Taken over' }),
  '/api/box/:boxId/captions': () => captionForm(),
  '/api/box/:boxId/vod': () => ({ licenseType: 'FREE' }),
  '/api/box/:boxId/marketplace': () => ({ licenseType: 'FREE' }),
  '/api/vod/:vodId': () => ({ licenseType: 'FREE', public: false }),
  '/api/marketplace/:marketplaceId': () => ({ licenseType: 'FREE' }),
  '/api/contentbundle/:bundleId': () => ({ name: 'Taken over', price: '1,00', duration: 1, durationUnit: 'DAYS' }),
  '/api/contentbundle/:bundleId/items/insert': (boxId) => ({ index: 0, sourceItems: [{ boxId }] }),
  '/api/contentbundle/:bundleId/items/move': () => ({ fromIndex: 0, toIndex: 0 }),
  '/api/contentbundle/:bundleId/items/remove': () => ({ index: 0, count: 1 }),
  '/api/live/channel/:channelId': () => ({ name: 'Taken over', streamPath: 'taken-over' }),
  '/api/live/channel/:channelId/event': () => liveEvent('Taken over'),
  '/api/live/event/:eventId': () => liveEvent('Taken over'),
  '/api/cast/channel/:channelId': () => ({ name: 'Taken over', streamPath: 'taken-over' }),
  '/api/cast/stream/:streamId': () => ({ name: 'Taken over', streamPath: 'taken-over' }),
  '/api/cast/program/:programId': () => ({ title: 'Taken over' }),
  '/api/cast/channel/:channelId/dailyprogramming/:date': () => ({ programs: [{ programType: 'BREAK', ...evening }] }),
  '/api/cast/channel/:channelId/dailyprogramming/:date/insert': () => ({
    index: 0,
    sourceItems: [{ sourceType: 'BREAK', duration: 60 }],
  }),
  '/api/cast/channel/:channelId/dailyprogramming/:date/move': () => ({ fromIndex: 0, toIndex: 0 }),
  '/api/cast/channel/:channelId/dailyprogramming/:date/remove': () => ({ index: 0, count: 1 }),
};

const captionForm = (): FormData => {
  const form = new FormData();
  form.append('language', 'en');
  form.append('file', new Blob(['WEBVTT\n\n00:01.000 --> 00:02.000\nTaken over\n']), 'captions.vtt');
  return form;
};

const evening = {
  startDate: { date: '31/12/2040', time: '20:00:00' },
  endDate: { date: '31/12/2040', time: '21:00:00' },
};

/** Valid values of parameters that do not identify an item. */
const otherParameters: Readonly<Record<string, string>> = { date: '20401231', dayCount: '2' };

const liveEvent = (name: string) => ({
  ...{ name, paymentMode: 'FREE' },
  eventDate: { date: '31/12/2040', time: '20:00:00' },
  endDate: { date: '31/12/2040', time: '21:00:00' },
});

/** Routes that serve other users' items, and routes that read no body. */
const forOthers = new Set([
  ...['POST /api/vod/:vodId/play', 'POST /api/vod/:vodId/pay', 'POST /api/marketplace/:marketplaceId/acquire'],
  ...['POST /api/marketplace/:marketplaceId/pay', 'POST /api/contentbundle/:bundleId/subscribe'],
  ...['POST /api/contentbundle/:bundleId/activate', 'POST /api/live/channel/:channelId/play'],
  ...['POST /api/live/event/:eventId/play', 'POST /api/live/event/:eventId/pay'],
  'POST /api/cast/channel/:channelId/play',
]);
const bodiless = new Set([
  'POST /api/box/:boxId/play',
  'POST /api/box/:boxId/reprocess',
  'POST /api/live/channel/:channelId/test',
  'POST /api/cast/channel/:channelId/test',
  'POST /api/cast/stream/:streamId/test',
]);

/** Parameters that identify an item with an owner, unlike a plan or a progress id. */
const itemParameters = [
  ...['boxId', 'captionId', 'contentId', 'vodId', 'bundleId', 'marketplaceId'],
  ...['channelId', 'eventId', 'streamId', 'programId'],
];
const nameOf = (route: Route): string => `${route.method.toUpperCase()} ${route.path}`;
const tested = routes.filter(
  (route) =>
    accessOf(route.path) === 'user' &&
    itemParameters.some((name) => route.path.includes(`:${name}`)) &&
    !forOthers.has(nameOf(route)),
);

describe('every private route with another user’s item', () => {
  const { ctx, api } = serviceFixture();
  const owner = useFixture(() => registerUser(api));
  const otherUser = useFixture(() => registerUser(api));
  /** An item of the owner for every parameter, other channels for cast, and a box item that the other user may use. */
  let items: Readonly<Record<string, string>>;
  let castItems: Readonly<Record<string, string>>;
  let ownBoxId: string;

  before(async () => {
    await makeSeller(ctx, owner.userId);
    await makeSeller(ctx, otherUser.userId);
    ownBoxId = (await seedBoxItem(ctx, otherUser.userId)).boxId;
    const { boxId, contentId } = await seedBoxItem(ctx, owner.userId);
    const make = async (path: string, body: object) =>
      (await api.call('POST', path, { token: owner.token, body })).body;
    const { vodId } = await make(`/api/box/${boxId}/vod`, { licenseType: 'FREE', public: false });
    const bundle = { name: 'A bundle', price: '1,00', duration: 1, durationUnit: 'MONTHS' };
    const { bundleId } = await make('/api/contentbundle', bundle);
    await make(`/api/contentbundle/${bundleId}/items/insert`, { index: 0, sourceItems: [{ boxId }] });
    const { marketplaceId } = await make(`/api/box/${boxId}/marketplace`, { licenseType: 'FREE' });
    await setLivePassword(ctx, owner.userId);
    const { channelId } = await make('/api/live/channel', { name: 'A channel', streamPath: `path-${randomUUID()}` });
    const { eventId } = await make(`/api/live/channel/${channelId}/event`, liveEvent('An event'));
    const captions = await api.call('POST', `/api/box/${boxId}/captions`, { token: owner.token, body: captionForm() });
    const captionId = captions.body.captionId as string;
    items = { boxId, captionId, contentId, vodId, bundleId, marketplaceId, channelId, eventId };
    const cast = await make('/api/cast/channel', { name: 'A channel', streamPath: `path-${randomUUID()}` });
    const { streamId } = await make('/api/cast/stream', { name: 'A stream', streamPath: `path-${randomUUID()}` });
    const programId = await addProgram(ctx, { channelId: cast.channelId, owner }, [1440, 1500]);
    castItems = { channelId: cast.channelId, streamId, programId };
  });

  const ask = (route: Route, id: (parameter: string) => string): Promise<TestResponse> => {
    const path = route.path.replace(
      /:(\w+)/g,
      (_match, parameter: string) => otherParameters[parameter] ?? id(parameter),
    );
    const body = bodies[route.path]?.(ownBoxId);
    const sent = route.method === 'post' && body !== undefined ? { body } : {};
    return api.call(route.method.toUpperCase(), path, { token: otherUser.token, ...sent });
  };

  /** All parts of an error response that could differ between the cases. */
  function comparable({ status, body }: TestResponse): object {
    const { timestamp: _timestamp, path: _path, ...rest } = body;
    return { status, ...rest };
  }

  const rows = async (): Promise<string> => {
    const live = ['live_streams', 'live_channels', 'live_events', 'live_recordings'];
    const cast = ['cast_channels', 'cast_streams', 'cast_programs'];
    const tables = [
      'contents',
      'box_items',
      'vod_items',
      'bundles',
      'marketplace_items',
      'download_tokens',
      'captions',
      ...live,
      ...cast,
    ];
    const read = tables.map((table) => ctx.db.rows(`SELECT * FROM ${table} ORDER BY 1::text`));
    return JSON.stringify(await Promise.all(read));
  };

  for (const route of tested)
    it(`responds with 404, as for an unknown and a malformed id, and changes nothing: ${nameOf(route)}`, async () => {
      if (route.method === 'post' && !bodiless.has(nameOf(route))) {
        expect(bodies, 'a valid body, so that only the id is wrong').to.have.property(route.path);
      }
      const before = await rows();
      const unknown = comparable(await ask(route, () => randomUUID()));
      expect(unknown).to.include({ status: 404 });
      const owned = route.path.startsWith('/api/cast/') ? castItems : items;
      expect(comparable(await ask(route, (parameter) => owned[parameter] ?? ''))).to.deep.equal(unknown);
      expect(comparable(await ask(route, () => 'no-id'))).to.deep.equal(unknown);
      expect(await rows()).to.equal(before);
    });
});
