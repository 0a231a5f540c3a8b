import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { publicToken, registerUser, type TestResponse, type TestApi, type TestUser } from '../../support/api.js';
import { subscribesTo } from '../../../shared/bundle/subscription.queries.js';
import type { TestContext } from '../../support/context.js';
import { useFixture } from '../../support/fixtures.js';
import { serviceFixture } from '../../support/service.js';
import { registerSeller } from '../../support/sellers.js';
import { back, payInSandbox } from '../../support/payments.js';

/** A correct bundle. Tests of 400 change one member of it. */
export const aBundle = { name: 'Winter videos', price: '12,50', duration: 1, durationUnit: 'MONTHS' } as const;

/** A service with a publisher who may sell, a viewer, and a public token. */
export interface BundleFixture {
  readonly ctx: TestContext;
  readonly api: TestApi;
  readonly publisher: TestUser;
  readonly viewer: TestUser;
  readonly anybody: { readonly token: string };
}

/** Without settings, it is in the service that the test files of a process share. */
export function bundlesFixture(overrides?: Record<string, string>): BundleFixture {
  const { ctx, api } = serviceFixture(overrides);
  const [publisher, viewer] = [useFixture(() => registerSeller(api)), useFixture(() => registerUser(api))];
  return { ctx, api, publisher, viewer, anybody: useFixture(async () => ({ token: await publicToken(api) })) };
}

export function createBundle(api: TestApi, token: string, members: object = {}): Promise<TestResponse> {
  return api.call('POST', '/api/contentbundle', { token, body: { ...aBundle, ...members } });
}

/** Resolves with the id of a new bundle. */
export async function newBundle(api: TestApi, owner: TestUser, members: object = {}): Promise<string> {
  const { status, text, body } = await createBundle(api, owner.token, members);
  expect(status, text).to.equal(201);
  return body.bundleId as string;
}

export function startSubscription(api: TestApi, token: string, bundleId: string, body: object = back) {
  return api.call('POST', `/api/contentbundle/${bundleId}/subscribe`, { token, body });
}

export function activate(api: TestApi, token: string, bundleId: string, trackingId: unknown): Promise<TestResponse> {
  return api.call('POST', `/api/contentbundle/${bundleId}/activate`, { token, body: { trackingId } });
}

/** Subscribes, pays and activates. Resolves with the tracking id. */
export async function subscribed(api: TestApi, token: string, bundleId: string): Promise<string> {
  const { status, text, body } = await startSubscription(api, token, bundleId);
  expect(status, text).to.equal(200);
  await payInSandbox(api.ctx, body.trackingId);
  const activated = await activate(api, token, bundleId, body.trackingId);
  expect(activated.status, activated.text).to.equal(200);
  return body.trackingId;
}

/** A date as responses contain it, in UTC. */
export function wireDate(moment: Date): string {
  return moment.toISOString().slice(0, 10).split('-').toReversed().join('/');
}

export interface SubscriptionRow {
  readonly id: string;
  readonly subscribedAt: Date;
  readonly expiresAt: Date;
}

/** Whether what the bundle has is played by a user's subscription. */
export function isSubscribed(
  { ctx, viewer }: BundleFixture,
  bundleId: string,
  userId = viewer.userId,
): Promise<boolean> {
  return subscribesTo(ctx, userId, { vodId: randomUUID(), bundleId });
}

/** The row of a user's subscription to a bundle. */
export async function subscriptionOf(
  { ctx, viewer }: BundleFixture,
  bundleId: string,
  userId = viewer.userId,
): Promise<SubscriptionRow | undefined> {
  const [row] = await ctx.db.rows<SubscriptionRow>(
    `SELECT id, subscribed_at, expires_at FROM bundle_subscriptions
      WHERE bundle_id = $bundleId AND user_id = $userId`,
    { bundleId, userId },
  );
  return row;
}
