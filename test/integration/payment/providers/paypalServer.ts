import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import {
  capturesIn,
  isSignedByPaypal,
  paypalEvent,
  signPaypalEvent,
  type PaypalOrder,
  type PaypalSubject,
  type SignedWebhook,
} from './paypalWebhooks.js';
import { startFakeServer, type RecordedRequest, type Reply } from './fakeServer.js';

export type PaypalServer = Awaited<ReturnType<typeof startPaypalServer>>;

const wholeCurrencies = ['HUF', 'JPY', 'TWD'];

/** A fake of PayPal's Orders v2, tokens and webhooks for one merchant, written from its documentation. */
export async function startPaypalServer() {
  const credentials = { clientId: 'paypal-client', clientSecret: 'paypal-secret-0815', webhookId: '1JE4291016473214C' };
  const orders = new Map<string, PaypalOrder>();
  const replies = new Map<string, Reply>();
  const tokens = new Set<string>();
  /** Result of the next captures. */
  const behaviour = {
    /**
     * `PENDING`: the money arrives later. A PayPal error code makes the capture fail; `ORDER_ALREADY_CAPTURED`: another
     * request has captured just before.
     */
    capture: 'COMPLETED',
    /** The captured amount, if it differs from that of the order. */
    capturedValue: null as string | null,
    /** Captures, then closes the connection. */
    cutAfterCapture: false,
  };

  /** A repeated request id on the same path gets the first response. */
  const idempotent = (request: RecordedRequest, work: () => Reply): Reply => {
    const id = request.headers['paypal-request-id'];
    if (typeof id !== 'string') return errorResponse(400, 'INVALID_REQUEST', 'PAYPAL_REQUEST_ID_REQUIRED');
    const key = `${request.path} ${id}`;
    const reply = replies.get(key) ?? work();
    if (reply !== 'cut' && reply !== 'hang' && reply.status < 300) replies.set(key, { ...reply, status: 200 });
    return reply;
  };

  const response = (request: RecordedRequest): Reply => {
    if (request.path === '/v1/oauth2/token') return token(request, credentials, tokens);
    const [scheme, sent = ''] = (request.headers.authorization ?? '').split(' ');
    if (scheme !== 'Bearer' || !tokens.has(sent))
      return {
        status: 401,
        body: { error: 'invalid_token', error_description: 'Token signature verification failed' },
      };
    if (request.path === '/v1/notifications/verify-webhook-signature') return verification(request);
    if (request.method === 'POST' && request.path === '/v2/checkout/orders')
      return idempotent(request, () => create(request));
    const [, refunded] = /^\/v2\/payments\/captures\/([^/]+)\/refund$/.exec(request.path) ?? [];
    if (refunded && request.method === 'POST') return idempotent(request, () => refund(refunded));
    const [, captureId] = /^\/v2\/payments\/captures\/([^/]+)$/.exec(request.path) ?? [];
    if (captureId) return readCapture(captureId);
    const [, id = '', step] = /^\/v2\/checkout\/orders\/([^/]+)(\/capture)?$/.exec(request.path) ?? [];
    const order = orders.get(id);
    if (!order) return notFound;
    if (step && request.method === 'POST') return idempotent(request, () => capture(order));
    return { status: 200, body: shown(order) };
  };

  const create = (request: RecordedRequest): Reply => {
    const { intent, ...details } = JSON.parse(request.body) as Omit<PaypalOrder, 'id' | 'status'> & { intent: string };
    const [unit] = details.purchase_units;
    const isWhole = wholeCurrencies.includes(unit?.amount.currency_code ?? '');
    const { return_url: back, cancel_url: away } = details.payment_source.paypal.experience_context;
    if (intent !== 'CAPTURE' || !unit) return errorResponse(400, 'INVALID_REQUEST', 'INVALID_PARAMETER_VALUE');
    if (!(isWhole ? /^\d+$/ : /^\d+\.\d\d$/).test(unit.amount.value))
      return errorResponse(422, 'UNPROCESSABLE_ENTITY', 'DECIMAL_PRECISION');
    if (!URL.canParse(back ?? '') || !URL.canParse(away ?? ''))
      return errorResponse(400, 'INVALID_REQUEST', 'INVALID_PARAMETER_SYNTAX');
    if ((unit.description ?? '').length > 127)
      return errorResponse(400, 'INVALID_REQUEST', 'INVALID_STRING_MAX_LENGTH');
    const order: PaypalOrder = { id: paypalId(), status: 'PAYER_ACTION_REQUIRED', ...details };
    orders.set(order.id, order);
    return { status: 201, body: { id: order.id, status: order.status, links: linksOf(order.id) } };
  };

  const capture = (order: PaypalOrder): Reply => {
    const [unit] = order.purchase_units;
    if (order.status === 'COMPLETED') return errorResponse(422, 'UNPROCESSABLE_ENTITY', 'ORDER_ALREADY_CAPTURED');
    if (order.status !== 'APPROVED' || !unit) return errorResponse(422, 'UNPROCESSABLE_ENTITY', 'ORDER_NOT_APPROVED');
    const { capture: requested, capturedValue, cutAfterCapture } = behaviour;
    const early = requested === 'ORDER_ALREADY_CAPTURED';
    if (!early && !['COMPLETED', 'PENDING', 'DECLINED'].includes(requested))
      return errorResponse(422, 'UNPROCESSABLE_ENTITY', requested);
    order.status = 'COMPLETED';
    const { currency_code, value } = unit.amount;
    const amount = { currency_code, value: capturedValue ?? value };
    const own = unit.custom_id === undefined ? {} : { custom_id: unit.custom_id };
    const payment = { id: paypalId(), status: early ? 'COMPLETED' : requested, amount, ...own };
    (unit.payments ??= { captures: [] }).captures.push(payment);
    if (early) return errorResponse(422, 'UNPROCESSABLE_ENTITY', requested);
    return cutAfterCapture ? 'cut' : { status: 201, body: shown(order) };
  };

  /** A capture by its id, with the id of its order. */
  const captureOf = (id: string) =>
    [...orders.values()]
      .flatMap((order) => capturesIn(order).map((found) => ({ found, order_id: order.id })))
      .find(({ found }) => found.id === id);

  const readCapture = (id: string): Reply => {
    const one = captureOf(id);
    if (!one) return notFound;
    return { status: 200, body: { ...one.found, supplementary_data: { related_ids: { order_id: one.order_id } } } };
  };

  const refund = (id: string): Reply => {
    const one = captureOf(id);
    if (!one) return notFound;
    if (one.found.status === 'REFUNDED') return errorResponse(422, 'UNPROCESSABLE_ENTITY', 'CAPTURE_FULLY_REFUNDED');
    one.found.status = 'REFUNDED';
    return behaviour.cutAfterCapture ? 'cut' : { status: 201, body: { id: paypalId(), status: 'COMPLETED' } };
  };

  /** Verifies the signature of the event's bytes, at any position in the request. */
  const verification = (request: RecordedRequest): Reply => {
    const sent = JSON.parse(request.body) as Record<string, string>;
    const marker = '"webhook_event":';
    const event = request.body.slice(request.body.indexOf(marker) + marker.length, request.body.lastIndexOf('}'));
    const { transmission_id: id = '', transmission_time: time = '', transmission_sig: signature = '' } = sent;
    if (!/^\S{1,50}$/.test(id) || sent['auth_algo'] !== 'SHA256withRSA')
      return errorResponse(400, 'VALIDATION_ERROR', 'INVALID_PARAMETER_VALUE');
    const signed = `${id}|${time}|${sent['webhook_id']}|${crc32(event)}`;
    const isOurs =
      sent['cert_url'] === `${server.url}/v1/notifications/certs/CERT-1` &&
      sent['webhook_id'] === credentials.webhookId &&
      isSignedByPaypal(signed, signature);
    return { status: 200, body: { verification_status: isOurs ? 'SUCCESS' : 'FAILURE' } };
  };

  const linksOf = (id: string): object[] => [
    { href: `${server.url}/v2/checkout/orders/${id}`, rel: 'self', method: 'GET' },
    { href: `https://www.sandbox.paypal.com/checkoutnow?token=${id}`, rel: 'payer-action', method: 'GET' },
  ];
  const shown = (order: PaypalOrder): object => ({ ...order, intent: 'CAPTURE', links: linksOf(order.id) });
  const orderOf = (id: string): PaypalOrder => {
    const order = orders.get(id);
    if (!order) throw new Error(`there is no order ${id}`);
    return order;
  };

  const server = await startFakeServer(response);
  return Object.assign(server, {
    settings: { url: server.url, ...credentials },
    orders,
    behaviour,
    /** The buyer approves the order on PayPal's page. */
    approve: (id: string) => void (orderOf(id).status = 'APPROVED'),
    /** Deletes an order that was not approved in time. */
    forget: (id: string) => void orders.delete(id),
    /** Ends a pending capture. */
    decide(id: string, status: 'COMPLETED' | 'DECLINED') {
      for (const one of capturesIn(orderOf(id))) one.status = status;
    },
    /** Refunds an order, in full or in part. */
    refund(id: string, { part = false } = {}) {
      for (const one of capturesIn(orderOf(id))) one.status = part ? 'PARTIALLY_REFUNDED' : 'REFUNDED';
    },
    captures: (id: string) => capturesIn(orderOf(id)).length,
    revokeTokens: () => tokens.clear(),
    /** A signed webhook about an order. */
    webhook(
      id: string,
      options: PaypalSubject & { readonly signedAt?: Date; readonly eventId?: string } = {},
    ): SignedWebhook {
      const { signedAt = new Date(), eventId = `WH-${paypalId()}`, ...subject } = options;
      const order = orderOf(id);
      const event = { id: eventId, event_version: '1.0', ...paypalEvent(order, shown(order), subject) };
      return signPaypalEvent(event, { url: server.url, webhookId: credentials.webhookId, signedAt });
    },
  });
}

