import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { NotFoundError } from '../platform/errors.js';

/** A plan that users can subscribe to; `docs/contract.md#fields-license`, `docs/contract.md#choices-licenses`. */
export interface PlanDetails {
  readonly id: number;
  readonly name: string;
  /** Of one month. */
  readonly priceCents: number;
  readonly dayDuration: number;
  readonly storageGigabytes: number;
  readonly bandGigabytes: number;
  /** Hours that encoders may publish in a calendar month; 0: unlimited. */
  readonly streamingHours: number;
  /** Maximum size of one file. */
  readonly maxVideoGigabytes: number;
  /** 0: unlimited. */
  readonly maxUploadNumber: number;
  readonly support: string;
}

/** The plan of users who have not paid for any. */
export const freePlanId = 1;

const plans = `
  SELECT id, name, price_cents, day_duration, storage_gigabytes,
         band_gigabytes, streaming_amount AS streaming_hours,
         max_video_gigabytes, max_upload_number, support
    FROM license_plans`;

/** All plans, the cheapest first. */
export function readPlans(ctx: Context): Promise<PlanDetails[]> {
  return ctx.db.rows<PlanDetails>(`${plans} ORDER BY price_cents, id`);
}

/** A plan by its name, in any case. Throws NotFoundError. */
export async function planNamed(ctx: Context, name: string): Promise<PlanDetails> {
  const [plan] = await ctx.db.rows<PlanDetails>(`${plans} WHERE lower(name) = lower($name)`, { name });
  if (!plan) throw new NotFoundError();
  return plan;
}

/** A plan by its id. Throws Error where it does not exist: plans are never deleted. */
export async function planById(ctx: Context, tx: Transaction, planId: number): Promise<PlanDetails> {
  const [plan] = await ctx.db.rows<PlanDetails>(`${plans} WHERE id = $planId`, { planId }, tx);
  if (!plan) throw new Error(`plan ${planId} does not exist`);
  return plan;
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
