import { activateLicense, downgrade, subscribeToPlan } from '../../shared/license/license.service.js';
import { offeredPlans } from '../../shared/license/offeredPlans.queries.js';
import { activateBody, assertMayStartPayment, paymentStartResponse, paymentStartView } from '../http/paymentBody.js';
import { defineRoute, type Route } from '../http/route.js';
import { pageResponse, pageQuery } from '../http/searchBody.js';
import { overviewResponse } from '../user/overview.schemas.js';
import { ownOverview } from '../../shared/views/overview.views.js';
import { licenseResponse, licenseParams, subscriptionBody } from './license.schemas.js';
import { licenseView } from '../../shared/views/license.views.js';

/** `docs/contract.md#licenses`, `docs/contract.md#choices-licenses`. */
export const licenseRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: '/api/public/license',
    readsReplica: true,
    status: 200,
    operationId: 'listLicenses',
    summary: 'List the license plans',
    description: 'The cheapest first.',
    query: pageQuery,
    response: pageResponse(licenseResponse),
    async handle({ ctx, query }) {
      const page = await offeredPlans(ctx, query);
      return { ...page, items: page.items.map(licenseView) };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/license/:licenseName/subscribe',
    status: 200,
    operationId: 'subscribeToLicense',
    summary: 'Start the payment of a license plan',
    description:
      'The buyer pays at `url`; then the plan is activated with the `trackingId`. Plan names are case-insensitive. Subscribing to the Free plan is 400.',
    params: licenseParams,
    body: subscriptionBody,
    isLimited: true,
    errors: [409],
    response: paymentStartResponse(licenseResponse),
    async handle(request) {
      const { ctx, userId, params, body, language } = request;
      await assertMayStartPayment(request);
      const { returnUrl, cancelUrl, advanceMonthlyPayments: months } = body;
      const subscription = { licenseName: params.licenseName, months, returnUrl, cancelUrl, language };
      const { plan, payment } = await subscribeToPlan(ctx, userId, subscription);
      return paymentStartView(licenseView(plan), payment, body);
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/license/:licenseName/activate',
    status: 200,
    operationId: 'activateLicense',
    summary: 'Activate a license plan that was paid for',
    description: '402 before it is paid, 404 for a payment of another user or plan. Idempotent.',
    params: licenseParams,
    body: activateBody,
    errors: [402],
    response: overviewResponse,
    async handle(request) {
      await activateLicense(request.ctx, request.userId, { ...request.params, ...request.body });
      return ownOverview(request);
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/license/downgrade',
    status: 200,
    operationId: 'downgradeLicense',
    summary: 'Return to the Free plan',
    description: 'Switches to the default plan (`DEFAULT_PLAN`) immediately. Unused paid time is lost.',
    response: overviewResponse,
    async handle(request) {
      await downgrade(request.ctx, request.userId);
      return ownOverview(request);
    },
  }),
];
