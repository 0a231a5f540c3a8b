import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { auditPayments } from '../../../shared/payment/audit.js';
import { NotFoundError, UnavailableError, ValidationError } from '../../../shared/platform/errors.js';
import type { PaymentClaim } from '../../../shared/platform/payments.js';
import { openPaymentBench, type PaymentBench } from '../../support/paymentBench.js';
import { capturesOf, payInSandbox, rejectInSandbox } from '../../support/payments.js';
import { rejection } from '../../support/rejection.js';

const openMs = 10_800_000;

describe('payments at the sandbox', () => {
  let bench: PaymentBench;
  before(async () => {
    bench = await openPaymentBench();
  });
  after(() => bench.close());

  const settle = (trackingId: string, claim: Partial<PaymentClaim> = {}) =>
    bench.payments.settle(bench.claimOf(trackingId, claim));

  it('start gives a secret id and the address of the page, and nothing is paid yet', async () => {
    const { trackingId, url } = await bench.start();
    expect(trackingId).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(url).to.match(/^http:\/\/127\.0\.0\.1:\d+\/sandbox\/checkout\/[0-9a-f-]{36}$/);
    expect(url).not.to.contain(trackingId);
    expect(await settle(trackingId)).to.equal('OPEN');
    expect(await bench.grants(trackingId)).to.equal(0);
  });

  it('what was paid is granted and posted once, and the answer stays the same', async () => {
    const { trackingId } = await bench.start();
    await payInSandbox(bench.ctx, trackingId);
    for (let times = 0; times < 3; times++) expect(await settle(trackingId)).to.equal('FULFILLED');
    expect(await settle(trackingId.toUpperCase())).to.equal('FULFILLED');
    expect(await bench.grants(trackingId)).to.equal(1);
    expect(await capturesOf(bench.ctx, trackingId)).to.equal(1);
    const lines = await bench.ctx.db.rows(
      `SELECT account, user_id, amount_cents::int, title FROM ledger_postings JOIN ledger_transactions ON transaction_id = ledger_transactions.id
        WHERE tracking_id = $trackingId ORDER BY amount_cents DESC`,
      { trackingId },
    );
    expect(lines).to.deep.equal([
      { account: 'CLEARING', user_id: null, amount_cents: 999, title: 'A film' },
      { account: 'PLATFORM', user_id: null, amount_cents: -300, title: 'A film' },
      { account: 'PAYABLE', user_id: bench.sellerId, amount_cents: -699, title: 'A film' },
    ]);
  });

  it('100 settles at once: one capture, one grant, 100 equal answers', async () => {
    const { trackingId } = await bench.start();
    await payInSandbox(bench.ctx, trackingId, 'DOUBLE');
    const there = bench.elsewhere();
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        (index % 2 === 0 ? bench.payments : there).settle(bench.claimOf(trackingId)),
      ),
    );
    expect(new Set(answers)).to.deep.equal(new Set(['FULFILLED']));
    expect(await bench.grants(trackingId)).to.equal(1);
    expect(await capturesOf(bench.ctx, trackingId)).to.equal(1);
  });

  it('a rejected payment stays rejected', async () => {
    const { trackingId } = await bench.start();
    await rejectInSandbox(bench.ctx, trackingId);
    expect(await settle(trackingId)).to.equal('REJECTED');
    expect(await rejection(payInSandbox(bench.ctx, trackingId))).to.be.an('error');
    expect(await settle(trackingId)).to.equal('REJECTED');
    expect(await bench.grants(trackingId)).to.equal(0);
  });

  it('money that is on its way is waited for, past the end of the payment if need be', async () => {
    const { trackingId } = await bench.start();
    bench.ctx.clock.advance(openMs - 1_000);
    await payInSandbox(bench.ctx, trackingId, 'LATER');
    bench.ctx.clock.advance(2_000);
    expect(await settle(trackingId)).to.equal('OPEN');
    expect(await capturesOf(bench.ctx, trackingId)).to.equal(0);
    bench.ctx.clock.advance(60_000);
    expect(await settle(trackingId)).to.equal('FULFILLED');
  });

  it('at its end a payment is asked for once more: one approved in time is fulfilled, another expires', async () => {
    const [paid, unpaid] = [await bench.start(), await bench.start()];
    bench.ctx.clock.advance(openMs - 1);
    await payInSandbox(bench.ctx, paid.trackingId);
    bench.ctx.clock.advance(1);
    expect(await settle(paid.trackingId)).to.equal('FULFILLED');
    expect(await settle(unpaid.trackingId)).to.equal('EXPIRED');
    expect(await rejection(payInSandbox(bench.ctx, unpaid.trackingId))).to.be.an('error');
  });

  it('money that comes after the end is worth what it was paid for', async () => {
    const { trackingId } = await bench.start();
    await payInSandbox(bench.ctx, trackingId, 'LATE');
    bench.ctx.clock.advance(openMs);
    expect(await settle(trackingId)).to.equal('EXPIRED');
    bench.ctx.clock.advance(3_600_000);
    expect(await settle(trackingId)).to.equal('EXPIRED');
    expect(await bench.payments.verify(trackingId, { late: true })).to.equal('FULFILLED');
    expect([await settle(trackingId), await bench.grants(trackingId)]).to.deep.equal(['FULFILLED', 1]);
    expect(await capturesOf(bench.ctx, trackingId)).to.equal(1);
  });

  it('a wrong amount grants nothing, and the money is posted to be seen', async () => {
    const { trackingId } = await bench.start();
    await payInSandbox(bench.ctx, trackingId, 'WRONG_AMOUNT');
    expect([await settle(trackingId), await settle(trackingId)]).to.deep.equal(['FAILED', 'FAILED']);
    expect(await bench.payments.verify(trackingId, { late: true })).to.equal('FAILED');
    expect(await bench.grants(trackingId)).to.equal(0);
    const lines = await bench.ctx.db.rows(
      `SELECT account, amount_cents::int FROM ledger_postings JOIN ledger_transactions ON transaction_id = ledger_transactions.id
        WHERE tracking_id = $trackingId AND kind = 'UNMATCHED' ORDER BY amount_cents`,
      { trackingId },
    );
    expect(lines).to.deep.equal([
      { account: 'SUSPENSE', amount_cents: -998 },
      { account: 'CLEARING', amount_cents: 998 },
    ]);
    const figures = await bench.ctx.metrics.registry.metrics();
    expect(figures).to.match(/payments_total\{provider="sandbox",outcome="failed".*\} 1/);
  });

  it('an answer that was lost after the capture is asked for again', async () => {
    const { trackingId } = await bench.start();
    await payInSandbox(bench.ctx, trackingId, 'LOST_ANSWER');
    expect(await rejection(settle(trackingId))).to.be.instanceOf(UnavailableError);
    expect([await bench.stateOf(trackingId), await capturesOf(bench.ctx, trackingId)]).to.deep.equal(['OPEN', 1]);
    expect(await settle(trackingId)).to.equal('FULFILLED');
    expect([await bench.grants(trackingId), await capturesOf(bench.ctx, trackingId)]).to.deep.equal([1, 1]);
  });

  it('a grant that fails leaves everything as it was, and is tried again', async () => {
    const { trackingId } = await bench.start();
    await payInSandbox(bench.ctx, trackingId);
    bench.beforeGrant = () => Promise.reject(new Error('no room'));
    expect((await rejection(settle(trackingId))).message).to.equal('no room');
    expect([await bench.stateOf(trackingId), await bench.grants(trackingId)]).to.deep.equal(['OPEN', 0]);
    bench.beforeGrant = async () => {};
    expect(await settle(trackingId)).to.equal('FULFILLED');
    expect([await bench.grants(trackingId), await capturesOf(bench.ctx, trackingId)]).to.deep.equal([1, 1]);
  });

  describe('claims', () => {
    let trackingId: string;
    before(async () => {
      ({ trackingId } = await bench.start());
      await payInSandbox(bench.ctx, trackingId);
    });

    const spoiled: Readonly<Record<string, Partial<PaymentClaim>>> = {
      'another buyer': { buyerId: randomUUID() },
      nobody: { buyerId: null },
      'another item': { itemId: randomUUID() },
      'another kind': { kind: 'bundle' },
      'an unknown id': { trackingId: randomUUID() },
      'no id': { trackingId: '' },
      'a malformed id': { trackingId: 'null' },
      'more than an id': { trackingId: `${randomUUID()}'` },
    };
    for (const [name, claim] of Object.entries(spoiled)) {
      it(`of ${name} finds nothing`, async () => {
        expect(await rejection(settle(trackingId, claim))).to.be.instanceOf(NotFoundError);
        expect(await bench.grants(trackingId)).to.equal(0);
      });
    }

    it('of a payment of nobody in particular is anybody’s who knows the id', async () => {
      const { trackingId: open } = await bench.start({ buyerId: null });
      await payInSandbox(bench.ctx, open);
      expect(await settle(open, { buyerId: null })).to.equal('FULFILLED');
      expect(await settle(open, { buyerId: randomUUID() })).to.equal('FULFILLED');
    });
  });

  describe('orders', () => {
    it('that cost nothing, or not whole cents, are a fault of ours', async () => {
      for (const amountCents of [0, -1, 0.5, Number.NaN, 2 ** 60])
        expect((await rejection(bench.start({ amountCents }))).message).to.contain('nothing can be sold');
    });

    for (const address of ['ftp://shop.example/', 'javascript:alert(1)', '/paid', 'https://a;b.example/', '']) {
      it(`that lead back to '${address}' are refused`, async () => {
        const refusal = await rejection(bench.start({ returnUrl: address }));
        expect(refusal).to.be.instanceOf(ValidationError);
        expect((refusal as ValidationError).errors.map(({ field }) => field)).to.deep.equal(['returnUrl']);
      });
    }
  });
});

