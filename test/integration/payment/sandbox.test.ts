import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { verifyPayment } from '../../../shared/payment/verifyPayment.js';
import { auditPayments } from '../../../shared/payment/paymentAudit.js';
import { NotFoundError, UnavailableError, ValidationError } from '../../../shared/platform/errors.js';
import type { PresentedPayment } from '../../../shared/payment/payment.service.js';
import { openPaymentHarness } from '../../support/paymentHarness.js';
import { capturesOf, payInSandbox, rejectInSandbox, postedTo, postingsOf } from '../../support/payments.js';
import { rejection } from '../../support/rejection.js';
import { useFixture } from '../../support/fixtures.js';

const openMs = 10_800_000;

describe('payments at the sandbox', () => {
  const harness = useFixture(openPaymentHarness);

  const settle = (trackingId: string, claim: Partial<PresentedPayment> = {}) => harness.settle(trackingId, claim);

  it('start with a random tracking id and the address of the page, unpaid', async () => {
    const { trackingId, url } = await harness.start();
    expect(trackingId).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(url).to.match(/^http:\/\/127\.0\.0\.1:\d+\/sandbox\/checkout\/[0-9a-f-]{36}$/);
    expect(url).not.to.contain(trackingId);
    expect(await settle(trackingId)).to.equal('OPEN');
    expect(await harness.grants(trackingId)).to.equal(0);
  });

  it('are granted and posted once when paid, with the same outcome for every call', async () => {
    const { trackingId } = await harness.start();
    await payInSandbox(harness.ctx, trackingId);
    for (let times = 0; times < 3; times++) expect(await settle(trackingId)).to.equal('FULFILLED');
    expect(await settle(trackingId.toUpperCase())).to.equal('FULFILLED');
    expect(await harness.grants(trackingId)).to.equal(1);
    expect(await capturesOf(harness.ctx, trackingId)).to.equal(1);
    const lines = await postingsOf(harness.ctx, trackingId);
    expect(lines.map(({ account, userId, amountCents, title }) => [account, userId, amountCents, title])).to.deep.equal(
      [
        ['PAYABLE', harness.sellerId, -699, 'A video'],
        ['PLATFORM', null, -300, 'A video'],
        ['CLEARING', null, 999, 'A video'],
      ],
    );
  });

  it('capture and grant once for 100 simultaneous calls', async () => {
    const { trackingId } = await harness.start();
    await payInSandbox(harness.ctx, trackingId, 'DOUBLE');
    const there = harness.otherProcess();
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, (_, index) => harness.settle(trackingId, {}, index % 2 === 0 ? harness.ctx : there)),
    );
    expect(new Set(outcomes)).to.deep.equal(new Set(['FULFILLED']));
    expect(await harness.grants(trackingId)).to.equal(1);
    expect(await capturesOf(harness.ctx, trackingId)).to.equal(1);
  });

  it('stay rejected', async () => {
    const { trackingId } = await harness.start();
    await rejectInSandbox(harness.ctx, trackingId);
    expect(await settle(trackingId)).to.equal('REJECTED');
    expect(await rejection(payInSandbox(harness.ctx, trackingId))).to.be.an('error');
    expect(await settle(trackingId)).to.equal('REJECTED');
    expect(await harness.grants(trackingId)).to.equal(0);
  });

  it('wait for money on its way, also after the expiry', async () => {
    const { trackingId } = await harness.start();
    harness.ctx.clock.advance(openMs - 1_000);
    await payInSandbox(harness.ctx, trackingId, 'LATER');
    harness.ctx.clock.advance(2_000);
    expect(await settle(trackingId)).to.equal('OPEN');
    expect(await capturesOf(harness.ctx, trackingId)).to.equal(0);
    harness.ctx.clock.advance(60_000);
    expect(await settle(trackingId)).to.equal('FULFILLED');
  });

  it('are verified at the expiry: fulfilled if approved in time, else expired', async () => {
    const [paid, unpaid] = [await harness.start(), await harness.start()];
    harness.ctx.clock.advance(openMs - 1);
    await payInSandbox(harness.ctx, paid.trackingId);
    harness.ctx.clock.advance(1);
    expect(await settle(paid.trackingId)).to.equal('FULFILLED');
    expect(await settle(unpaid.trackingId)).to.equal('EXPIRED');
    expect(await rejection(payInSandbox(harness.ctx, unpaid.trackingId))).to.be.an('error');
  });

  it('are fulfilled when the money arrives after the expiry', async () => {
    const { trackingId } = await harness.start();
    await payInSandbox(harness.ctx, trackingId, 'LATE');
    harness.ctx.clock.advance(openMs);
    expect(await settle(trackingId)).to.equal('EXPIRED');
    harness.ctx.clock.advance(3_600_000);
    expect(await settle(trackingId)).to.equal('EXPIRED');
    expect(await verifyPayment(harness.ctx, trackingId, 'unpaid')).to.equal('FULFILLED');
    expect([await settle(trackingId), await harness.grants(trackingId)]).to.deep.equal(['FULFILLED', 1]);
    expect(await capturesOf(harness.ctx, trackingId)).to.equal(1);
  });

  it('with a wrong amount grant nothing and are posted to SUSPENSE', async () => {
    const { trackingId } = await harness.start();
    await payInSandbox(harness.ctx, trackingId, 'WRONG_AMOUNT');
    expect([await settle(trackingId), await settle(trackingId)]).to.deep.equal(['FAILED', 'FAILED']);
    expect(await verifyPayment(harness.ctx, trackingId, 'unpaid')).to.equal('FAILED');
    expect(await harness.grants(trackingId)).to.equal(0);
    expect(await postedTo(harness.ctx, trackingId)).to.deep.equal(['SUSPENSE -998', 'CLEARING 998']);
    const figures = await harness.ctx.metrics.registry.metrics();
    expect(figures).to.match(/payments_total\{provider="sandbox",outcome="failed".*\} 1/);
  });

  it('are verified again after a lost response of a capture', async () => {
    const { trackingId } = await harness.start();
    await payInSandbox(harness.ctx, trackingId, 'LOST_ANSWER');
    expect(await rejection(settle(trackingId))).to.be.instanceOf(UnavailableError);
    expect([await harness.stateOf(trackingId), await capturesOf(harness.ctx, trackingId)]).to.deep.equal(['OPEN', 1]);
    expect(await settle(trackingId)).to.equal('FULFILLED');
    expect([await harness.grants(trackingId), await capturesOf(harness.ctx, trackingId)]).to.deep.equal([1, 1]);
  });

  it('stay unchanged when the grant fails, and are retried', async () => {
    const { trackingId } = await harness.start();
    await payInSandbox(harness.ctx, trackingId);
    harness.beforeGrant = () => Promise.reject(new Error('grant failed'));
    expect((await rejection(settle(trackingId))).message).to.equal('grant failed');
    expect([await harness.stateOf(trackingId), await harness.grants(trackingId)]).to.deep.equal(['OPEN', 0]);
    harness.beforeGrant = async () => {};
    expect(await settle(trackingId)).to.equal('FULFILLED');
    expect([await harness.grants(trackingId), await capturesOf(harness.ctx, trackingId)]).to.deep.equal([1, 1]);
  });

  describe('claims', () => {
    let trackingId: string;
    before(async () => {
      ({ trackingId } = await harness.start());
      await payInSandbox(harness.ctx, trackingId);
    });

    const spoiled: Readonly<Record<string, Partial<PresentedPayment>>> = {
      'another buyer': { buyerId: randomUUID() },
      'no buyer': { buyerId: null },
      'another item': { itemId: randomUUID() },
      'another kind': { kind: 'bundle' },
      'an unknown id': { trackingId: randomUUID() },
      'no id': { trackingId: '' },
      'a malformed id': { trackingId: 'null' },
      'more than an id': { trackingId: `${randomUUID()}'` },
    };
    for (const [name, claim] of Object.entries(spoiled)) {
      it(`of ${name} are not found`, async () => {
        expect(await rejection(settle(trackingId, claim))).to.be.instanceOf(NotFoundError);
        expect(await harness.grants(trackingId)).to.equal(0);
      });
    }

    it('of a payment without a buyer match every caller who knows the id', async () => {
      const { trackingId: open } = await harness.start({ buyerId: null });
      await payInSandbox(harness.ctx, open);
      expect(await settle(open, { buyerId: null })).to.equal('FULFILLED');
      expect(await settle(open, { buyerId: randomUUID() })).to.equal('FULFILLED');
    });
  });

  describe('orders', () => {
    it('without a positive number of whole cents throw', async () => {
      for (const amountCents of [0, -1, 0.5, Number.NaN, 2 ** 60])
        expect((await rejection(harness.start({ amountCents }))).message).to.contain('cannot be paid');
    });

    for (const address of ['ftp://shop.example/', 'javascript:alert(1)', '/paid', 'https://a;b.example/', '']) {
      it(`with the return address '${address}' are rejected`, async () => {
        const error = await rejection(harness.start({ returnUrl: address }));
        expect(error).to.be.instanceOf(ValidationError);
        expect((error as ValidationError).errors.map(({ field }) => field)).to.deep.equal(['returnUrl']);
      });
    }
  });
});

