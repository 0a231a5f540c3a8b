import { randomBytes, randomUUID } from 'node:crypto';
import Joi from 'joi';
import { ForbiddenError, NotFoundError } from '../../shared/platform/errors.js';
import {
  approveOrder,
  findOrder,
  refundOrder,
  rejectOrder,
} from '../../shared/payment/providers/sandbox/sandboxOrders.js';
import {
  sandboxBehaviours,
  type SandboxBehaviour,
  type SandboxOrder,
} from '../../shared/payment/providers/sandbox/sandbox.model.js';
import { receiveEvent } from '../../shared/payment/providerEvents.js';
import { choice, id } from '../http/fields.js';
import { defineRoute, type RequestOf, type Route } from '../http/route.js';
import { isSameSite } from '../http/sameSite.js';
import { checkoutPage, notePage, type CheckoutFrame } from './checkout.page.js';

interface CheckoutParams {
  readonly reference: string;
}

interface CheckoutForm {
  readonly action: 'pay' | 'later' | 'reject' | 'refund';
  readonly behaviour: SandboxBehaviour;
}

type CheckoutRequest = RequestOf<CheckoutParams, unknown, unknown>;

const params = Joi.object<CheckoutParams>({ reference: id().required().description('The reference of the order.') });
const path = '/sandbox/checkout/:reference';

/**
 * The checkout page of the sandbox provider. Like a real provider, it uses only its own orders, not the service's payments. Access
 * needs the reference in the address, which is random and cannot be guessed.
 */
export const checkoutRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path,
    status: 200,
    operationId: 'getSandboxCheckout',
    summary: 'Show the checkout page of the sandbox',
    description: 'The page of the order with this reference. Only with the sandbox provider.',
    params,
    response: null,
    otherResponses: { 200: ['text/html'], 404: ['text/html'] },
    handle: show,
  }),
  defineRoute({
    method: 'post',
    path,
    status: 200,
    operationId: 'submitSandboxCheckout',
    summary: 'Submit the checkout page of the sandbox',
    description: 'Approves, rejects or refunds the order, and redirects the browser to the return or cancel address.',
    params,
    beforeBody: admit,
    reads: 'form',
    body: Joi.object<CheckoutForm>({
      action: choice(['pay', 'later', 'reject', 'refund']).required().description('The pressed button.'),
      behaviour: choice(sandboxBehaviours).default('PLAIN').description('Simulated behaviour of the provider.'),
    }),
    errors: [403],
    response: null,
    otherResponses: { 200: ['text/html'], 303: [], 404: ['text/html'] },
    handle: decide,
  }),
];

async function show(request: CheckoutRequest): Promise<void> {
  const order = await orderOf(request);
  const frame = frameOf(request);
  if (!order) return respond(request, frame, 404, notePage(frame, 'unknown', null));
  if (order.state !== 'OPEN') return respond(request, frame, 200, notePage(frame, order.state, order), order);
  if (order.expiresAt <= request.ctx.clock.now())
    return respond(request, frame, 200, notePage(frame, 'EXPIRED', order), order);
  respond(request, frame, 200, checkoutPage(frame, order), order);
}

/** Rejects forms of other sites; responds with a page if the order does not exist. */
async function admit(request: CheckoutRequest): Promise<void> {
  const { ctx, headers } = request;
  if (!isSameSite(headers, [new URL(ctx.config.service.publicUrl).host, headers.host]))
    throw new ForbiddenError({ key: 'error.forbidden', detail: 'the form was sent from another site' });
  if (!(await orderOf(request))) await show(request);
}

/** Idempotent: the state of the order decides the redirect, so a button pressed twice leads to the same address. */
async function decide(request: RequestOf<CheckoutParams, unknown, CheckoutForm>): Promise<void> {
  const { ctx, body, response } = request;
  const before = await orderOf(request);
  if (!before) return show(request);
  if (body.action === 'refund') return refund(request, before);
  if (body.action === 'reject') await rejectOrder(ctx, before);
  else await approveOrder(ctx, before, { behaviour: body.behaviour, later: body.action === 'later' });
  const order = (await orderOf(request)) ?? before;
  if (order.state === 'OPEN') return show(request);
  response.statusCode = 303;
  response.setHeader('Location', order.state === 'REJECTED' ? order.cancelUrl : order.returnUrl);
  response.setHeader('Cache-Control', 'no-store');
  response.end();
}

/** A real provider would send a webhook after the merchant's refund; here the event is received directly. */
async function refund(request: CheckoutRequest, order: SandboxOrder): Promise<void> {
  const { reference } = order;
  if (await refundOrder(request.ctx, order))
    await receiveEvent(request.ctx, 'sandbox', { id: randomUUID(), reference, reversal: 'REFUND' });
  return show(request);
}

/** Throws NotFoundError if another provider is configured. */
async function orderOf({ ctx, params: { reference } }: CheckoutRequest): Promise<SandboxOrder | null> {
  if (ctx.payments.provider.name !== 'sandbox')
    throw new NotFoundError({ detail: 'the sandbox is not the configured provider' });
  return findOrder(ctx, reference);
}

function frameOf({ ctx, language, locale }: CheckoutRequest): CheckoutFrame {
  return {
    ...{ language, locale },
    nonce: randomBytes(16).toString('base64'),
    translate: (key, values) => ctx.translate(language, `checkout.${key}`, values),
  };
}

function respond(
  { response }: CheckoutRequest,
  frame: CheckoutFrame,
  status: number,
  page: string,
  order?: SandboxOrder,
): void {
  const bytes = Buffer.from(page);
  response.statusCode = status;
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.setHeader('Content-Security-Policy', policyOf(frame, order));
  response.setHeader('Cache-Control', 'private, no-store');
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('Vary', 'Accept-Language');
  response.setHeader('Content-Length', bytes.length);
  response.end(response.req.method === 'HEAD' ? undefined : bytes);
}

/** No scripts, no framing. `form-action` includes the redirect targets, because browsers also check redirects after a form. */
function policyOf({ nonce }: CheckoutFrame, order: SandboxOrder | undefined): string {
  const redirects = order ? [order.returnUrl, order.cancelUrl].map((address) => new URL(address).origin) : [];
  return [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    'img-src data:',
    "base-uri 'none'",
    `form-action ${["'self'", ...new Set(redirects)].join(' ')}`,
    "frame-ancestors 'none'",
  ].join('; ');
}
