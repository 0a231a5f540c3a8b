import { expect } from 'chai';
import { ValidationError } from '../../../shared/platform/errors.js';
import { assertMaySell } from '../../../shared/user/sellerRequirements.js';
import { makeSeller } from '../../support/sellers.js';
import { createUser } from '../../support/users.js';
import { serviceFixture } from '../../support/service.js';

describe('Seller requirements', () => {
  const { ctx } = serviceFixture();
  let userId: string;
  beforeEach(async () => {
    userId = await createUser(ctx);
    await makeSeller(ctx, userId);
  });

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

  it('are met with all data', async () => {
    expect(await missing()).to.deep.equal([]);
  });

  it('are met with a VAT number instead of a tax code, and without a state', async () => {
    await change("tax_code = NULL, vat_number = 'IT1', billing_address = billing_address - 'state'");
    expect(await missing()).to.deep.equal([]);
  });

  for (const [what, column, field] of [
    ['no PayPal address', 'paypal_email = NULL', 'finance.paypalEmail'],
    ['no tax number at all', 'tax_code = NULL', 'finance.vatNumber'],
    ['no country', "billing_address = billing_address - 'country'", 'finance.billingAddress'],
    ['no city', "billing_address = billing_address - 'city'", 'finance.billingAddress'],
    ['no street', "billing_address = billing_address - 'street'", 'finance.billingAddress'],
    ['no zip code', "billing_address = billing_address - 'zipCode'", 'finance.billingAddress'],
  ] as const) {
    it(`are not met with ${what}`, async () => {
      await change(column);
      expect(await missing()).to.deep.equal([field]);
    });
  }

  it('everything that is missing is reported at once', async () => {
    userId = await createUser(ctx);
    expect(await missing()).to.deep.equal(['finance.paypalEmail', 'finance.billingAddress', 'finance.vatNumber']);
  });
});
