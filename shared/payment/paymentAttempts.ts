import { Tunable } from '../platform/tunable.js';
import { addressSubject, type Subject } from '../platform/throttle/subject.js';

/** Payments that one address may start per hour: more than all buyers behind one address need. */
export const paymentsPerHour = new Tunable(1_000);

/** Every started payment counts against the address: each costs a row, a job and an order at the provider. */
export function paymentSubject(remoteAddress: string): Subject {
  return addressSubject('pay', remoteAddress, { limit: paymentsPerHour, windowSeconds: 3_600 });
}
