import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { ConflictError, ValidationError, type FieldError } from '../platform/errors.js';
import type { BillingAddress, User } from './user.model.js';
import { readUser } from './user.queries.js';

/** Required parts of a billing address. `state` is not required: many countries have no states. */
const addressParts = ['country', 'city', 'street', 'zipCode'] as const satisfies readonly (keyof BillingAddress)[];

/** Throws ConflictError if the deployment has no payment provider: nobody can sell or pay (`docs/contract.md#choices-payments`). */
export function assertPayments({ config }: Context): void {
  if (config.payments.provider === 'none')
    throw new ConflictError({ key: 'payment.none', detail: 'no payment provider is configured' });
}

/**
 * A user who sells (paid items, bundles, paid marketplace conditions) must have entered PayPal e-mail, billing address and a VAT
 * number or tax code: `docs/contract.md#choices-users`. Throws ValidationError with all missing members of `POST /api/user/me`, and
 * the error of `assertPayments`.
 */
export async function assertMaySell(ctx: Context, userId: string, tx?: Transaction): Promise<void> {
  assertPayments(ctx);
  const missing = missingRequirements(await readUser(ctx, userId, tx));
  if (missing.length === 0) return;
  const fields = missing.map(({ field }) => field).join(', ');
  throw new ValidationError(missing, { key: 'user.dealing.incomplete', values: { fields } });
}

function missingRequirements(user: User): FieldError[] {
  const missing = (field: string, key: string): FieldError => ({ field, code: 'dealing', key });
  const incomplete = addressParts.some((part) => !user.billingAddress[part]);
  return [
    ...(user.paypalEmail ? [] : [missing('finance.paypalEmail', 'user.dealing.paypalEmail')]),
    ...(incomplete ? [missing('finance.billingAddress', 'user.dealing.billingAddress')] : []),
    ...(user.vatNumber || user.taxCode ? [] : [missing('finance.vatNumber', 'user.dealing.taxNumber')]),
  ];
}
