import { expect } from 'chai';
import { findPayment } from '../../../shared/payment/payment.queries.js';
import type { Payment } from '../../../shared/payment/payment.model.js';
import { isRefundable, refundPayment } from '../../../shared/payment/refund.service.js';
import { rejection } from '../../support/rejection.js';
import { openReversalSetup } from './reversalSetup.js';
import { fixtureEach } from '../../support/fixtures.js';

for (const name of ['paypal', 'stripe'] as const)
  describe(`Refunds at ${name}`, () => {
    const setup = fixtureEach(() => openReversalSetup(name));

    async function paymentOf(trackingId: string): Promise<Payment> {
      const payment = await findPayment(setup.harness.ctx, trackingId);
      if (!payment) throw new Error('no payment');
      return payment;
    }
    const refundsSent = () => setup.fake.server.requests.filter(({ path }) => /refund/.test(path)).length;

    it('give the money back and reverse the payment, once for two calls at a time', async () => {
      const { trackingId } = await setup.paid();
      const payment = await paymentOf(trackingId);
      const { ctx } = setup.harness;
      expect(await Promise.all([refundPayment(ctx, payment), refundPayment(ctx, payment)])).to.deep.equal([
        'REVERSED',
        'REVERSED',
      ]);
      await setup.expectReversed(trackingId, ['SALE', 'REVERSAL']);
      expect(await setup.countOf('reversed')).to.equal(1);
      expect(isRefundable(await paymentOf(trackingId))).to.equal(false);
    });

    it('continue after a crash between refund and reversal', async () => {
      const { trackingId, order } = await setup.paid();
      const payment = await paymentOf(trackingId);
      // The provider has refunded it; this service does not know yet.
      order.refund();
      expect(isRefundable(await paymentOf(trackingId))).to.equal(true);
      expect(await refundPayment(setup.harness.ctx, payment)).to.equal('REVERSED');
      expect(refundsSent()).to.equal(1);
      await setup.expectReversed(trackingId, ['SALE', 'REVERSAL']);
    });

    it('change nothing while the provider is away', async () => {
      const { trackingId } = await setup.paid();
      setup.fake.server.outage = 'cut';
      await rejection(refundPayment(setup.harness.ctx, await paymentOf(trackingId)));
      setup.fake.server.outage = null;
      await setup.expectFulfilled(trackingId);
      expect(await refundPayment(setup.harness.ctx, await paymentOf(trackingId))).to.equal('REVERSED');
    });

    it('clear SUSPENSE for a payment that has failed', async () => {
      const { trackingId, order } = await setup.started();
      order.payTooLittle();
      expect(await setup.settle(trackingId)).to.equal('FAILED');
      expect(await refundPayment(setup.harness.ctx, await paymentOf(trackingId))).to.equal('REVERSED');
      await setup.expectReversed(trackingId, ['UNMATCHED', 'REVERSAL']);
    });
  });
