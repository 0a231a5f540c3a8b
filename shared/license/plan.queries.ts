import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import type { RowOf } from '../platform/database/model.js';
import { orNotFound } from '../platform/errors.js';
import { LicensePlan } from './license.model.js';

/** A plan that users can subscribe to; `docs/contract.md#fields-license`, `docs/contract.md#choices-licenses`. */
export type PlanDetails = RowOf<typeof LicensePlan>;

/** In `quotas.plan_id`: the user has no paid or assigned plan, and the plan of `DEFAULT_PLAN` is in force. */
export const freePlanId = 1;

/** Every plan, the cheapest first. */
export function allPlans(ctx: Context): Promise<PlanDetails[]> {
  return ctx.db.model(LicensePlan).findAll({ order: ['priceCents', 'id'] });
}

/** A plan by its name, case-insensitive. Throws NotFoundError. */
export async function planNamed(ctx: Context, name: string): Promise<PlanDetails> {
  const sql = 'SELECT * FROM license_plans WHERE lower(name) = lower($name)';
  const [plan] = await ctx.db.rows<PlanDetails>(sql, { name });
  return orNotFound(plan);
}

/** A plan by its id. Throws Error if it does not exist: plans are never deleted. */
export function planById(ctx: Context, tx: Transaction, planId: number): Promise<PlanDetails> {
  return ctx.db.model(LicensePlan).findByPk(planId, { transaction: tx, rejectOnEmpty: true });
}

/**
 * SQL: the id of the plan in force for the row `q` of `quotas`, with the binds of `planInForceNow`. It is computed from
 * times and not set by a job, so that the next plan, or the default plan, is in force as soon as a period ends. A plan
 * without an end was assigned by operators.
 */
export const planInForce = `
  coalesce(CASE WHEN q.expires_at <= $now::timestamptz THEN NULL
                ELSE coalesce((SELECT period.plan_id FROM license_periods period
                                WHERE period.user_id = q.user_id AND period.starts_at <= $now::timestamptz
                                  AND period.ends_at > $now::timestamptz
                                ORDER BY period.starts_at LIMIT 1), nullif(q.plan_id, ${freePlanId})) END,
           (SELECT plan.id FROM license_plans plan WHERE lower(plan.name) = lower($defaultPlan)), ${freePlanId})`;

/** The binds of `planInForce`. */
export function planInForceNow(
  ctx: Context,
  now = ctx.clock.now(),
): { readonly now: Date; readonly defaultPlan: string } {
  return { now, defaultPlan: ctx.config.license.defaultPlan };
}

/**
 * Logs an error if `DEFAULT_PLAN` is not the name of a plan; Free is then the default. `npm run migrate` rejects such a
 * name.
 */
export async function reportUnknownDefaultPlan(ctx: Context): Promise<void> {
  const { defaultPlan } = ctx.config.license;
  try {
    const plans = (await allPlans(ctx)).map(({ name }) => name);
    if (!plans.some((name) => name.toLowerCase() === defaultPlan.toLowerCase()))
      ctx.log.error({ defaultPlan, plans }, 'DEFAULT_PLAN is not the name of a plan: the default is Free');
  } catch (err) {
    ctx.log.warn({ err }, 'DEFAULT_PLAN not checked');
  }
}
