import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import type { RowOf } from '../platform/database/model.js';
import { NotFoundError } from '../platform/errors.js';
import { LicensePlan } from './license.model.js';

/** A plan that users can subscribe to; `docs/contract.md#fields-license`, `docs/contract.md#choices-licenses`. */
export type PlanDetails = RowOf<typeof LicensePlan>;

/** The plan of users who have not paid for any. */
export const freePlanId = 1;

/** All plans, the cheapest first. */
export function readPlans(ctx: Context): Promise<PlanDetails[]> {
  return ctx.db.model(LicensePlan).findAll({ order: ['priceCents', 'id'] });
}

/** A plan by its name, in any case. Throws NotFoundError. */
export async function planNamed(ctx: Context, name: string): Promise<PlanDetails> {
  const sql = 'SELECT * FROM license_plans WHERE lower(name) = lower($name)';
  const [plan] = await ctx.db.rows<PlanDetails>(sql, { name });
  if (!plan) throw new NotFoundError();
  return plan;
}

/** A plan by its id. Throws Error where it does not exist: plans are never deleted. */
export function planById(ctx: Context, tx: Transaction, planId: number): Promise<PlanDetails> {
  return ctx.db.model(LicensePlan).findByPk(planId, { transaction: tx, rejectOnEmpty: true });
}

/**
 * SQL: the id of the plan in force for the row `q` of `quotas` at `$now` (timestamptz). It is computed from times, and not
 * set by a job, so that the next plan, or Free, is in force from the moment at which a period ends. A plan without an end
 * was assigned by operators.
 */
export const planInForce = `
  CASE WHEN q.expires_at <= $now::timestamptz THEN ${freePlanId}
       ELSE coalesce((SELECT period.plan_id FROM license_periods period
                       WHERE period.user_id = q.user_id AND period.starts_at <= $now::timestamptz
                         AND period.ends_at > $now::timestamptz
                       ORDER BY period.starts_at LIMIT 1), q.plan_id, ${freePlanId}) END`;
