import { strict as assert } from 'node:assert';
import { openAsBlob } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dataOf } from '../../../client/index.js';
import type { Terminal } from '../../../scripts/embedded/terminal.js';
import { makeSampleClip, sampleClips } from '../../../scripts/sample/sampleClip.js';
import type { OpenContext } from '../../../shared/openContext.js';
import { dateTimeMembers } from '../dateTimes.js';
import type { Actor } from './actor.js';
import { addUp } from './books.js';
import { addSellerDetails, register, withoutAccount } from './people.js';
import type { Trace } from './trace.js';

interface DemoContext {
  readonly ctx: OpenContext;
  readonly trace: Trace;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}

const title = 'The river';
const back = { returnUrl: 'https://shop.example.org/paid', cancelUrl: 'https://shop.example.org/left' };
const timeoutMs = 10 * 60_000;
const published = (item: { readonly pricePerView?: string }): string => `published at ${item.pricePerView} a view`;

/**
 * A publisher sells a video per view and in a bundle, and licenses it on the marketplace for half of its earnings; a second
 * publisher resells it; the first one sells a live event; viewers pay. Throws if a step has an unexpected result, or a balance
 * differs.
 */
export async function walk(demo: DemoContext): Promise<void> {
  const { ctx, trace } = demo;
  trace.chapter('Two publishers and a viewer');
  const paula = await register(demo, 'paula');
  const quentin = await register(demo, 'quentin');
  const vera = await register(demo, 'vera');
  await addSellerDetails(paula);
  await addSellerDetails(quentin);
  const { vodId, bundleId, bundledId } = await sell(demo, paula);
  const resoldId = await resell(demo, quentin);
  await buyView(demo, vera, vodId);
  await subscribe(demo, vera, bundleId, bundledId);
  await buyWithoutAccount(demo, resoldId);
  await buyEvent(demo, paula, vera);
  await buyPlan(demo, quentin);
  trace.chapter('The earnings of all users');
  for (const seller of [paula, quentin]) await readEarnings(seller);
  trace.chapter('The ledger');
  await addUp(ctx, trace, { clearing: 5098, platform: -3420, paula: -1538, quentin: -140 });
}

async function sell(demo: DemoContext, paula: Actor) {
  demo.trace.chapter('Paula uploads a video and sells it: per view, in a bundle, and on the marketplace');
  const boxId = await upload(demo, paula);
  const params = { path: { boxId } };
  const { vodId } = await paula.call(
    (api) => api.POST('/api/box/{boxId}/vod', { params, body: { licenseType: 'PAY_PER_VIEW', pricePerView: '4,00' } }),
    published,
  );
  const bundle = { name: 'Videos of the month', price: '9,99', duration: 1, durationUnit: 'MONTHS' as const };
  const { bundleId } = await paula.call(
    (api) => api.POST('/api/contentbundle', { body: bundle }),
    ({ price }) => `a bundle at ${price} a month`,
  );
  const { items } = await paula.call(
    (api) =>
      api.POST('/api/contentbundle/{bundleId}/items/insert', {
        ...{ params: { path: { bundleId } }, body: { index: 0, sourceItems: [{ boxId }] } },
      }),
    (list) => `${list.items.length} video in it`,
  );
  const offer = { licenseType: 'REVENUE_SHARING' as const, earningPercentage: 50 };
  await paula.call(
    (api) => api.POST('/api/box/{boxId}/marketplace', { params, body: offer }),
    () => 'offered for half of its earnings',
  );
  return { vodId, bundleId, bundledId: items[0]?.vodId ?? '' };
}