function token(
  request: RecordedRequest,
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
  tokens: Set<string>,
): Reply {
  const expected = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  if (request.headers.authorization !== expected)
    return { status: 401, body: { error: 'invalid_client', error_description: 'Client Authentication failed' } };
  if (new URLSearchParams(request.body).get('grant_type') !== 'client_credentials')
    return { status: 400, body: { error: 'unsupported_grant_type', error_description: 'Grant Type is NULL' } };
  const access = `A21AA${randomBytes(24).toString('base64url')}`;
  tokens.add(access);
  const scope = 'https://uri.paypal.com/services/payments/payment';
  return {
    status: 200,
    body: { scope, access_token: access, token_type: 'Bearer', app_id: 'APP', expires_in: 32_400 },
  };
}

function errorResponse(status: number, name: string, issue: string): Reply {
  const details = [{ issue, description: `What ${issue} means.` }];
  return {
    status,
    body: { name, message: 'The request is refused.', debug_id: randomBytes(6).toString('hex'), details },
  };
}

const notFound = errorResponse(404, 'RESOURCE_NOT_FOUND', 'INVALID_RESOURCE_ID');

/** 17 letters and digits, as PayPal's ids. */
function paypalId(): string {
  return randomBytes(9).toString('hex').toUpperCase().slice(0, 17);
}
