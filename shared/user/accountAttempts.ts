import { Tunable } from '../platform/tunable.js';
import { addressSubject, nameSubject, type AttemptRate, type Subject } from '../platform/throttle/subject.js';
import { renewalsPerHour } from './mailToken.service.js';

/** Maximum number of registrations from one address: a whole school may register in one lesson. */
export const registrationsPerHour = new Tunable(1_000);

const mailsToOne: AttemptRate = { limit: renewalsPerHour, windowSeconds: 3_600 };

/** Every registration counts against the address, including rejected ones. */
export function registrationSubject(remoteAddress: string): Subject {
  return addressSubject('register', remoteAddress, { limit: registrationsPerHour, windowSeconds: 3_600 });
}

/** A request for a password reset counts against the account, whether it exists or not, and against the address. */
export function passwordResetSubjects(account: string, remoteAddress: string): readonly Subject[] {
  return [addressSubject('renew', remoteAddress), nameSubject('renew', account, mailsToOne)];
}

/** Every mail to an unconfirmed address counts against this address, regardless of the user who caused it. */
export function unprovenMailSubject(address: string): Subject {
  return nameSubject('mail', address, mailsToOne);
}