async function resell(demo: DemoContext, quentin: Actor): Promise<string> {
  demo.trace.chapter('Quentin finds it on the marketplace, previews it, and resells it');
  const search = { pageSize: 10, pageIndex: 0, queryString: 'river', excludeUserCode: quentin.name };
  const { marketplaceId } = await eventually(async () => {
    const found = await quentin.client.api.POST('/api/public/search/marketplace/contents', { body: search });
    return dataOf(found).items[0];
  });
  demo.trace.step(quentin.name, 'POST /api/public/search/marketplace/contents', 'found');
  const params = { path: { marketplaceId } };
  await quentin.call(
    (api) => api.POST('/api/public/marketplace/{marketplaceId}/preview', { params }),
    ({ result }) => result,
  );
  const { boxContent } = await quentin.call(
    (api) => api.POST('/api/marketplace/{marketplaceId}/acquire', { params, body: {} }),
    ({ result }) => result,
  );
  const { vodId } = await quentin.call(
    (api) =>
      api.POST('/api/box/{boxId}/vod', {
        params: { path: { boxId: boxContent?.boxId ?? '' } },
        body: { licenseType: 'PAY_PER_VIEW', pricePerView: '3,99' },
      }),
    published,
  );
  return vodId;
}

async function buyView(demo: DemoContext, vera: Actor, vodId: string): Promise<void> {
  demo.trace.chapter('Vera pays for a view');
  await plays(vera, vodId, 'PAYMENT_REQUIRED');
  const started = await vera.call(
    (api) => api.POST('/api/vod/{vodId}/pay', { params: { path: { vodId } }, body: back }),
    () => 'the address of the page that takes 4,00',
  );
  await vera.pay(started, '4,00');
  await plays(vera, vodId, 'PLAY', started.trackingId);
}

async function subscribe(demo: DemoContext, vera: Actor, bundleId: string, vodId: string): Promise<void> {
  demo.trace.chapter('Vera subscribes to the bundle');
  await plays(vera, vodId, 'SUBSCRIPTION_REQUIRED');
  const params = { path: { bundleId } };
  const started = await vera.call(
    (api) => api.POST('/api/contentbundle/{bundleId}/subscribe', { params, body: back }),
    () => 'the address of the page that takes 9,99',
  );
  await vera.pay(started, '9,99');
  const { trackingId } = started;
  await vera.call(
    (api) => api.POST('/api/contentbundle/{bundleId}/activate', { params, body: { trackingId } }),
    () => 'subscribed',
  );
  await plays(vera, vodId, 'PLAY');
}

async function buyWithoutAccount(demo: DemoContext, vodId: string): Promise<void> {
  demo.trace.chapter('A buyer without an account pays for a view of the video that Quentin resells');
  const someone = withoutAccount(demo, 'someone');
  const params = { path: { vodId } };
  const started = await someone.call(
    (api) => api.POST('/api/public/vod/{vodId}/pay', { params, body: back }),
    () => 'the address of the page that takes 3,99',
  );
  await someone.pay(started, '3,99');
  const { trackingId } = started;
  const played = await someone.call(
    (api) => api.POST('/api/public/vod/{vodId}/play', { params, body: { trackingId } }),
    ({ result }) => result,
  );
  await assertPlays(played, 'PLAY');
}

async function buyEvent(demo: DemoContext, paula: Actor, vera: Actor): Promise<void> {
  demo.trace.chapter('Paula announces a live event; Vera pays for it before it begins');
  const { channelId } = await paula.call(
    (api) => api.POST('/api/live/channel', { body: { name: 'River cam', streamPath: 'river' } }),
    ({ streamPath }) => `a channel, stream path ${streamPath}`,
  );
  const inHours = (hours: number) => dateTimeMembers(demo.ctx.config, Date.now() + hours * 3_600_000);
  const price = { paymentMode: 'PAY_PER_VIEW' as const, pricePerView: '6,00' };
  const event = { name: 'The flood', ...price, eventDate: inHours(1), endDate: inHours(2) };
  const { eventId } = await paula.call(
    (api) => api.POST('/api/live/channel/{channelId}/event', { params: { path: { channelId } }, body: event }),
    ({ pricePerView }) => `an event at ${pricePerView}`,
  );
  const params = { path: { eventId } };
  const started = await vera.call(
    (api) => api.POST('/api/live/event/{eventId}/pay', { params, body: back }),
    () => 'the address of the page that takes 6,00',
  );
  await vera.pay(started, '6,00');
  const { trackingId } = started;
  const played = await vera.call(
    (api) => api.POST('/api/live/event/{eventId}/play', { params, body: { trackingId } }),
    ({ message = '' }) => message,
  );
  assert.match(played.message ?? '', /^You have paid/);
}

