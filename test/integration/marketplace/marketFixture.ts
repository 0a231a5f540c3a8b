import { expect } from 'chai';
import type { OpenContext } from '../../../shared/openContext.js';
import {
  publicToken,
  registerUser,
  type TestResponse,
  type TestApi,
  type TestUser,
  registerSeller,
} from '../../support/api.js';
import { seedBoxItem, type SeededItem, type SeedOptions, storedRows } from '../../support/rows.js';
import type { TestContext } from '../../support/context.js';
import { serviceFixture, useFixture } from '../../support/fixtures.js';
import { BoxItem } from '../../../shared/box/box.model.js';

export const free = { licenseType: 'FREE' };
export const spotPrice = { licenseType: 'SPOT_PRICE', activationPrice: '12,50' };

export interface OfferedItem extends SeededItem {
  readonly marketplaceId: string;
  /** The response to the seller's request. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read any member
  readonly body: any;
}

/** A service with a seller who meets the seller requirements, and an acquirer who does not. */
export interface Market {
  readonly ctx: TestContext;
  readonly api: TestApi;
  readonly seller: TestUser;
  readonly acquirer: TestUser;
  readonly anybody: { readonly token: string };
  call(method: string, path: string, body?: unknown, as?: TestUser): Promise<TestResponse>;
  /** Creates a box item of the seller and offers it. */
  offer(conditions?: object, options?: SeedOptions, seller?: TestUser): Promise<OfferedItem>;
  acquire(marketplaceId: string, body?: unknown, as?: TestUser): Promise<TestResponse>;
  /** The acquirer's box item in the response. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read any member
  acquired(marketplaceId: string, as?: TestUser): Promise<any>;
}

export function marketFixture(): Market {
  // Tests advance the clock by months.
  const { ctx, api } = serviceFixture({ ACCESS_TOKEN_SECONDS: String(10 * 365 * 86_400) });
  const [seller, acquirer] = [useFixture(() => registerSeller(api)), useFixture(() => registerUser(api))];
  const call: Market['call'] = (method, path, body, as = acquirer) =>
    api.call(method, path, { token: as.token, ...(body === undefined ? {} : { body }) });
  const acquire: Market['acquire'] = (marketplaceId, body = {}, as = acquirer) =>
    call('POST', `/api/marketplace/${marketplaceId}/acquire`, body, as);
  return {
    ctx,
    api,
    seller,
    acquirer,
    anybody: useFixture(async () => ({ token: await publicToken(api) })),
    call,
    async offer(conditions = free, options = {}, by = seller) {
      const item = await seedBoxItem(ctx, by.userId, options);
      const { status, text, body } = await call('POST', `/api/box/${item.boxId}/marketplace`, conditions, by);
      expect(status, text).to.equal(201);
      return { ...item, marketplaceId: body.marketplaceId, body };
    },
    acquire,
    async acquired(marketplaceId, as = acquirer) {
      const { status, text, body } = await acquire(marketplaceId, {}, as);
      expect(status, text).to.equal(200);
      expect(body.result).to.equal('FULFILLED');
      return body.boxContent;
    },
  };
}

/** The number of a user's box items. */
export async function itemsOf(ctx: OpenContext, user: TestUser): Promise<number> {
  return (await storedRows(ctx, BoxItem, { ownerId: user.userId })).length;
}
