import { expect } from 'chai';
import { ValidationError } from '../../../shared/platform/errors.js';
import { assertMaySell } from '../../../shared/user/sellerRequirements.js';
import { makeSeller, registerSeller, bodyOf, registerUser } from '../../support/api.js';
import { createUser } from '../../support/users.js';
import { serviceFixture, useFixture } from '../../support/fixtures.js';
import { lockBundle } from '../../../shared/bundle/bundleOrder.js';
import type { Transaction } from '../../../shared/platform/database/database.js';
import { readUser } from '../../../shared/user/user.queries.js';
import { conflictsOf, waitingStatements } from '../../support/statements.js';
import { seedBoxItem } from '../../support/rows.js';
import { eventually } from '../../support/eventually.js';
import { back, payInSandbox } from '../../support/payments.js';

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

describe('locks on accounts and bundles', () => {
  const { ctx, api } = serviceFixture();
  const seller = useFixture(() => registerSeller(api));
  let bundleId: string;

  before(async () => {
    const body = { name: 'Videos', price: '1,00', duration: 1, durationUnit: 'DAYS' };
    ({ bundleId } = bodyOf(201, await api.call('POST', '/api/contentbundle', { token: seller.token, body })));
  });

  const held: readonly [string, (tx: Transaction) => Promise<unknown>][] = [
    ['the account of the seller', (tx) => readUser(ctx, seller.userId, tx)],
    ['the bundle', (tx) => lockBundle(ctx, tx, seller.userId, bundleId)],
  ];
  for (const [name, lock] of held) {
    // A sale holds search marks. If it waited for a change, which also inserts marks, both would deadlock.
    it(`do not block a sale: ${name}`, async () => {
      const buyer = await registerUser(api);
      const call = (action: string, body: object) =>
        api.call('POST', `/api/contentbundle/${bundleId}/${action}`, { token: buyer.token, body });
      const { trackingId } = bodyOf(200, await call('subscribe', back));
      await payInSandbox(ctx, trackingId);
      await ctx.db.transaction(async (tx) => {
        await lock(tx);
        await ctx.db.rows("SET LOCAL idle_in_transaction_session_timeout = '5s'", {}, tx);
        bodyOf(200, await call('activate', { trackingId }));
      });
    });
  }

  it('let a request that ends in a deadlock be retried', async () => {
    const { boxId } = await seedBoxItem(ctx, seller.userId);
    const insert = () =>
      api.call('POST', `/api/contentbundle/${bundleId}/items/insert`, {
        token: seller.token,
        body: { index: 0, sourceItems: [{ boxId }] },
      });
    const conflicts = await conflictsOf(ctx);
    const { response } = await ctx.db.transaction(async (tx) => {
      // PostgreSQL aborts the other transaction, not this one.
      await ctx.db.rows("SET LOCAL deadlock_timeout = '20s'", {}, tx);
      await lockBundle(ctx, tx, seller.userId, bundleId);
      const waiting = insert();
      await eventually(async () => expect(await waitingStatements(ctx)).to.equal(1));
      await ctx.db.rows('SELECT 1 FROM box_items WHERE id = $boxId FOR UPDATE', { boxId }, tx);
      return { response: waiting };
    });
    bodyOf(200, await response);
    expect(await conflictsOf(ctx)).to.equal(conflicts + 1);
  });
});
