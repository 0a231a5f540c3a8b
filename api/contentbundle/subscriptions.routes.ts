import { activateSubscription, subscribeToBundle } from '../../shared/bundle/subscription.service.js';
import { searchSubscriptions } from '../../shared/bundle/subscription.queries.js';
import {
  activateBody,
  assertMayStartPayment,
  paymentBody,
  paymentStartResponse,
  paymentStartView,
} from '../http/paymentBody.js';
import { defineRoute, type Route } from '../http/route.js';
import { pageResponse, pageRequestOf } from '../http/searchBody.js';
import {
  bundleParams,
  publicBundleResponse,
  subscriptionResponse,
  subscriptionSearchBody,
} from './contentbundle.schemas.js';
import { publicBundleView, subscriptionView } from '../../shared/views/bundle.views.js';

/** Subscriptions to bundles: `docs/contract.md#bundles`. */
export const subscriptionRoutes: readonly Route[] = [
  defineRoute({
    method: 'post',
    path: '/api/contentbundle/:bundleId/subscribe',
    status: 200,
    operationId: 'subscribeToBundle',
    summary: 'Start the payment of a subscription',
    description:
      'The buyer pays at `url`; then the subscription is activated with the `trackingId`. Subscribing again extends a running subscription. 409 for the caller’s own bundle.',
    params: bundleParams,
    body: paymentBody,
    isLimited: true,
    errors: [409],
    response: paymentStartResponse(publicBundleResponse),
    async handle(request) {
      const { ctx, userId, params, body } = request;
      await assertMayStartPayment(request);
      const { subject, started } = await subscribeToBundle(ctx, userId, params.bundleId, body);
      return paymentStartView(publicBundleView(subject), started, body);
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/contentbundle/:bundleId/activate',
    status: 200,
    operationId: 'activateBundleSubscription',
    summary: 'Activate a subscription that was paid for',
    description: '402 before it is paid, 404 for a payment of another user or bundle. Idempotent.',
    params: bundleParams,
    body: activateBody,
    errors: [402],
    response: publicBundleResponse,
    handle: async ({ ctx, userId, params, body }) =>
      publicBundleView(await activateSubscription(ctx, userId, params.bundleId, body.trackingId)),
  }),
  defineRoute({
    method: 'post',
    path: '/api/search/contentbundle/subscriptions',
    status: 200,
    operationId: 'searchBundleSubscriptions',
    summary: 'Search the subscriptions of the caller',
    description:
      'Searches the bundle and its publisher. Order: relevance, subscription date (latest first), end (earliest first), name.',
    body: subscriptionSearchBody,
    response: pageResponse(subscriptionResponse),
    async handle({ ctx, userId, body, zone, signal, caller }) {
      const { queryString: text, tags = [], bundleId, expiredIncluded } = body;
      const search = { text, tags, bundleId, expiredIncluded, page: pageRequestOf({ body, signal, caller }) };
      const page = await searchSubscriptions(ctx, userId, search);
      return { ...page, items: page.items.map((subscription) => subscriptionView(subscription, zone)) };
    },
  }),
];
