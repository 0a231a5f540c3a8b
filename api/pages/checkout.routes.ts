import { randomBytes, randomUUID } from 'node:crypto';
import Joi from 'joi';
import { ForbiddenError, NotFoundError } from '../../shared/platform/errors.js';
import { receiveEvent } from '../../shared/payment/events.js';
import {
  approveOrder,
  findOrder,
  refundOrder,
  rejectOrder,
  sandboxBehaviours,
  type SandboxBehaviour,
  type SandboxOrder,
} from '../../shared/payment/sandbox/orders.js';
import { id } from '../http/fields.js';
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

const params = Joi.object<CheckoutParams>({ reference: id().required() });
const path = '/sandbox/checkout/:reference';

/**
 * Where buyers pay while no real provider is set up. The page belongs to the sandbox: it knows its orders and nothing
 * of our payments. The reference in its address is all that a buyer needs, and cannot be guessed.
 */
export const checkoutRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path,
    status: 200,
    summary: 'The page of the sandbox where a buyer pays',
    params,
    response: null,
    handle: show,
  }),
  defineRoute({
    method: 'post',
    path,
    status: 200,
    summary: 'Pays at the sandbox, turns away, or has the money sent back; sends the browser where it came from',
    params,
    reads: 'form',
    body: Joi.object<CheckoutForm>({
      action: Joi.string().valid('pay', 'later', 'reject', 'refund').required(),
      behaviour: Joi.string()
        .valid(...sandboxBehaviours)
        .default('PLAIN'),
    }),
    response: null,
    handle: decide,
  }),
];

async function show(request: CheckoutRequest): Promise<void> {
  const order = await orderOf(request);
  const frame = frameOf(request);
  if (!order) return send(request, frame, 404, notePage(frame, 'unknown', null));
  if (order.state !== 'OPEN') return send(request, frame, 200, notePage(frame, order.state, order), order);
  if (order.expiresAt <= request.ctx.clock.now())
    return send(request, frame, 200, notePage(frame, 'EXPIRED', order), order);
  send(request, frame, 200, checkoutPage(frame, order), order);
}

/** Pressed twice, a button does the same once more: the order has moved on, and the browser goes where it would go. */
async function decide(request: RequestOf<CheckoutParams, unknown, CheckoutForm>): Promise<void> {
  const { ctx, headers, body, response } = request;
  if (!isSameSite(headers, [new URL(ctx.config.service.publicUrl).host, headers.host]))
    throw new ForbiddenError({ key: 'error.forbidden', detail: 'the form of another site' });
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

/** What a merchant does on the pages of a real provider, which then tells us; the sandbox does so without a detour. */
async function refund(request: CheckoutRequest, order: SandboxOrder): Promise<void> {
  const { reference } = order;
  if (await refundOrder(request.ctx, order))
    await receiveEvent(request.ctx, 'sandbox', { id: randomUUID(), reference, told: 'REFUND' });
  return show(request);
}

/** Throws NotFoundError where another provider takes the money: the page is not there at all. */
async function orderOf({ ctx, params: { reference } }: CheckoutRequest): Promise<SandboxOrder | undefined> {
  if (ctx.payments.provider.name !== 'sandbox') throw new NotFoundError({ detail: 'the sandbox is not in use' });
  return findOrder(ctx, reference);
}

function frameOf({ ctx, language }: CheckoutRequest): CheckoutFrame {
  return {
    language,
    nonce: randomBytes(16).toString('base64'),
    say: (key, values) => ctx.translate(language, `checkout.${key}`, values),
  };
}

function send(
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

/** No script at all, and nobody may frame it. Browsers hold a form to its policy also where the answer leads on. */
function policyOf({ nonce }: CheckoutFrame, order: SandboxOrder | undefined): string {
  const onward = order ? [order.returnUrl, order.cancelUrl].map((address) => new URL(address).origin) : [];
  return [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    'img-src data:',
    "base-uri 'none'",
    `form-action ${["'self'", ...new Set(onward)].join(' ')}`,
    "frame-ancestors 'none'",
  ].join('; ');
}
