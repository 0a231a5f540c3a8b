import { expect } from 'chai';
import {
  bodyOf,
  publicToken,
  registerUser,
  type TestResponse,
  type TestUser,
  registerSeller,
} from '../../support/api.js';
import { seedBoxItem, type SeededItem, type SeedOptions } from '../../support/rows.js';
import { openService, sharedService } from '../../support/fixtures.js';
import { back, payInSandbox } from '../../support/payments.js';

export const freeTerms = { licenseType: 'FREE' } as const;
export const perView = { licenseType: 'PAY_PER_VIEW', pricePerView: '4,00' } as const;
export const inBundle = (bundleId: string) => ({ licenseType: 'CONTENT_BUNDLE', bundleId }) as const;

export interface PublishedItem extends SeededItem {
  readonly vodId: string;
  /** The response to the publisher's request. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies freely
  readonly body: any;
}

export type Shop = Awaited<ReturnType<typeof openShop>>;

type Sale = (vodId: string, by: TestUser | null, body?: object) => Promise<TestResponse>;

export interface AcquiredItem {
  readonly boxId: string;
  /** The licensor. */
  readonly issuer: TestUser;
}

/** Settings for tests in which days pass: tokens that are valid for a year. */
export const daysPass = { ACCESS_TOKEN_SECONDS: String(365 * 86_400) };

/**
 * A service with a publisher who may sell, a viewer, and a public token. Without settings, it is the shared service of the
 * test process.
 */
export async function openShop(overrides?: Record<string, string>) {
  const { ctx, api, close } = overrides ? await openService(overrides) : await sharedService();
  const seller = () => registerSeller(api);
  const [publisher, viewer, anybody] = await Promise.all([seller(), registerUser(api), publicToken(api)]);
  const post = (path: string, body: unknown, token: string) => api.call('POST', path, { token, body });
  const sale = (action: string): Sale => {
    return (vodId, by, body = back) =>
      by
        ? post(`/api/vod/${vodId}/${action}`, body, by.token)
        : post(`/api/public/vod/${vodId}/${action}`, body, anybody);
  };
  let issuer: TestUser | undefined;
  const payers: readonly (readonly [string, TestUser | null])[] = [
    ['a user', viewer],
    ['a public token', null],
  ];
  const shop = {
    ctx,
    api,
    publisher,
    viewer,
    anybody,
    seller,
    publish: (boxId: string, conditions: object, by = publisher): Promise<TestResponse> =>
      post(`/api/box/${boxId}/vod`, conditions, by.token),
    /** Creates a box item and publishes it. */
    async published(conditions: object = perView, options: SeedOptions = {}, by = publisher): Promise<PublishedItem> {
      const item = await seedBoxItem(ctx, by.userId, options);
      const body = bodyOf(201, await shop.publish(item.boxId, conditions, by));
      return { ...item, vodId: body.vodId, body };
    },
    /** The private view. */
    read: (vodId: string, by = publisher) => api.call('GET', `/api/vod/${vodId}`, { token: by.token }),
    readPublic: (vodId: string) => api.call('GET', `/api/public/vod/${vodId}`, { token: anybody }),
    update: (vodId: string, conditions: object, by = publisher) => post(`/api/vod/${vodId}`, conditions, by.token),
    remove: (vodId: string, by = publisher) => api.call('DELETE', `/api/vod/${vodId}`, { token: by.token }),
    async newBundle(members: object = {}, by = publisher): Promise<string> {
      const bundle = { name: 'Winter videos', price: '12,50', duration: 1, durationUnit: 'MONTHS', ...members };
      return bodyOf(201, await post('/api/contentbundle', bundle, by.token)).bundleId;
    },
    /** The items of a bundle in order, as its owner reads them. */
    async itemsOf(bundleId: string, by = publisher): Promise<string[]> {
      const { items } = bodyOf(200, await api.call('GET', `/api/contentbundle/${bundleId}/items`, { token: by.token }));
      return items.map(({ vodId }: { vodId: string }) => vodId);
    },
    /** Acquires (and pays) a license on the marketplace, and resolves with the box item. */
    async acquired(conditions: object, by = publisher): Promise<AcquiredItem> {
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
    /** Starts a payment: a user on the private path, null on the public path. */
    pay: sale('pay'),
    play: (vodId: string, by: TestUser | null, body: unknown = {}) => sale('play')(vodId, by, body as object),
    /** Pays in the sandbox; resolves with the tracking id. The service has not verified the payment yet. */
    async paid(vodId: string, by: TestUser | null): Promise<string> {
      const { trackingId } = bodyOf(200, await shop.pay(vodId, by));
      await payInSandbox(ctx, trackingId);
      return trackingId;
    },
    /** Both paths: with a user, and with a public token. */
    payers,
    /** `result` of a play request. */
    resultOf: async (vodId: string, by: TestUser | null, trackingId?: unknown): Promise<string> =>
      bodyOf(200, await shop.play(vodId, by, trackingId === undefined ? {} : { trackingId })).result,
    close,
  };
  return shop;
}
