import type { Context } from '../platform/context.js';
import { NotFoundError } from '../platform/errors.js';

/** What a user can subscribe to; `docs/contract.md#fields-license`, `docs/contract.md#choices-licenses`. */
export interface Plan {
  readonly id: number;
  readonly name: string;
  /** Of a month. */
  readonly priceCents: number;
  readonly dayDuration: number;
  readonly storageGigabytes: number;
  readonly bandGigabytes: number;
  /** Hours of streaming that the band is good for, about. */
  readonly streamingHours: number;
  /** Of one file. */
  readonly maxVideoGigabytes: number;
  /** 0: none. */
  readonly maxUploadNumber: number;
  readonly support: string;
}

/** The plan of everybody who has paid for none. */
export const freePlanId = 1;

const plans = `
  SELECT id, name, price_cents, day_duration, storage_gigabytes,
         band_gigabytes, streaming_amount AS streaming_hours,
         max_video_gigabytes, max_upload_number, support
    FROM plans`;

/** Every plan, the cheapest first. */
export function readPlans(ctx: Context): Promise<Plan[]> {
  return ctx.db.rows<Plan>(`${plans} ORDER BY price_cents, id`);
}

/** A plan by its name, in any case. Throws NotFoundError. */
export async function planNamed(ctx: Context, name: string): Promise<Plan> {
  const [plan] = await ctx.db.rows<Plan>(`${plans} WHERE lower(name) = lower($name)`, { name });
  if (!plan) throw new NotFoundError();
  return plan;
}

/**
 * SQL: id of the plan whose limits count for the row `q` of `quotas` at `$now` (a timestamptz). It is computed from
 * times alone, so that a plan which ends is the next one, or Free, at that very moment and not when a job comes by.
 * A plan without an end is one that operators gave.
 */
export const planInForce = `
  CASE WHEN q.expires_at <= $now::timestamptz THEN ${freePlanId}
       ELSE coalesce((SELECT period.plan_id FROM license_periods period
                       WHERE period.user_id = q.user_id AND period.starts_at <= $now::timestamptz
                         AND period.ends_at > $now::timestamptz
                       ORDER BY period.starts_at LIMIT 1), q.plan_id, ${freePlanId}) END`;