async function buyPlan(demo: DemoContext, quentin: Actor): Promise<void> {
  demo.trace.chapter('Quentin subscribes to a plan with more storage, three months ahead');
  const params = { path: { licenseName: 'Entry' } };
  const order = { ...back, advanceMonthlyPayments: 3 as const };
  const started = await quentin.call(
    (api) => api.POST('/api/license/{licenseName}/subscribe', { params, body: order }),
    () => 'three months, 10 percent off',
  );
  await quentin.pay(started, '27,00');
  const { trackingId } = started;
  await quentin.call(
    (api) => api.POST('/api/license/{licenseName}/activate', { params, body: { trackingId } }),
    ({ licenseName, daysToExpiration }) => `${licenseName} for ${daysToExpiration} days`,
  );
}

async function readEarnings(seller: Actor): Promise<void> {
  await seller.call(
    (api) => api.GET('/api/user/me/earnings'),
    (earned) =>
      typeof earned === 'string'
        ? earned
        : earned.balances.map(({ amount, currency, count }) => `${amount} ${currency} of ${count} sales`).join(', '),
  );
}

async function plays(actor: Actor, vodId: string, expected: string, trackingId?: string): Promise<void> {
  const body = trackingId === undefined ? {} : { trackingId };
  const played = await actor.call(
    (api) => api.POST('/api/vod/{vodId}/play', { params: { path: { vodId } }, body }),
    ({ result }) => result,
  );
  await assertPlays(played, expected);
}

/** Checks the result of a playback request; for PLAY, also fetches the playlist as a player would. */
async function assertPlays(
  { result, streamer = '' }: { readonly result: string; readonly streamer?: string },
  expected: string,
): Promise<void> {
  assert.equal(result, expected);
  if (result !== 'PLAY') return;
  const playlist = await (await fetch(streamer)).text();
  assert(playlist.startsWith('#EXTM3U'), 'the streamer URL returns a playlist');
}

async function upload({ ctx, trace, terminal, signal }: DemoContext, { name, client }: Actor): Promise<string> {
  const path = join(ctx.config.dataDir, 'video.mp4');
  await makeSampleClip(sampleClips[0], { ffmpegPath: ctx.config.media.ffmpegPath, path, signal });
  const uploading = terminal.progress('Upload');
  const fields = { title, description: 'A demo of selling and buying', fileName: 'video.mp4' };
  const boxId = await client.upload(await openAsBlob(path), fields, {
    onProgress: ({ percent }) => uploading.show(percent),
  });
  uploading.end();
  trace.step(name, 'POST, PATCH /api/box/tus', 'uploaded');
  const transcoding = terminal.progress('Transcode');
  await client.untilReady(boxId, {
    signal: AbortSignal.timeout(timeoutMs),
    onProgress: ({ progress }) => transcoding.show(progress),
  });
  transcoding.end();
  trace.step(name, `GET /api/box/${boxId.slice(0, 4)}…`, 'READY');
  return boxId;
}

/** Polls until there is a value, for at most 15 s. */
async function eventually<Value>(look: () => Promise<Value | undefined>): Promise<Value> {
  for (const deadline = Date.now() + 15_000; ; await sleep(100)) {
    const found = await look();
    if (found !== undefined) return found;
    if (Date.now() > deadline) throw new Error('not found within 15 s');
  }
}
