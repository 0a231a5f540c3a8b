import { randomBytes } from 'node:crypto';
import { Content } from '../../shared/content/content.model.js';
import { issueUserTokens } from '../../shared/oauth/token.service.js';
import type { Context } from '../../shared/platform/context.js';
import { addProgram } from '../support/cast/playoutFixture.js';
import { seedBoxItem, type SeededItem, storedRows } from '../support/rows.js';
import { makeSeller } from '../support/api.js';
import { makeUser, setLivePassword } from '../support/users.js';
import type { Names } from './jsonTree.js';
import { fromAnyAddress } from './fuzzSettings.js';

/** A running service and a context on its database. */
export interface Target {
  /** Base path included, without a trailing slash. */
  readonly url: string;
  readonly ctx: Context;
}

/** A PNG of one pixel. */
export const image = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** The body of a successful response, or an empty object: the fixtures then lack the item. */
export type Call = (path: string, body?: object | FormData) => Promise<Readonly<Record<string, string>>>;

/** A seller, with the ids of the seller's items. */
export interface Publisher {
  readonly token: string;
  readonly names: Names;
  readonly call: Call;
}

/** Inserts a user and ready contents as rows; creates everything else over HTTP. */
export async function createPublisher({ ctx, url }: Target): Promise<Publisher> {
  const user = await createDealer(ctx);
  const call = callerAt(url, user.token);
  const boxes = await Promise.all(
    (['READY', 'READY', 'READY', 'READY', 'PENDING'] as const).map((state) => createBoxItem(ctx, user.id, state)),
  );
  const contentId = boxes.map((box) => `urn:${ctx.config.service.urnNamespace}:content:${box.contentId}`);
  const [first, second, third, fourth] = boxes.map(({ boxId }) => boxId);
  const form = new FormData();
  form.append('thumbnail', new Blob([image]), 'dot.png');
  const bundle = { price: '12,50', duration: 1, durationUnit: 'MONTHS' };
  const full = await call('/api/contentbundle', { name: 'Some videos', ...bundle });
  const made = await Promise.all([
    call('/api/thumbnail', form),
    call('/api/contentbundle', { name: 'No video yet', ...bundle }),
    call(`/api/box/${first}/vod`, { licenseType: 'FREE' }),
    call(`/api/box/${second}/vod`, { licenseType: 'PAY_PER_VIEW', pricePerView: '3,50' }),
    call(`/api/box/${third}/vod`, { licenseType: 'CONTENT_BUNDLE', bundleId: full['bundleId'] }),
    call(`/api/box/${fourth}/marketplace`, { licenseType: 'SPOT_PRICE', activationPrice: '20,00' }),
    call(`/api/box/${first}/marketplace`, { licenseType: 'FREE', download: true }),
    call(`/api/box/${second}/marketplace`, { licenseType: 'REVENUE_SHARING', earningPercentage: 40 }),
    call(`/api/content/${contentId[0]}/download`),
  ]);
  const [live, cast] = await Promise.all([createEvents(call), createCast(ctx, user.id, call)]);
  const play = JSON.stringify(await call(`/api/box/${first}/play`, {}));
  const all = (name: string): string[] => [full, ...made, ...live, ...cast].flatMap((one) => one[name] ?? []);
  const boxId = boxes.map((box) => box.boxId);
  const grant = /\/s\/([^/"]+)\//.exec(play)?.[1];
  const own = {
    boxId,
    contentId,
    vodId: all('vodId'),
    bundleId: all('bundleId'),
    marketplaceId: all('marketplaceId'),
    channelId: live.flatMap((one) => one['channelId'] ?? []),
    eventId: all('eventId'),
    castChannelId: cast.flatMap((one) => one['channelId'] ?? []),
    streamId: all('streamId'),
    programId: all('programId'),
    streamPath: all('streamPath'),
  };
  const more = { thumbnailId: all('thumbnailId'), token: all('token'), grant: grant === undefined ? [] : [grant] };
  return { token: user.token, call, names: { ...user.names, ...own, ...more } };
}

/** Creates a live channel without events, and one with a free and a paid event; resolves with their ids. */
async function createEvents(call: Call): Promise<Readonly<Record<string, string>>[]> {
  const [free, full] = await Promise.all(
    ['empty', 'full'].map((name) =>
      call('/api/live/channel', { name, streamPath: `${name}-${randomBytes(6).toString('hex')}` }),
    ),
  );
  const times = (hour: number) => ({
    eventDate: { date: '10/10/2035', time: `${hour}:00:00` },
    endDate: { date: '10/10/2035', time: `${hour}:30:00` },
  });
  const path = `/api/live/channel/${full?.['channelId']}/event`;
  const events = await Promise.all([
    call(path, { name: 'A free event', paymentMode: 'FREE', ...times(18) }),
    call(path, { name: 'A paid event', paymentMode: 'PAY_PER_VIEW', pricePerView: '2,50', ...times(20) }),
  ]);
  return [free ?? {}, full ?? {}, ...events];
}

/** Creates a cast channel without programs, one with a live program and a break as rows, and the program's stream. */
async function createCast(ctx: Context, userId: string, call: Call): Promise<Readonly<Record<string, string>>[]> {
  const item = (name: string) => ({ name, streamPath: `${name}-${randomBytes(6).toString('hex')}` });
  const [empty, full, stream] = await Promise.all([
    call('/api/cast/channel', item('empty')),
    call('/api/cast/channel', item('full')),
    call('/api/cast/stream', item('stream')),
  ]);
  const [channelId, streamId] = [full['channelId'], stream['streamId']];
  if (channelId === undefined || streamId === undefined) return [empty, full, stream];
  const channel = { channelId, owner: { userId } };
  const programs = [
    await addProgram(ctx, channel, [1440, 1500], { type: 'LIVE', streamId }),
    await addProgram(ctx, channel, [1500, 1560], { type: 'BREAK' }),
  ];
  return [empty, full, stream, ...programs.map((programId) => ({ programId }))];
}

/** Inserts a user who may sell, buy and broadcast. */
async function createDealer(ctx: Context): Promise<{ id: string; token: string; names: Names }> {
  const { id, userCode, email, passwordHash } = await makeUser(ctx);
  await makeSeller(ctx, id);
  await setLivePassword(ctx, id);
  const login = { clientId: ctx.config.oauth.clients[0].id, userId: id, passwordHash };
  const [tokens, ...others] = await Promise.all([1, 2, 3, 4].map(() => issueUserTokens(ctx, login)));
  if (!tokens) throw new Error('the new user got no tokens');
  // Each refresh token can be used once.
  const refreshTokens = others.flatMap((one) => one?.refresh_token ?? []);
  return {
    id,
    token: tokens.access_token,
    names: { userCode: [userCode], email: [email], refresh_token: refreshTokens },
  };
}

/** Inserts a box item, its content in the given state and a source file; there are no media files. */
async function createBoxItem(ctx: Context, ownerId: string, state: 'READY' | 'PENDING'): Promise<SeededItem> {
  const item = await seedBoxItem(ctx, ownerId, { state, tags: ['drama'] });
  const [content] = await storedRows(ctx, Content, { id: item.contentId });
  await ctx.storage.put(content?.sourceKey ?? '', Buffer.alloc(1_000, 'x'), { contentType: 'video/mp4' });
  return item;
}

function callerAt(url: string, token: string): Call {
  return async (path, body) => {
    const isForm = body instanceof FormData;
    const type = body === undefined || isForm ? {} : { 'content-type': 'application/json' };
    const response = await fetch(url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${token}`, ...type, ...Object.fromEntries([fromAnyAddress()]) },
      body: body === undefined || isForm ? (body ?? null) : JSON.stringify(body),
    });
    const text = await response.text();
    return response.ok ? (JSON.parse(text) as Record<string, string>) : {};
  };
}
