import { randomUUID } from 'node:crypto';
import Joi from 'joi';
import type { Purchase } from '../payment/purchase.js';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { place, type LicensePeriod } from './periods.js';
import { lockPeriodsAhead } from './period.lifecycle.js';
import { revokeMonths } from './revocation.js';

/** What a license was sold under: kept with the payment, so that a change of the plan changes nothing for it. */
export interface LicenseTerms {
  readonly planId: number;
  readonly months: number;
}

const terms = Joi.object<LicenseTerms, true>({
  planId: Joi.number().integer().required(),
  months: Joi.number().integer().min(1).required(),
});

/** Months of a plan: `docs/contract.md#choices-licenses`. All of it is the platform's. */
export const licensePurchase: Purchase = {
  kind: 'license',
  async grant(ctx, tx, payment) {
    if (payment.buyerId === null) throw new Error('a license was sold to nobody');
    const { planId, months }: LicenseTerms = Joi.attempt(payment.terms, terms);
    await addMonths(ctx, tx, { userId: payment.buyerId, trackingId: payment.trackingId, planId, months });
    return [{ userId: null, cents: payment.amountCents }];
  },
  revoke: revokeMonths,
};

interface Bought extends LicenseTerms {
  readonly userId: string;
  readonly trackingId: string;
}

async function addMonths(ctx: Context, tx: Transaction, bought: Bought): Promise<void> {
  const now = ctx.clock.now();
  const ahead = await lockPeriodsAhead(ctx, tx, bought.userId);
  const { startsAt, endsAt, postponed } = place(ahead, await boughtMonths(ctx, tx, bought), now);
  for (const period of postponed) await postpone(ctx, tx, period, now);
  await ctx.db.change(
    `INSERT INTO license_periods (id, user_id, plan_id, tracking_id, starts_at, ends_at, created_at)
     VALUES ($id, $userId, $planId, $trackingId, $startsAt, $endsAt, $now)`,
    { id: randomUUID(), ...bought, startsAt, endsAt, now },
    tx,
  );
  // The plan named last is the one that will have expired when all is used up.
  const last = postponed.at(-1) ?? { planId: bought.planId, endsAt };
  await ctx.db.change(
    `UPDATE quotas SET plan_id = $planId, expires_at = greatest(expires_at, $expiresAt),
            activated_at = CASE WHEN $atOnce::boolean THEN $now ELSE activated_at END
      WHERE user_id = $userId`,
    { userId: bought.userId, planId: last.planId, expiresAt: last.endsAt, atOnce: startsAt <= now, now },
    tx,
  );
}

async function boughtMonths(ctx: Context, tx: Transaction, { planId, months }: Bought) {
  const [plan] = await ctx.db.rows<{ priceCents: number }>(
    'SELECT price_cents FROM plans WHERE id = $planId',
    { planId },
    tx,
  );
  if (!plan) throw new Error(`plan ${planId} was sold and is not there`);
  return { priceCents: plan.priceCents, months };
}

/** Gives a period its new times. One that has begun is ended now, and its rest becomes a period of its own. */
async function postpone(
  ctx: Context,
  tx: Transaction,
  { id, startsAt, endsAt }: LicensePeriod,
  now: Date,
): Promise<void> {
  await ctx.db.change(
    `INSERT INTO license_periods (id, user_id, plan_id, tracking_id, starts_at, ends_at, created_at)
     SELECT $restId, user_id, plan_id, tracking_id, $startsAt, $endsAt, $now
       FROM license_periods WHERE id = $id AND starts_at < $now`,
    { id, restId: randomUUID(), startsAt, endsAt, now },
    tx,
  );
  await ctx.db.change(
    `UPDATE license_periods SET starts_at = CASE WHEN starts_at < $now THEN starts_at ELSE $startsAt END,
            ends_at = CASE WHEN starts_at < $now THEN $now ELSE $endsAt END
      WHERE id = $id`,
    { id, startsAt, endsAt, now },
    tx,
  );
}
