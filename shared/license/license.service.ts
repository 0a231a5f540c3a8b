import type { Context } from '../platform/context.js';
import { requirePaid, settlePayment, startPayment, type StartedPayment } from '../payment/payment.service.js';
import { ValidationError } from '../platform/errors.js';
import type { Language } from '../platform/i18n.js';
import { licenseTerms } from './license.purchase.js';
import { endAllPeriods, recordLicense, returningLicense, type QuotaLicense } from './period.lifecycle.js';
import { planNamed, type PlanDetails } from './plan.queries.js';
import { ensureQuota } from './usage.service.js';

/** Discount in percent for months paid in advance; `docs/contract.md#choices-licenses`. */
const discountPercents = { 1: 0, 3: 10, 6: 20, 12: 30 } as const;
export type MonthsInAdvance = keyof typeof discountPercents;
export const monthsInAdvance = [1, 3, 6, 12] as const satisfies readonly MonthsInAdvance[];

export interface PlanSubscription {
  readonly plan: PlanDetails;
  readonly payment: StartedPayment;
}

/** Discounted price in cents of a plan for a number of months. */
export function priceOf({ priceCents }: Pick<PlanDetails, 'priceCents'>, months: MonthsInAdvance): number {
  return Math.round((priceCents * months * (100 - discountPercents[months])) / 100);
}

/**
 * Starts the payment of a plan; `docs/contract.md#licenses`. Throws NotFoundError for an unknown plan, ValidationError
 * for a free plan, UnavailableError if the payment provider is unavailable.
 */
export async function subscribeToPlan(
  ctx: Context,
  userId: string,
  request: {
    readonly licenseName: string;
    readonly months: MonthsInAdvance;
    readonly returnUrl: string;
    readonly cancelUrl: string;
    readonly language: Language;
  },
): Promise<PlanSubscription> {
  const plan = await planNamed(ctx, request.licenseName);
  const amountCents = priceOf(plan, request.months);
  if (amountCents === 0)
    throw new ValidationError([
      {
        field: 'licenseName',
        code: 'free',
        key: 'license.notSold',
        values: { name: plan.name },
        rejectedValue: plan.name,
      },
    ]);
  const payment = await startPayment(ctx, {
    kind: 'license',
    itemId: String(plan.id),
    buyerId: userId,
    sellerId: null,
    amountCents,
    title: ctx.translate(request.language, 'license.title', { name: plan.name, months: request.months }),
    terms: licenseTerms.write({ planId: plan.id, months: request.months }),
    returnUrl: request.returnUrl,
    cancelUrl: request.cancelUrl,
  });
  return { plan, payment };
}

/**
 * Verifies the payment of a plan and grants its months. Idempotent: the same tracking id may be sent again. Throws
 * NotFoundError for an unknown plan and for the payment of another user or plan, PaymentRequiredError if the payment is
 * not paid.
 */
export async function activateLicense(
  ctx: Context,
  userId: string,
  claim: { readonly licenseName: string; readonly trackingId: string },
): Promise<void> {
  const plan = await planNamed(ctx, claim.licenseName);
  const outcome = await settlePayment(ctx, {
    trackingId: claim.trackingId,
    kind: 'license',
    itemId: String(plan.id),
    buyerId: userId,
  });
  requirePaid(outcome);
}

/** Assigns a plan that does not expire. Paid periods that have not ended take precedence over it. */
export async function assignPlan(ctx: Context, userId: string, { id: planId }: Pick<PlanDetails, 'id'>): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await ensureQuota(ctx, userId, tx);
    const [license] = await ctx.db.rows<QuotaLicense>(
      `UPDATE quotas SET plan_id = $planId, expires_at = NULL WHERE user_id = $userId ${returningLicense}`,
      { planId, userId },
      tx,
    );
    await recordLicense(ctx, tx, userId, license);
  });
}

/** Returns a user to the Free plan immediately. Unused paid time is lost. */
export async function downgrade(ctx: Context, userId: string): Promise<void> {
  await ctx.db.transaction((tx) => endAllPeriods(ctx, tx, userId));
}
