import { Tunable } from '../platform/tunable.js';
import { addressSubject, nameSubject, type AttemptRate, type Subject } from '../platform/throttle/subject.js';
import { renewalsPerHour } from './mailToken.service.js';

/** Registrations from one address: a whole school may register in one lesson. */
export const registrationsPerHour = new Tunable(1_000);

const mailsToOne: AttemptRate = { limit: renewalsPerHour, windowSeconds: 3_600 };

/** Every registration counts for the address, also one that is rejected. */
export function registrationSubject(remoteAddress: string): Subject {
  return addressSubject('register', remoteAddress, { limit: registrationsPerHour, windowSeconds: 3_600 });
}

/** A request for a password renewal counts for the account, whether it exists or not, and for the address. */
export function passwordResetSubjects(account: string, remoteAddress: string): readonly Subject[] {
  return [addressSubject('renew', remoteAddress), nameSubject('renew', account, mailsToOne)];
}

/** Every mail that was sent to an address that its owner has not confirmed counts for the address, also if different users have caused them. */
export function unprovenMailSubject(address: string): Subject {
  return nameSubject('mail', address, mailsToOne);
}