describe('payments captured in another currency', () => {
  it('grant nothing and are posted in that currency', async () => {
    const harness = await openPaymentHarness(
      {},
      {
        wrap: (sandbox) => ({
          ...sandbox,
          async verify(reference, trackingId) {
            const found = await sandbox.verify(reference, trackingId);
            return found.state === 'CAPTURED' ? { ...found, currency: 'USD' } : found;
          },
        }),
      },
    );
    try {
      const { trackingId } = await harness.start();
      await payInSandbox(harness.ctx, trackingId);
      expect(await harness.settle(trackingId)).to.equal('FAILED');
      expect(await harness.grants(trackingId)).to.equal(0);
      const posted = await harness.ctx.db.rows('SELECT kind, currency FROM ledger_transactions');
      expect(posted).to.deep.equal([{ kind: 'UNMATCHED', currency: 'USD' }]);
      expect(await auditPayments(harness.ctx)).to.deep.equal([]);
    } finally {
      await harness.close();
    }
  });
});

describe('payments with PAYMENT_RETURN_HOSTS', () => {
  const harness = useFixture(() => openPaymentHarness({ PAYMENT_RETURN_HOSTS: 'shop.example, localhost:8080' }));

  it('accept those hosts and that of PUBLIC_URL only', async () => {
    await harness.start({ returnUrl: 'http://localhost:8080/paid', cancelUrl: 'https://shop.example:8443/' });
    const { publicUrl } = harness.ctx.config.service;
    await harness.start({ returnUrl: `${publicUrl}/embed/?event=1&returned=1`, cancelUrl: publicUrl });
    const error = await rejection(
      harness.start({ returnUrl: 'http://localhost:9090/', cancelUrl: 'https://shop.example@evil.example/' }),
    );
    expect((error as ValidationError).errors.map(({ field, code }) => `${field} ${code}`)).to.deep.equal([
      'returnUrl host',
      'cancelUrl host',
    ]);
  });
});
