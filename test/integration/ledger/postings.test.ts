import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { transactionFaults } from '../../../shared/ledger/ledgerAudit.js';
import { divideSale } from '../../../shared/ledger/divide.js';
import { earningsOf } from '../../../shared/ledger/earnings.queries.js';
import { postSale, postUnmatched, reverseSale, type Earning, type Receipt } from '../../../shared/ledger/posting.js';
import { openTestContext } from '../../support/context.js';
import { rejection } from '../../support/eventually.js';
import { violatedUniqueIndex } from '../../../shared/platform/database/databaseErrors.js';
import { createUser } from '../../support/users.js';
import { utc } from '../../../shared/platform/formats/timeZone.js';
import { fixtureEach } from '../../support/fixtures.js';

const page = { pageSize: 100, pageIndex: 0, pagination: true };

describe('the ledger', () => {
  const ctx = fixtureEach(openTestContext);
  let users: string[];
  beforeEach(async () => {
    users = await Promise.all([1, 2, 3, 4].map(() => createUser(ctx)));
  });

  const user = (index: number): string => users[index % users.length] ?? '';
  const ledgerFaults = async () =>
    transactionFaults(
      ctx,
      (await ctx.db.rows<{ id: string }>('SELECT id FROM ledger_transactions')).map(({ id }) => id),
    );
  const receiptOf = (amountCents: number, trackingId: string = randomUUID()): Receipt => ({
    trackingId,
    itemKind: 'vod',
    itemId: randomUUID(),
    title: 'A video',
    amountCents,
    currency: 'EUR',
  });
  const post = (receipt: Receipt, earnings: readonly Earning[]) =>
    ctx.db.transaction((tx) => postSale(ctx, tx, receipt, earnings));
  const reverse = (trackingId: string) => ctx.db.transaction((tx) => reverseSale(ctx, tx, trackingId));

  it('balances after any sequence of sales, reversals, rejected and interrupted postings', async function () {
    this.timeout(60_000);
    const steps = fc.array(
      fc.oneof(
        {
          weight: 5,
          arbitrary: fc.record({
            what: fc.constant('sale' as const),
            cents: fc.integer({ min: 1, max: 100_000 }),
            seller: fc.nat(3),
            licensor: fc.option(fc.record({ user: fc.nat(3), basisPoints: fc.nat(10_000) }), { nil: undefined }),
          }),
        },
        { weight: 2, arbitrary: fc.record({ what: fc.constant('reversal' as const), of: fc.nat() }) },
        { weight: 1, arbitrary: fc.record({ what: fc.constant('unmatched' as const), cents: fc.integer({ min: 1 }) }) },
        { weight: 1, arbitrary: fc.record({ what: fc.constant('broken off' as const), seller: fc.nat(3) }) },
        { weight: 1, arbitrary: fc.record({ what: fc.constant('twice' as const), of: fc.nat() }) },
      ),
      { minLength: 80, maxLength: 120 },
    );
    const owed = new Map(users.map((id) => [id, 0]));
    const sales: { trackingId: string; earnings: readonly Earning[]; reversed: boolean }[] = [];
    const owe = (earnings: readonly Earning[], sign: 1 | -1) => {
      for (const { userId, cents } of earnings)
        if (userId !== null) owed.set(userId, (owed.get(userId) ?? 0) + sign * cents);
    };
    const seed = Date.now();
    for (const step of fc.sample(steps, { numRuns: 1, seed }).flat()) {
      if (step.what === 'sale') {
        const { licensor } = step;
        const part = licensor && { userId: user(licensor.user), basisPoints: licensor.basisPoints };
        const earnings = divideSale(step.cents, 3_000, user(step.seller), part);
        const receipt = receiptOf(step.cents);
        await post(receipt, earnings);
        sales.push({ trackingId: receipt.trackingId, earnings, reversed: false });
        owe(earnings, 1);
      } else if (step.what === 'reversal') {
        const sale = sales[step.of % Math.max(1, sales.length)];
        if (!sale) continue;
        expect(await reverse(sale.trackingId)).to.equal(!sale.reversed);
        if (!sale.reversed) owe(sale.earnings, -1);
        sale.reversed = true;
      } else if (step.what === 'unmatched') {
        await ctx.db.transaction((tx) => postUnmatched(ctx, tx, receiptOf(step.cents)));
      } else if (step.what === 'broken off') {
        const broken = ctx.db.transaction(async (tx) => {
          await postSale(ctx, tx, receiptOf(100), [{ userId: user(step.seller), cents: 100 }]);
          throw new Error('broken off');
        });
        expect((await rejection(broken)).message).to.equal('broken off');
      } else {
        const sale = sales[step.of % Math.max(1, sales.length)];
        if (!sale) continue;
        const again = receiptOf(100, sale.trackingId);
        expect(violatedUniqueIndex(await rejection(post(again, [{ userId: null, cents: 100 }])))).to.be.a('string');
      }
    }
    expect(await ledgerFaults(), `seed ${seed}`).to.deep.equal([]);
    for (const id of users) {
      const { balances, byItem, byMonth } = await earningsOf(ctx, id, page, utc);
      for (const totals of [balances, byItem, byMonth])
        expect(totals.reduce((sum, { cents }) => sum + cents, 0)).to.equal(owed.get(id), `seed ${seed}`);
    }
  });

  it('rejects a sale whose earnings do not add up, and an unbalanced posting', async () => {
    for (const cents of [[99], [101], [50, 49], [150, -50], [99.5, 0.5], []]) {
      const earnings = cents.map((part) => ({ userId: user(0), cents: part }));
      expect((await rejection(post(receiptOf(100), earnings))).message).to.contain('the earnings do not add up');
    }
    await post(receiptOf(100), [
      { userId: null, cents: 30 },
      { userId: user(0), cents: 40 },
      { userId: user(0), cents: 30 },
      { userId: user(1), cents: 0 },
    ]);
    const lines = await ctx.db.rows(
      'SELECT account, amount_cents::int AS cents FROM ledger_postings ORDER BY cents, account',
    );
    expect(lines).to.deep.equal([
      { account: 'PAYABLE', cents: -70 },
      { account: 'PLATFORM', cents: -30 },
      { account: 'CLEARING', cents: 100 },
    ]);
    const oneSided = ctx.db.change(
      `INSERT INTO ledger_postings (transaction_id, account, amount_cents, posted_at)
       SELECT id, 'PLATFORM', 1, now() FROM ledger_transactions`,
    );
    expect((await rejection(oneSided)).message).to.contain('does not balance');
  });

  it('rejects changes of its rows', async () => {
    await post(receiptOf(100), [{ userId: user(0), cents: 100 }]);
    for (const statement of [
      'UPDATE ledger_postings SET amount_cents = 1',
      'DELETE FROM ledger_postings',
      `UPDATE ledger_transactions SET currency = 'USD'`,
    ])
      expect((await rejection(ctx.db.change(statement))).message).to.contain('never changed');
  });

  it('permits a reversal to make a user’s balance negative', async () => {
    const receipt = receiptOf(100);
    await post(receipt, [{ userId: user(0), cents: 100 }]);
    expect(await Promise.all([reverse(receipt.trackingId), reverse(receipt.trackingId)])).to.have.members([
      true,
      false,
    ]);
    expect(await reverse(randomUUID())).to.equal(false);
    const { balances, page: lines } = await earningsOf(ctx, user(0), page, utc);
    expect(balances).to.deep.equal([{ cents: 0, currency: 'EUR', count: 2 }]);
    expect(lines.items.map(({ kind, cents }) => [kind, cents])).to.deep.equal([
      ['REVERSAL', -100],
      ['SALE', 100],
    ]);
    expect(await ledgerFaults()).to.deep.equal([]);
  });

  describe('in an audit', () => {
    beforeEach(async () => {
      await post(receiptOf(100), [
        { userId: user(0), cents: 60 },
        { userId: null, cents: 40 },
      ]);
      for (const table of ['ledger_postings', 'ledger_transactions'])
        await ctx.db.change(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
    });
    const reversal = `WITH reversal AS (INSERT INTO ledger_transactions (id, kind, reverses, currency, posted_at)
                        SELECT gen_random_uuid(), 'REVERSAL', id, currency, posted_at FROM ledger_transactions RETURNING id)
                      INSERT INTO ledger_postings (transaction_id, account, user_id, amount_cents, posted_at, currency)
                        SELECT reversal.id, account, user_id, CASE account WHEN 'CLEARING' THEN -100 WHEN 'PLATFORM' THEN 60 ELSE 40 END, posted_at, currency
                          FROM ledger_postings, reversal`;
    const update = 'UPDATE ledger_postings SET';
    const damages: readonly (readonly [string, string, RegExp])[] = [
      ['a changed posting', `${update} amount_cents = -61 WHERE account = 'PAYABLE'`, /differ in transaction/],
      ['a deleted posting', `DELETE FROM ledger_postings WHERE account = 'PLATFORM'`, /differ in transaction/],
      ['a transaction without postings', 'DELETE FROM ledger_postings', /differ in transaction/],
      [
        'a posting in another currency',
        `${update} currency = 'USD' WHERE account = 'PLATFORM'`,
        /currencies of posting and transaction differ/,
      ],
      ['a sale with reversed signs', `${update} amount_cents = -amount_cents`, /not exactly one debit/],
      ['a reversal that does not match', reversal, /does not match the reversed transaction/],
    ];
    for (const [name, statement, fault] of damages)
      it(`finds ${name}`, async () => {
        await ctx.db.change(statement);
        expect((await ledgerFaults()).join('\n')).to.match(fault);
      });
  });
});
