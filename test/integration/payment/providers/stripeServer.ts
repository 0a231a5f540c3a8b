import { createHmac, randomBytes } from 'node:crypto';
import type { SignedWebhook } from './paypalWebhooks.js';
import { startFakeServer, type RecordedRequest, type Reply } from './fakeServer.js';

/** A Checkout session in Stripe's format. */
interface StripeSession {
  readonly id: string;
  readonly object: 'checkout.session';
  status: 'open' | 'complete' | 'expired';
  payment_status: 'unpaid' | 'paid';
  amount_total: number;
  readonly currency: string;
  readonly client_reference_id: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly success_url: string;
  readonly cancel_url: string;
  readonly expires_at: number;
  readonly name: string;
  payment_intent: StripeIntent | null;
}

interface StripeIntent {
  readonly id: string;
  readonly object: 'payment_intent';
  status: string;
  readonly latest_charge: StripeCharge;
}

interface StripeCharge {
  readonly id: string;
  readonly object: 'charge';
  readonly payment_intent: string;
  readonly amount: number;
  amount_refunded: number;
  refunded: boolean;
}

/** The subject of a Stripe webhook; default: the session. */
interface WebhookOptions {
  readonly type?: string;
  /** The status of the dispute of a `charge.dispute` event. */
  readonly status?: string;
  /** Replaces the intent of the session. */
  readonly intent?: string;
  readonly signedAt?: Date;
  readonly eventId?: string;
  readonly secret?: string;
}

