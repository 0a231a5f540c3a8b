import Joi, { type ObjectSchema, type Schema } from 'joi';
import { trackingIdOf } from '../../shared/playback/entitlement.js';
import type { StartedPayment } from '../../shared/platform/payments.js';
import { assertNotTooMany, paymentSubjects } from '../../shared/oauth/throttle.js';
import { flag, integer, wire } from './fields.js';
import type { RequestOf } from './route.js';

/** Payment body of `docs/contract.md#payments`, with what `docs/contract.md#choices-payments` requires of it. */
export interface PaymentBody {
  readonly returnUrl: string;
  readonly cancelUrl: string;
  readonly advanceMonthlyPayments?: number;
  readonly mobile: boolean;
  readonly embedded: boolean;
}

const backAddress = Joi.string()
  .trim()
  .max(2000)
  .uri({ scheme: ['http', 'https'] })
  .example('https://example.org/paid');

export const paymentBody: ObjectSchema<PaymentBody> = Joi.object({
  returnUrl: backAddress.required(),
  cancelUrl: backAddress.required(),
  /** Of plans alone, which say what they take; clients send it everywhere. */
  advanceMonthlyPayments: integer(),
  mobile: flag().default(false),
  embedded: flag().default(false),
});

/** To be asked before a payment is started. Throws TooManyRequestsError; its route says `isLimited`. */
export function assertMayStartPayment({
  ctx,
  remoteAddress,
}: Pick<RequestOf<unknown, unknown, unknown>, 'ctx' | 'remoteAddress'>): Promise<void> {
  return assertNotTooMany(ctx, paymentSubjects(ctx, remoteAddress));
}

/** Body of every activate operation. What is no id of a payment is told as one that is unknown (`docs/contract.md#choices-errors`). */
export const activateBody = Joi.object<{ trackingId: string }>({ trackingId: Joi.string().trim().required() });

/** What play and acquire are sent: a payment's tracking id; whatever is none counts as absent (`docs/contract.md#choices-playback`). */
export const paymentCheckBody = Joi.object<{ trackingId?: string }>({
  trackingId: Joi.any()
    .custom((given: unknown) => trackingIdOf(given) ?? undefined)
    .meta({ swagger: { type: 'string' } }),
});

/** Payment start result of `docs/contract.md#fields-payment-start`. */
export function paymentStartResponse(resource: Schema): ObjectSchema {
  return Joi.object({
    resource: resource.required(),
    url: Joi.string().required(),
    mobile: Joi.boolean().required(),
    embedded: Joi.boolean().required(),
    trackingId: wire.id().required(),
  });
}

export function paymentStartView<Resource extends object>(
  resource: Resource,
  { url, trackingId }: StartedPayment,
  { mobile, embedded }: PaymentBody,
) {
  return { resource, url, mobile, embedded, trackingId };
}
