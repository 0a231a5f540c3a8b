import type { Context } from '../../shared/platform/context.js';
import { registerUser, type TestApi, type TestUser } from './api.js';

/** Sets the fields that a user needs to sell (`docs/contract.md#choices-users`). */
export async function makeSeller(ctx: Context, userId: string): Promise<void> {
  await ctx.db.change(
    `UPDATE users SET paypal_email = email, tax_code = 'LVLDAA85T50H501X',
            billing_address = '{"country": "IT", "city": "Roma", "street": "Via Appia 1", "zipCode": "00179", "state": "RM"}'
      WHERE id = $userId`,
    { userId },
  );
}

/** Creates a user who meets the seller requirements. */
export async function registerSeller(api: TestApi, overrides: Record<string, unknown> = {}): Promise<TestUser> {
  const user = await registerUser(api, overrides);
  await makeSeller(api.ctx, user.userId);
  return user;
}