describe('payments in another currency than was asked for', () => {
  it('grant nothing, and are posted as they came', async () => {
    const bench = await openPaymentBench({}, (sandbox) => ({
      ...sandbox,
      async verify(reference, trackingId) {
        const found = await sandbox.verify(reference, trackingId);
        return found.state === 'CAPTURED' ? { ...found, currency: 'USD' } : found;
      },
    }));
    try {
      const { trackingId } = await bench.start();
      await payInSandbox(bench.ctx, trackingId);
      expect(await bench.payments.settle(bench.claimOf(trackingId))).to.equal('FAILED');
      expect(await bench.grants(trackingId)).to.equal(0);
      const posted = await bench.ctx.db.rows('SELECT kind, currency FROM ledger_transactions');
      expect(posted).to.deep.equal([{ kind: 'UNMATCHED', currency: 'USD' }]);
      expect(await auditPayments(bench.ctx)).to.deep.equal([]);
    } finally {
      await bench.close();
    }
  });
});

describe('payments with few hosts to return to', () => {
  let bench: PaymentBench;
  before(async () => {
    bench = await openPaymentBench({ PAYMENT_RETURN_HOSTS: 'shop.example, localhost:8080' });
  });
  after(() => bench.close());

  it('take those, and no others', async () => {
    await bench.start({ returnUrl: 'http://localhost:8080/paid', cancelUrl: 'https://shop.example:8443/' });
    const refusal = await rejection(
      bench.start({ returnUrl: 'http://localhost:9090/', cancelUrl: 'https://shop.example@evil.example/' }),
    );
    expect((refusal as ValidationError).errors.map(({ field, code }) => `${field} ${code}`)).to.deep.equal([
      'returnUrl host',
      'cancelUrl host',
    ]);
  });
});
