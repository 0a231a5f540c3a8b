import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { checkPayment, type CheckPaymentPayload } from '../../../shared/payment/payment.jobs.js';

describe('payload of payment.check', () => {
  const base = { paymentId: randomUUID(), occasion: 'event', number: 0 } as const;
  /** As the worker parses it. */
  const parse = (payload: object): CheckPaymentPayload => {
    const { value, error } = checkPayment.payload.validate(payload, { stripUnknown: true });
    if (error) throw error;
    return value;
  };

  it('names the reversal of a job that release 0.2.0 has enqueued', () => {
    expect(parse({ ...base, told: 'REFUND' }).reversal).to.equal('REFUND');
  });

  it('keeps the name of release 0.2.0 for its workers', () => {
    expect(checkPayment.payload.validate({ ...base, reversal: 'LOST' }, { convert: false }).value).to.deep.equal({
      ...base,
      reversal: 'LOST',
      told: 'LOST',
    });
  });

  it('has the same deduplication key under both names', () => {
    const key = (payload: object) => checkPayment.key(parse(payload));
    expect(key({ ...base, told: 'WON' }))
      .to.equal(key({ ...base, reversal: 'WON' }))
      .and.to.match(/-event-0-WON$/);
  });

  it('has no reversal by default', () => {
    expect(parse(base)).to.deep.equal(base);
  });

  it('accepts known reversals only, under both names', () => {
    for (const name of ['told', 'reversal']) expect(() => parse({ ...base, [name]: 'UNKNOWN' })).to.throw();
  });
});
