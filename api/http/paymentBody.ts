import Joi, { type ObjectSchema, type Schema } from 'joi';
import type { StartedPayment } from '../../shared/payment/payment.service.js';
import { limitCalls } from '../../shared/platform/throttle/throttle.js';
import { paymentSubject } from '../../shared/payment/paymentAttempts.js';
import { isUuid } from '../../shared/platform/formats/format.js';
import { documented, notBlank } from './documented.js';
import { flag, idOrNil, namedAfter, wire } from './fields.js';
import type { RequestOf } from './route.js';

/** Body of every payment start: `docs/contract.md#payments`, `docs/contract.md#choices-payments`. */
export interface PaymentBody {
  readonly returnUrl: string;
  readonly cancelUrl: string;
  readonly advanceMonthlyPayments?: number;
  readonly mobile: boolean;
  readonly embedded: boolean;
}

const returnAddress = Joi.string()
  .trim()
  .max(2000)
  .uri({ scheme: ['http', 'https'] })
  .meta(documented({ format: 'uri', pattern: '^https?://.' }))
  .example('https://example.org/paid');

export const paymentBody: ObjectSchema<PaymentBody> = Joi.object({
  returnUrl: returnAddress.required(),
  cancelUrl: returnAddress.required(),
  /** Clients send it with every payment; only license plans use it, and their route limits its values. */
  advanceMonthlyPayments: Joi.any()
    .strip()
    .meta(documented({ type: 'integer' })),
  mobile: flag().default(false),
  embedded: flag().default(false),
});

/** Call it before a payment is started. Throws TooManyRequestsError; the route must be declared `isLimited`. */
export function assertMayStartPayment({
  ctx,
  remoteAddress,
}: Pick<RequestOf<unknown, unknown, unknown>, 'ctx' | 'remoteAddress'>): Promise<void> {
  return limitCalls(ctx, [paymentSubject(remoteAddress)]);
}

/** Body of every activate operation. */
export const activateBody = Joi.object<{ trackingId: string }>({
  trackingId: idOrNil(Joi.string().trim().required()).meta(documented(notBlank)),
});

/**
 * Body of play and acquire: the tracking id of a payment. A malformed id counts as absent
 * (`docs/contract.md#choices-playback`).
 */
export const paymentCheckBody = Joi.object<{ trackingId?: string }>({
  trackingId: Joi.any()
    .custom((value: unknown) => trackingIdOf(value) ?? undefined)
    .meta(documented({ type: 'string' })),
});

/** Response of every payment start: `docs/contract.md#fields-payment-start`. */
export function paymentStartResponse(resource: Schema): ObjectSchema {
  return Joi.object({
    resource: resource.required(),
    url: Joi.string().required(),
    mobile: Joi.boolean().required(),
    embedded: Joi.boolean().required(),
    trackingId: wire.id().required(),
  }).meta(namedAfter(resource, 'PaymentStart'));
}

export function paymentStartView<Resource extends object>(
  resource: Resource,
  { url, trackingId }: StartedPayment,
  { mobile, embedded }: PaymentBody,
) {
  return { resource, url, mobile, embedded, trackingId };
}

/** The tracking id of a play request. A value other than a UUID (`""`, `"null"`, `"undefined"`, 7) counts as absent. */
export function trackingIdOf(sent: unknown): string | null {
  const text = typeof sent === 'string' ? sent.trim() : '';
  return isUuid(text) ? text.toLowerCase() : null;
}
