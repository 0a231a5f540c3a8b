import type { Context } from '../platform/context.js';
import { requirePaid, settlePayment, startPayment, type StartedPayment } from '../payment/payment.service.js';
import { ValidationError } from '../platform/errors.js';
import type { Language } from '../platform/i18n.js';
import type { LicenseTerms } from './license.purchase.js';
import { freePlanId, planNamed, type Plan } from './plan.queries.js';
import { ensureQuota } from './usage.service.js';

/** Percent off for months paid in advance; `docs/contract.md#choices-licenses`. */
const discountPercents = { 1: 0, 3: 10, 6: 20, 12: 30 } as const;
export type MonthsInAdvance = keyof typeof discountPercents;
export const monthsInAdvance = [1, 3, 6, 12] as const satisfies readonly MonthsInAdvance[];

export interface Subscription {
  readonly plan: Plan;
  readonly payment: StartedPayment;
}

/** Cents for so many months of a plan. */
export function priceOf({ priceCents }: Pick<Plan, 'priceCents'>, months: MonthsInAdvance): number {
  return Math.round((priceCents * months * (100 - discountPercents[months])) / 100);
}

/**
 * Begins to pay for a plan; `docs/contract.md#licenses`. Throws NotFoundError for an unknown plan, ValidationError for one that
 * costs nothing, UnavailableError where the payment provider is away.
 */
export async function subscribe(
  ctx: Context,
  userId: string,
  wish: {
    readonly licenseName: string;
    readonly months: MonthsInAdvance;
    readonly returnUrl: string;
    readonly cancelUrl: string;
    readonly language: Language;
  },
): Promise<Subscription> {
  const plan = await planNamed(ctx, wish.licenseName);
  const amountCents = priceOf(plan, wish.months);
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
  const terms: LicenseTerms = { planId: plan.id, months: wish.months };
  const payment = await startPayment(ctx, {
    kind: 'license',
    itemId: String(plan.id),
    buyerId: userId,
    sellerId: null,
    amountCents,
    title: ctx.translate(wish.language, 'license.title', { name: plan.name, months: wish.months }),
    terms: { ...terms },
    returnUrl: wish.returnUrl,
    cancelUrl: wish.cancelUrl,
  });
  return { plan, payment };
}

/**
 * Makes what was paid count; asked again, it changes nothing. Throws NotFoundError for an unknown plan and for the
 * payment of another user or plan, PaymentRequiredError where nothing has been paid.
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

/** Back to Free at once. What was paid for and not used yet is given up. */
export async function downgrade(ctx: Context, userId: string): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    await ensureQuota(ctx, userId, tx);
    await ctx.db.change(
      'UPDATE quotas SET plan_id = $freePlanId, activated_at = NULL, expires_at = NULL WHERE user_id = $userId',
      { userId, freePlanId },
      tx,
    );
    await ctx.db.change(
      'DELETE FROM license_periods WHERE user_id = $userId AND starts_at >= $now',
      { userId, now },
      tx,
    );
    await ctx.db.change(
      'UPDATE license_periods SET ends_at = $now WHERE user_id = $userId AND ends_at > $now',
      { userId, now },
      tx,
    );
  });
}
