import { expect } from 'chai';
import { bodyOf } from '../../support/responses.js';
import { publicToken, registerUser, type TestResponse, type TestApi, type TestUser } from '../../support/api.js';
import { seedBoxItem, type SeededItem, type SeedOptions } from '../../support/contents.js';
import type { TestContext } from '../../support/context.js';
import { registerSeller } from '../../support/sellers.js';
import { openService, sharedService } from '../../support/service.js';
import { back, payInSandbox } from '../../support/payments.js';

export const freeTerms = { licenseType: 'FREE' } as const;
export const perView = { licenseType: 'PAY_PER_VIEW', pricePerView: '4,00' } as const;
export const inBundle = (bundleId: string) => ({ licenseType: 'CONTENT_BUNDLE', bundleId }) as const;

export interface PublishedItem extends SeededItem {
  readonly vodId: string;
  /** The response to the publisher. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies freely
  readonly body: any;
}

/** A service with a publisher who may sell, a viewer, and a public token. */
export interface Shop {
  readonly ctx: TestContext;
  readonly api: TestApi;
  readonly publisher: TestUser;
  readonly viewer: TestUser;
  readonly anybody: string;
  seller(): Promise<TestUser>;
  publish(boxId: string, conditions: object, by?: TestUser): Promise<TestResponse>;
  /** A new box item, published. */
  published(conditions?: object, options?: SeedOptions, by?: TestUser): Promise<PublishedItem>;
  /** The private view. */
  read(vodId: string, by?: TestUser): Promise<TestResponse>;
  readPublic(vodId: string): Promise<TestResponse>;
  update(vodId: string, conditions: object, by?: TestUser): Promise<TestResponse>;
  remove(vodId: string, by?: TestUser): Promise<TestResponse>;
  newBundle(members?: object, by?: TestUser): Promise<string>;
  /** The items of a bundle in order, as its owner reads them. */
  itemsOf(bundleId: string, by?: TestUser): Promise<string[]>;
  /** A box item whose license was acquired (and paid) on the marketplace. */
  acquired(conditions: object, by?: TestUser): Promise<AcquiredItem>;
  /** A user pays on the private path, null on the public one. */
  pay(vodId: string, by: TestUser | null, body?: object): Promise<TestResponse>;
  play(vodId: string, by: TestUser | null, body?: unknown): Promise<TestResponse>;
  /** Pays in the sandbox; resolves with the tracking id. The payment is not verified yet. */
  paid(vodId: string, by: TestUser | null): Promise<string>;
  /** Both paths: with a user, and with a public token. */
  readonly payers: readonly (readonly [string, TestUser | null])[];
  /** `result` of a play request. */
  resultOf(vodId: string, by: TestUser | null, trackingId?: unknown): Promise<string>;
  close(): Promise<void>;
}

export interface AcquiredItem {
  readonly boxId: string;
  /** The licensor. */
  readonly issuer: TestUser;
}

/** Settings for tests in which days pass: tokens that live for a year. */
export const daysPass = { ACCESS_TOKEN_SECONDS: String(365 * 86_400) };

/** Without settings, the shop is in the service that the test files of a process share. */
export async function openShop(overrides?: Record<string, string>): Promise<Shop> {
  const { ctx, api, close } = overrides ? await openService(overrides) : await sharedService();
  const seller = () => registerSeller(api);
  const [publisher, viewer, anybody] = await Promise.all([seller(), registerUser(api), publicToken(api)]);
  const post = (path: string, body: unknown, token: string) => api.call('POST', path, { token, body });
  const sale = (action: string): Shop['pay'] => {
    return (vodId, by, body = back) =>
      by
        ? post(`/api/vod/${vodId}/${action}`, body, by.token)
        : post(`/api/public/vod/${vodId}/${action}`, body, anybody);
  };
  let issuer: TestUser | undefined;
  const shop: Shop = {
    ctx,
    api,
    publisher,
    viewer,
    anybody,
    seller,
    publish: (boxId, conditions, by = publisher) => post(`/api/box/${boxId}/vod`, conditions, by.token),
    async published(conditions = perView, options = {}, by = publisher) {
      const item = await seedBoxItem(ctx, by.userId, options);
      const body = bodyOf(201, await shop.publish(item.boxId, conditions, by));
      return { ...item, vodId: body.vodId, body };
    },
    read: (vodId, by = publisher) => api.call('GET', `/api/vod/${vodId}`, { token: by.token }),
    readPublic: (vodId) => api.call('GET', `/api/public/vod/${vodId}`, { token: anybody }),
    update: (vodId, conditions, by = publisher) => post(`/api/vod/${vodId}`, conditions, by.token),
    remove: (vodId, by = publisher) => api.call('DELETE', `/api/vod/${vodId}`, { token: by.token }),
    async newBundle(members = {}, by = publisher) {
      const bundle = { name: 'Winter videos', price: '12,50', duration: 1, durationUnit: 'MONTHS', ...members };
      return bodyOf(201, await post('/api/contentbundle', bundle, by.token)).bundleId;
    },
    async itemsOf(bundleId, by = publisher) {
      const { items } = bodyOf(200, await api.call('GET', `/api/contentbundle/${bundleId}/items`, { token: by.token }));
      return items.map(({ vodId }: { vodId: string }) => vodId);
    },
    async acquired(conditions, by = publisher) {
      issuer ??= await seller();
      const { boxId } = await seedBoxItem(ctx, issuer.userId, { title: 'Licensed video' });
      const offer = bodyOf(201, await post(`/api/box/${boxId}/marketplace`, conditions, issuer.token));
      const path = `/api/marketplace/${offer.marketplaceId}`;
      let { result, boxContent } = bodyOf(200, await post(`${path}/acquire`, {}, by.token));
      if (result === 'PAYMENT_REQUIRED') {
        const { trackingId } = bodyOf(200, await post(`${path}/pay`, back, by.token));
        await payInSandbox(ctx, trackingId);
        ({ result, boxContent } = bodyOf(200, await post(`${path}/acquire`, { trackingId }, by.token)));
      }
      expect(result).to.equal('FULFILLED');
      return { boxId: boxContent.boxId, issuer };
    },
    pay: sale('pay'),
    play: (vodId, by, body = {}) => sale('play')(vodId, by, body as object),
    async paid(vodId, by) {
      const { trackingId } = bodyOf(200, await shop.pay(vodId, by));
      await payInSandbox(ctx, trackingId);
      return trackingId;
    },
    payers: [
      ['a user', viewer],
      ['a public token', null],
    ],
    resultOf: async (vodId, by, trackingId) =>
      bodyOf(200, await shop.play(vodId, by, trackingId === undefined ? {} : { trackingId })).result,
    close,
  };
  return shop;
}
