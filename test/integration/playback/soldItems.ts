import { expect } from 'chai';
import { recordBand } from '../../../shared/license/band.service.js';
import { verifyPayment } from '../../../shared/payment/verifyPayment.js';
import { registerUser, type TestResponse, type TestUser, bodyOf } from '../../support/api.js';
import { back, payInSandbox } from '../../support/payments.js';
import { inBundle, perView, type Shop } from '../vod/shop.js';

const hourMs = 3_600_000;

/** A published item, alone or in a bundle, and a viewer with a paid or open payment for it. */
export interface SoldItem {
  readonly shop: Shop;
  readonly seller: TestUser;
  readonly viewer: TestUser;
  readonly boxId: string;
  readonly vodId: string;
  /** Null: the item is sold by the view. */
  readonly bundleId: string | null;
}

/** The viewer's state before the seller acts. */
export const claims = ['open payment', 'unused view', 'running view'] as const;
export const subscriberClaims = ['open payment', 'running subscription'] as const;
export type Claim = (typeof claims)[number] | (typeof subscriberClaims)[number];

/** A change of the item: the statuses that the seller receives, and the result for viewers who have not paid. */
export interface Happening {
  readonly name: string;
  readonly statuses: readonly number[];
  readonly others: string;
  /** The seller holds the item under a license of one day. */
  readonly isLicensed?: boolean;
  readonly happen: (item: SoldItem) => Promise<readonly TestResponse[]>;
}

const call = ({ shop, seller }: SoldItem, method: string, path: string, body?: unknown) =>
  shop.api.call(method, path, { token: seller.token, ...(body === undefined ? {} : { body }) });
export const deleteBox = (item: SoldItem) => call(item, 'DELETE', `/api/box/${item.boxId}`);
export const withdraw = ({ shop, vodId, seller }: SoldItem) => shop.remove(vodId, seller);
export const takeOut = (item: SoldItem) =>
  call(item, 'POST', `/api/contentbundle/${item.bundleId}/items/remove`, { index: 0, count: 1 });
const update = (item: SoldItem, conditions: object) => item.shop.update(item.vodId, conditions, item.seller);

const disable: Happening = {
  name: 'disable the seller',
  statuses: [204],
  others: '404',
  happen: async (item) => [await call(item, 'POST', '/api/user/me/disable')],
};
const noBand: Happening = {
  name: 'plan expires, no band left',
  statuses: [],
  others: 'BAND_LIMIT_EXCEEDED',
  async happen({ shop, seller }) {
    await recordBand(shop.ctx, new Map([[seller.userId, 5 * 1024 ** 3]]));
    return [];
  },
};
const licenseEnds: Happening = {
  name: 'acquired license expires',
  statuses: [],
  others: 'MESSAGE',
  isLicensed: true,
  async happen({ shop }) {
    shop.ctx.clock.advance(hourMs);
    return [];
  },
};

export const happenings: readonly Happening[] = [
  { name: 'delete', statuses: [204], others: '404', happen: async (item) => [await withdraw(item)] },
  {
    name: 'hide',
    statuses: [200],
    others: 'PAYMENT_REQUIRED',
    happen: async (item) => [await update(item, { ...perView, public: false })],
  },
  {
    name: 'change the price',
    statuses: [200],
    others: 'PAYMENT_REQUIRED',
    happen: async (item) => [await update(item, { ...perView, pricePerView: '99,00' })],
  },
  {
    name: 'make it free, then delete it',
    statuses: [200, 204],
    others: '404',
    happen: async (item) => [await update(item, { licenseType: 'FREE' }), await withdraw(item)],
  },
  {
    name: 'put it into a bundle',
    statuses: [200],
    others: 'SUBSCRIPTION_REQUIRED',
    happen: async (item) => [await update(item, inBundle(await item.shop.newBundle({}, item.seller)))],
  },
  {
    name: 'delete it and its box item',
    statuses: [204, 409],
    others: '404',
    happen: async (item) => [await withdraw(item), await deleteBox(item)],
  },
  disable,
  licenseEnds,
  noBand,
];

