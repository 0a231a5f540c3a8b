import { Tunable } from '../platform/tunable.js';
import { addressSubject, type Subject } from '../platform/throttle/subject.js';

/** Payments that one address starts: more than any group of people behind it buys. */
export const paymentsPerHour = new Tunable(1_000);

/** Every started payment counts for the address: each costs a row, a job and an order at the provider. */
export function paymentSubject(remoteAddress: string): Subject {
  return addressSubject('pay', remoteAddress, { limit: paymentsPerHour, windowSeconds: 3_600 });
}
