import { expect } from 'chai';
import { ValidationError } from '../../../shared/platform/errors.js';
import { assertMaySell } from '../../../shared/user/sellerRequirements.js';
import { makeSeller } from '../../support/sellers.js';
import { createUser } from '../../support/users.js';
import { serviceFixture } from '../../support/service.js';

describe('the seller requirements', () => {
  const { ctx } = serviceFixture();
  let userId: string;
  const openSeller = async (): Promise<void> => makeSeller(ctx, (userId = await createUser(ctx)));

  const missing = () =>
    assertMaySell(ctx, userId).then(
      () => [],
      (error: ValidationError) => {
        expect(error).to.be.instanceOf(ValidationError);
        expect(error.key).to.equal('user.dealing.incomplete');
        return error.errors.map(({ field }) => field);
      },
    );
  const change = (column: string) => ctx.db.change(`UPDATE users SET ${column} WHERE id = $userId`, { userId });

  it('are met with all data, with a VAT number instead of a tax code, and without a state', async () => {
    await openSeller();
    expect(await missing()).to.deep.equal([]);
    await change("tax_code = NULL, vat_number = 'IT1', billing_address = billing_address - 'state'");
    expect(await missing()).to.deep.equal([]);
  });

  it('report all missing data at once', async () => {
    for (const [column, field] of [
      ['paypal_email = NULL', 'finance.paypalEmail'],
      ['tax_code = NULL', 'finance.vatNumber'],
      ["billing_address = billing_address - 'country'", 'finance.billingAddress'],
      ["billing_address = billing_address - 'city'", 'finance.billingAddress'],
      ["billing_address = billing_address - 'street'", 'finance.billingAddress'],
      ["billing_address = billing_address - 'zipCode'", 'finance.billingAddress'],
    ] as const) {
      await openSeller();
      await change(column);
      expect(await missing(), column).to.deep.equal([field]);
    }
    userId = await createUser(ctx);
    expect(await missing()).to.deep.equal(['finance.paypalEmail', 'finance.billingAddress', 'finance.vatNumber']);
  });
});