/** A fake of Stripe's Checkout Sessions and webhooks for one account, written from its documentation. */
export async function startStripeServer() {
  const credentials = { secretKey: 'sk_test_4711081547110815', webhookSecret: 'whsec_0815471108154711' };
  const sessions = new Map<string, StripeSession>();
  const replies = new Map<string, { readonly body: string; readonly reply: Reply }>();

  /** The next session is created, and its response is lost. */
  const faults = { cutAfterCreate: false };

  const response = (request: RecordedRequest): Reply => {
    if (request.headers.authorization !== `Bearer ${credentials.secretKey}`)
      return failure(401, { type: 'invalid_request_error', message: 'Invalid API Key provided: sk_test_****0815' });
    if (request.path === '/v1/checkout/sessions' && request.method === 'POST')
      return idempotent(request, () => create(request));
    if (request.path === '/v1/checkout/sessions') return list(request.query.get('payment_intent'));
    if (request.path === '/v1/refunds') return refund(new URLSearchParams(request.body).get('payment_intent'));
    const [, id = '', step] = /^\/v1\/checkout\/sessions\/(\w+)(\/expire)?$/.exec(request.path) ?? [];
    const session = sessions.get(id);
    if (!session)
      return failure(404, { code: 'resource_missing', param: 'session', message: 'No such checkout.session' });
    if (step) {
      if (session.status !== 'open') return failure(400, { message: 'Only Checkout Sessions with a status of open.' });
      session.status = 'expired';
    }
    const expanded =
      (step ? new URLSearchParams(request.body) : request.query).get('expand[0]') === 'payment_intent.latest_charge';
    return { status: 200, body: expanded ? session : plain(session) };
  };

  const list = (intent: string | null): Reply => {
    const data = [...sessions.values()].filter(({ payment_intent }) => payment_intent?.id === intent).map(plain);
    if (data.length === 0) return failure(404, { code: 'resource_missing', param: 'payment_intent' });
    return { status: 200, body: { object: 'list', url: '/v1/checkout/sessions', has_more: false, data } };
  };

  const refund = (intent: string | null): Reply => {
    const session = [...sessions.values()].find(({ payment_intent }) => payment_intent?.id === intent);
    const charge = session?.payment_intent?.latest_charge;
    if (!charge) return failure(404, { code: 'resource_missing', param: 'payment_intent' });
    if (charge.refunded) return failure(400, { code: 'charge_already_refunded' });
    Object.assign(charge, { refunded: true, amount_refunded: charge.amount });
    return cutOnce({ status: 200, body: { id: 're_1', object: 'refund', status: 'succeeded' } });
  };

  /** A repeated idempotency key gets the first response; with another body it is rejected. */
  const idempotent = (request: RecordedRequest, work: () => Reply): Reply => {
    const key = String(request.headers['idempotency-key']);
    const known = replies.get(key);
    if (known && known.body !== request.body)
      return failure(400, { type: 'idempotency_error', message: 'Keys can only be used with the same parameters.' });
    if (known && typeof known.reply === 'object') return { ...known.reply, headers: { 'idempotent-replayed': 'true' } };
    const reply = work();
    replies.set(key, { body: request.body, reply });
    return cutOnce(reply);
  };

  const cutOnce = (reply: Reply): Reply => {
    if (!faults.cutAfterCreate) return reply;
    faults.cutAfterCreate = false;
    return 'cut';
  };

  const create = (request: RecordedRequest): Reply => {
    const form = new URLSearchParams(request.body);
    const line = (name: string): string => form.get(`line_items[0][${name}`) ?? '';
    const amount = Number(line('price_data][unit_amount]')) * Number(line('quantity]'));
    const expiresAt = Number(form.get('expires_at'));
    const seconds = expiresAt - Date.now() / 1000;
    if (form.get('mode') !== 'payment' || !form.get('success_url') || !line('price_data][product_data][name]'))
      return failure(400, { code: 'parameter_missing', message: 'Missing required param.' });
    if (!Number.isInteger(amount) || amount < 1) return failure(400, { code: 'parameter_invalid_integer' });
    if (seconds < 30 * 60 || seconds > 24 * 3600)
      return failure(400, { param: 'expires_at', message: 'expires_at must be between 30 minutes and 24 hours.' });
    const session: StripeSession = {
      id: `cs_test_${randomBytes(12).toString('hex')}`,
      object: 'checkout.session',
      status: 'open',
      payment_status: 'unpaid',
      amount_total: amount,
      currency: line('price_data][currency]'),
      client_reference_id: form.get('client_reference_id'),
      metadata: membersOf(form, 'metadata'),
      success_url: form.get('success_url') ?? '',
      cancel_url: form.get('cancel_url') ?? '',
      expires_at: expiresAt,
      name: line('price_data][product_data][name]'),
      payment_intent: null,
    };
    sessions.set(session.id, session);
    return { status: 200, body: plain(session), headers: { 'request-id': 'req_1' } };
  };

  const sessionOf = (id: string): StripeSession => {
    const session = sessions.get(id);
    if (!session) throw new Error(`there is no session ${id}`);
    return session;
  };

  const server = await startFakeServer(response);
  return Object.assign(server, {
    settings: { url: server.url, ...credentials },
    sessions,
    faults,
    /** Pays as the buyer on Stripe's page; `later`: with a method that takes days. Returns false for an ended session. */
    pay(reference: string, { later = false, amount }: { later?: boolean; amount?: number } = {}) {
      const session = sessionOf(reference);
      if (session.status !== 'open') return false;
      session.status = 'complete';
      session.payment_status = later ? 'unpaid' : 'paid';
      session.amount_total = amount ?? session.amount_total;
      const status = later ? 'processing' : 'succeeded';
      const id = `pi_${randomBytes(12).toString('hex')}`;
      const latest_charge = {
        id: `ch_${randomBytes(12).toString('hex')}`,
        object: 'charge' as const,
        payment_intent: id,
        amount: session.amount_total,
        amount_refunded: 0,
        refunded: false,
      };
      session.payment_intent = { id, object: 'payment_intent', status, latest_charge };
      return true;
    },
    /** Ends a payment with a method that takes days. */
    decide(id: string, arrived: boolean) {
      const session = sessionOf(id);
      if (session.payment_intent) session.payment_intent.status = arrived ? 'succeeded' : 'requires_payment_method';
      if (arrived) session.payment_status = 'paid';
    },
    /** Refunds a session, in full or in part. */
    refund(id: string, { part = false } = {}) {
      const charge = sessionOf(id).payment_intent?.latest_charge;
      if (!charge) throw new Error('nothing was paid');
      charge.amount_refunded = part ? 1 : charge.amount;
      charge.refunded = !part;
    },
    expire: (id: string) => void (sessionOf(id).status = 'expired'),
    webhook(id: string, options: WebhookOptions = {}): SignedWebhook {
      const {
        type = 'checkout.session.completed',
        signedAt = new Date(),
        secret = credentials.webhookSecret,
      } = options;
      const { eventId = `evt_${randomBytes(12).toString('hex')}` } = options;
      const data = { object: subjectOf(sessionOf(id), options) };
      const event = { id: eventId, object: 'event', type, livemode: false, data };
      const body = Buffer.from(JSON.stringify(event, null, 2));
      const time = Math.floor(signedAt.getTime() / 1000);
      const signature = createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex');
      return {
        body,
        headers: { 'content-type': 'application/json', 'stripe-signature': `t=${time},v1=${signature}` },
      };
    },
  });
}

function subjectOf(session: StripeSession, { type = '', status, intent }: WebhookOptions): object {
  const charge = session.payment_intent?.latest_charge;
  const payment_intent = intent ?? charge?.payment_intent ?? null;
  if (type.startsWith('charge.dispute.'))
    return { id: 'du_1', object: 'dispute', charge: charge?.id, payment_intent, status };
  return type.startsWith('charge.') ? { ...charge, payment_intent } : plain(session);
}

/** The session without expanded members. */
function plain(session: StripeSession): object {
  const page = session.status === 'open' ? `https://checkout.stripe.com/c/pay/${session.id}` : null;
  return { ...session, payment_intent: session.payment_intent?.id ?? null, url: page };
}

function failure(status: number, error: Readonly<Record<string, string>>): Reply {
  return { status, body: { error: { type: 'invalid_request_error', ...error } }, headers: { 'request-id': 'req_2' } };
}

/** Members of a form, such as `metadata[name]`. */
function membersOf(form: URLSearchParams, name: string): Record<string, string> {
  return Object.fromEntries(
    [...form].flatMap(([key, value]) => {
      const member = new RegExp(`^${name}\\[(\\w+)\\]$`).exec(key)?.[1];
      return member ? [[member, value]] : [];
    }),
  );
}
