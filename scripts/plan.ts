import type { Context } from '../shared/platform/context.js';
import { assignPlan } from '../shared/license/license.service.js';
import { overviewOf } from '../shared/license/overview.queries.js';
import { allPlans } from '../shared/license/plan.queries.js';
import { userIdOf, userIdOfEmail } from '../shared/user/user.queries.js';
import { runOnService } from './onService.js';

const usage = `npm run plan -- <user code or email address> [<plan>]
Assigns a plan to a user, without a payment and without an end; without a plan it prints the user's plan. Paid periods stay in
force until their end. The plan Free means the plan of DEFAULT_PLAN.
`;

/** Assigns a plan to a user, or prints the user's plan. Resolves with the exit code. */
export async function plan(
  ctx: Context,
  [user, planName, ...more]: readonly string[],
  output: NodeJS.WriteStream,
): Promise<number> {
  const plans = await allPlans(ctx);
  if (user === undefined || more.length > 0) {
    output.write(`${usage}Plans: ${plans.map(({ name }) => name).join(', ')}\n`);
    return 1;
  }
  const userId = (await userIdOf(ctx, user)) ?? (await userIdOfEmail(ctx, user));
  if (userId === undefined) return fail(`There is no user ${user}.`);
  if (planName !== undefined) {
    const assigned = plans.find(({ name }) => name.toLowerCase() === planName.toLowerCase());
    if (!assigned) return fail(`There is no plan ${planName}, only ${plans.map(({ name }) => name).join(', ')}.`);
    await assignPlan(ctx, userId, assigned);
  }
  const { license, usage: limits } = await overviewOf(ctx, userId);
  const used = (bytes: number, limitBytes: number): string =>
    `${(bytes / 1024 ** 3).toFixed(2)} of ${(limitBytes / 1024 ** 3).toLocaleString('en')} GB`;
  output.write(`${user}: plan ${license.name}${license.expired ? ', expired' : ''}
storage ${used(limits.storedBytes, limits.storageLimitBytes)}, sent this month ${used(limits.bandBytes, limits.bandLimitBytes)}
`);
  return 0;

  function fail(message: string): number {
    output.write(`${message}\n`);
    return 1;
  }
}

await runOnService(import.meta, plan);
