import { strict as assert } from 'node:assert';
import { openAsBlob } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dataOf } from '../../../client/index.js';
import type { OpenContext } from '../../../shared/openContext.js';
import { formatDateTime } from '../../../shared/platform/formats/format.js';
import { utc } from '../../../shared/platform/formats/timeZone.js';
import type { Terminal } from '../../embedded/terminal.js';
import { makeSampleClip, sampleClips } from '../sampleClip.js';
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

interface Started {
  readonly url: string;
  readonly trackingId: string;
}

interface Played {
  readonly result: string;
  readonly streamer: string;
}

const title = 'The river';
const back = { returnUrl: 'https://shop.example.org/paid', cancelUrl: 'https://shop.example.org/left' };
const timeoutMs = 10 * 60_000;

/**
 * A publisher sells a video by the view and in a bundle, and licenses it on the marketplace for half of what it earns; a
 * second publisher resells it; the first one sells a live event; viewers pay. Throws if a step has an unexpected result, or a balance is wrong by a cent.
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
  const soldOnId = await sellOn(demo, quentin);
  await buyView(demo, vera, vodId);
  await subscribe(demo, vera, bundleId, bundledId);
  await buyWithoutAccount(demo, soldOnId);
  await buyEvent(demo, paula, vera);
  await buyPlan(demo, quentin);
  trace.chapter('What everybody has earned');
  for (const seller of [paula, quentin]) await readEarnings(seller);
  trace.chapter('The ledger');
  await addUp(ctx, trace, { clearing: 5098, platform: -3420, paula: -1538, quentin: -140 });
}

async function sell(demo: DemoContext, paula: Actor) {
  const { trace } = demo;
  trace.chapter('Paula uploads a video and sells it: by the view, in a bundle, and on the marketplace');
  const boxId = await upload(demo, paula);
  const { vodId } = await paula.post<{ vodId: string; pricePerView: string }>(
    `/api/box/${boxId}/vod`,
    { licenseType: 'PAY_PER_VIEW', pricePerView: '4,00' },
    (item) => `published at ${item.pricePerView} a view`,
  );
  const { bundleId } = await paula.post<{ bundleId: string; price: string }>(
    '/api/contentbundle',
    { name: 'Videos of the month', price: '9,99', duration: 1, durationUnit: 'MONTHS' },
    (bundle) => `a bundle at ${bundle.price} a month`,
  );
  const { items } = await paula.post<{ items: { vodId: string }[] }>(
    `/api/contentbundle/${bundleId}/items/insert`,
    { index: 0, sourceItems: [{ boxId }] },
    (list) => `${list.items.length} video in it`,
  );
  await paula.post(
    `/api/box/${boxId}/marketplace`,
    { licenseType: 'REVENUE_SHARING', earningPercentage: 50 },
    () => 'offered for half of what it earns',
  );
  return { vodId, bundleId, bundledId: items[0]?.vodId ?? '' };
}

async function sellOn(demo: DemoContext, quentin: Actor): Promise<string> {
  demo.trace.chapter('Quentin finds it on the marketplace, previews it, and resells it');
  const search = { pageSize: 10, pageIndex: 0, queryString: 'river', excludeUserCode: quentin.name };
  const offer = await eventually(async () => {
    const found = await quentin.client.api.POST('/api/public/search/marketplace/contents', { body: search });
    return dataOf(found).items[0];
  });
  demo.trace.step(quentin.name, 'POST /api/public/search/marketplace/contents', 'found');
  await quentin.post<Played>(`/api/public/marketplace/${offer.marketplaceId}/preview`, {}, ({ result }) => result);
  const { boxContent } = await quentin.post<{ result: string; boxContent: { boxId: string } }>(
    `/api/marketplace/${offer.marketplaceId}/acquire`,
    {},
    ({ result }) => result,
  );
  const { vodId } = await quentin.post<{ vodId: string; pricePerView: string }>(
    `/api/box/${boxContent.boxId}/vod`,
    { licenseType: 'PAY_PER_VIEW', pricePerView: '3,99' },
    (item) => `published at ${item.pricePerView} a view`,
  );
  return vodId;
}

async function buyView(demo: DemoContext, vera: Actor, vodId: string): Promise<void> {
  demo.trace.chapter('Vera pays for a view');
  await plays(vera, `/api/vod/${vodId}/play`, {}, 'PAYMENT_REQUIRED');
  const started = await vera.post<Started>(
    `/api/vod/${vodId}/pay`,
    back,
    () => 'the address of the page that takes 4,00',
  );
  await vera.pay(started, '4,00');
  await plays(vera, `/api/vod/${vodId}/play`, { trackingId: started.trackingId }, 'PLAY');
}

async function subscribe(demo: DemoContext, vera: Actor, bundleId: string, vodId: string): Promise<void> {
  demo.trace.chapter('Vera subscribes to the bundle');
  await plays(vera, `/api/vod/${vodId}/play`, {}, 'SUBSCRIPTION_REQUIRED');
  const path = `/api/contentbundle/${bundleId}`;
  const started = await vera.post<Started>(`${path}/subscribe`, back, () => 'the address of the page that takes 9,99');
  await vera.pay(started, '9,99');
  await vera.post(`${path}/activate`, { trackingId: started.trackingId }, () => 'subscribed');
  await plays(vera, `/api/vod/${vodId}/play`, {}, 'PLAY');
}

async function buyWithoutAccount(demo: DemoContext, vodId: string): Promise<void> {
  demo.trace.chapter('A buyer without an account pays for a view of what Quentin resells');
  const someone = withoutAccount(demo, 'someone');
  const path = `/api/public/vod/${vodId}`;
  const started = await someone.post<Started>(`${path}/pay`, back, () => 'the address of the page that takes 3,99');
  await someone.pay(started, '3,99');
  await plays(someone, `${path}/play`, { trackingId: started.trackingId }, 'PLAY');
}

async function buyEvent(demo: DemoContext, paula: Actor, vera: Actor): Promise<void> {
  demo.trace.chapter('Paula announces a live event; Vera pays for it before it begins');
  const { channelId } = await paula.post<{ channelId: string; streamPath: string }>(
    '/api/live/channel',
    { name: 'River cam', streamPath: 'river' },
    ({ streamPath }) => `a channel, stream path ${streamPath}`,
  );
  const hour = (number: number) => formatDateTime(new Date(Date.now() + number * 3_600_000), utc);
  const { eventId } = await paula.post<{ eventId: string; pricePerView: string }>(
    `/api/live/channel/${channelId}/event`,
    { name: 'The flood', paymentMode: 'PAY_PER_VIEW', pricePerView: '6,00', eventDate: hour(1), endDate: hour(2) },
    ({ pricePerView }) => `an event at ${pricePerView}`,
  );
  const path = `/api/live/event/${eventId}`;
  const started = await vera.post<Started>(`${path}/pay`, back, () => 'the address of the page that takes 6,00');
  await vera.pay(started, '6,00');
  const { message } = await vera.post<{ message: string }>(
    `${path}/play`,
    { trackingId: started.trackingId },
    (played) => played.message,
  );
  assert.match(message, /^You have paid/);
}

async function buyPlan(demo: DemoContext, quentin: Actor): Promise<void> {
  demo.trace.chapter('Quentin subscribes to a plan with more storage, three months ahead');
  const path = '/api/license/Entry';
  const order = { ...back, advanceMonthlyPayments: 3 };
  const started = await quentin.post<Started>(`${path}/subscribe`, order, () => 'three months, 10 percent off');
  await quentin.pay(started, '27,00');
  await quentin.post<{ licenseName: string; daysToExpiration: number }>(
    `${path}/activate`,
    { trackingId: started.trackingId },
    ({ licenseName, daysToExpiration }) => `${licenseName} for ${daysToExpiration} days`,
  );
}

async function readEarnings(seller: Actor): Promise<void> {
  await seller.get<{ balances: { amount: string; currency: string; count: number }[] }>(
    '/api/user/me/earnings',
    ({ balances }) =>
      balances.map(({ amount, currency, count }) => `${amount} ${currency} of ${count} sales`).join(', '),
  );
}

/** Requests playback and checks the result; on PLAY also fetches the playlist as a player would. */
async function plays(actor: Actor, path: string, body: object, expected: string): Promise<void> {
  const { result, streamer } = await actor.post<Played>(path, body, (played) => played.result);
  assert.equal(result, expected);
  if (result !== 'PLAY') return;
  const playlist = await (await fetch(streamer)).text();
  assert(playlist.startsWith('#EXTM3U'), 'the streamer URL returns a playlist');
}

async function upload({ ctx, trace, terminal, signal }: DemoContext, { name, client }: Actor): Promise<string> {
  const clip = join(ctx.config.dataDir, 'video.mp4');
  await makeSampleClip(sampleClips[0], { ffmpegPath: ctx.config.media.ffmpegPath, path: clip, signal });
  const sent = terminal.progress('Upload');
  const fields = { title, description: 'A demo of selling and buying', fileName: 'video.mp4' };
  const boxId = await client.upload(await openAsBlob(clip), fields, {
    onProgress: ({ percent }) => sent.show(percent),
  });
  sent.end();
  trace.step(name, 'POST, PATCH /api/box/tus', 'uploaded');
  const made = terminal.progress('Transcode');
  await client.untilReady(boxId, {
    signal: AbortSignal.timeout(timeoutMs),
    onProgress: ({ progress }) => made.show(progress),
  });
  made.end();
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
