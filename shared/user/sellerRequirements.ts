import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { ValidationError, type FieldError } from '../platform/errors.js';
import type { BillingAddress, User } from './user.model.js';
import { readUser } from './user.service.js';

/** What an address is not complete without. Many countries have no states, so `state` is not among it. */
const addressParts = ['country', 'city', 'street', 'zipCode'] as const satisfies readonly (keyof BillingAddress)[];

/**
 * Whoever deals in money (paid items, bundles, paid marketplace conditions) has said who they are: `docs/contract.md#choices-users`.
 * Throws ValidationError with everything that is missing, by the members of `POST /api/user/me`.
 */
export async function assertMaySell(ctx: Context, userId: string, tx?: Transaction): Promise<void> {
  const missing = missingToDeal(await readUser(ctx, userId, tx));
  if (missing.length > 0) throw new ValidationError(missing, { key: 'user.dealing.incomplete' });
}

function missingToDeal(user: User): FieldError[] {
  const missing = (field: string, key: string): FieldError => ({ field, code: 'dealing', key });
  const incomplete = addressParts.some((part) => !user.billingAddress[part]);
  return [
    ...(user.paypalEmail ? [] : [missing('finance.paypalEmail', 'user.dealing.paypalEmail')]),
    ...(incomplete ? [missing('finance.billingAddress', 'user.dealing.billingAddress')] : []),
    ...(user.vatNumber || user.taxCode ? [] : [missing('finance.vatNumber', 'user.dealing.taxNumber')]),
  ];
}
