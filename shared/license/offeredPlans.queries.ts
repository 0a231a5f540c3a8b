import type { Context } from '../platform/context.js';
import { readPage, rowsOfPage } from '../platform/database/readPage.js';
import type { Page, PageRequest } from '../platform/formats/page.js';
import type { PlanDetails } from './plan.queries.js';

const offered = 'FROM license_plans plan WHERE plan.price_cents > 0 OR lower(plan.name) = lower($defaultPlan)';

/** The plans with a price and the plan of `DEFAULT_PLAN`, the cheapest first. */
export function offeredPlans(ctx: Context, page: PageRequest): Promise<Page<PlanDetails>> {
  const { defaultPlan } = ctx.config.license;
  return readPage(
    page,
    (rows) =>
      ctx.db.rows<PlanDetails>(`SELECT plan.* ${offered} ORDER BY plan.price_cents, plan.id ${rowsOfPage}`, {
        defaultPlan,
        ...rows,
      }),
    async () => {
      const [total] = await ctx.db.rows<{ count: number }>(`SELECT count(*)::int AS count ${offered}`, { defaultPlan });
      return total?.count ?? 0;
    },
  );
}