export const bundleHappenings: readonly Happening[] = [
  { name: 'remove the item', statuses: [200], others: '404', happen: async (item) => [await takeOut(item)] },
  { name: 'delete the item', statuses: [204], others: '404', happen: async (item) => [await withdraw(item)] },
  {
    name: 'hide the item',
    statuses: [200],
    others: 'SUBSCRIPTION_REQUIRED',
    happen: async (item) => [await update(item, { ...inBundle(item.bundleId ?? ''), public: false })],
  },
  {
    name: 'sell the item by the view',
    statuses: [200],
    others: 'PAYMENT_REQUIRED',
    happen: async (item) => [await update(item, perView)],
  },
  {
    name: 'change price and duration of the bundle',
    statuses: [200],
    others: 'SUBSCRIPTION_REQUIRED',
    happen: async (item) => {
      const body = { name: 'Dear', price: '99,00', duration: 1, durationUnit: 'DAYS' };
      return [await call(item, 'POST', `/api/contentbundle/${item.bundleId}`, body)];
    },
  },
  {
    name: 'remove the item and delete its box item',
    statuses: [200, 409],
    others: '404',
    happen: async (item) => [await takeOut(item), await deleteBox(item)],
  },
  disable,
  licenseEnds,
  noBand,
];

/** Creates a seller with an item, sold by the view or in a bundle, and a viewer. */
export async function soldItem(shop: Shop, { isLicensed }: Happening, kind: 'view' | 'bundle'): Promise<SoldItem> {
  const [seller, viewer] = await Promise.all([shop.seller(), registerUser(shop.api)]);
  const oneDay = { duration: 1, durationUnit: 'DAYS' };
  const license =
    kind === 'view'
      ? { licenseType: 'REVENUE_SHARING', earningPercentage: 50, ...oneDay }
      : { licenseType: 'FREE', ...oneDay };
  const bundleId = kind === 'bundle' ? await shop.newBundle({}, seller) : null;
  const conditions = bundleId === null ? perView : inBundle(bundleId);
  if (!isLicensed) {
    const { boxId, vodId } = await shop.published(conditions, {}, seller);
    return { shop, seller, viewer, boxId, vodId, bundleId };
  }
  const { boxId } = await shop.acquired(license, seller);
  const { vodId } = bodyOf(201, await shop.publish(boxId, conditions, seller));
  // One hour of the license is left, in which an open payment can be paid.
  shop.ctx.clock.advance(23 * hourMs);
  return { shop, seller, viewer, boxId, vodId, bundleId };
}

/** Makes the claim. Resolves with the tracking id, and a function that pays an open payment. */
export async function claim(item: SoldItem, made: Claim): Promise<{ trackingId: string; pay: () => Promise<void> }> {
  const { shop, viewer, vodId, bundleId } = item;
  const started =
    bundleId === null
      ? await shop.pay(vodId, viewer)
      : await shop.api.call('POST', `/api/contentbundle/${bundleId}/subscribe`, { token: viewer.token, body: back });
  const { trackingId } = bodyOf(200, started);
  const pay = () => payInSandbox(shop.ctx, trackingId);
  if (made === 'open payment') return { trackingId, pay };
  await pay();
  expect(await verifyPayment(shop.ctx, trackingId)).to.equal('FULFILLED');
  if (made === 'running view') expect(await shop.resultOf(vodId, viewer)).to.equal('PLAY');
  return { trackingId, pay: async () => {} };
}

/** `result` of a play, or the status of an error. */
export async function resultFor({ shop, vodId }: SoldItem, by: TestUser | null, trackingId?: string): Promise<string> {
  const played = await shop.play(vodId, by, trackingId === undefined ? {} : { trackingId });
  return played.status === 200 ? played.body.result : String(played.status);
}

/** Expects an error that contains the end of the block. */
export function expectInUse({ body }: TestResponse): void {
  expect(body.exception).to.contain('DataIntegrityViolationException');
  expect(body.message).to.match(/\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d UTC/);
}
