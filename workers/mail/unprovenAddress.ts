import type { Logger } from '../../shared/platform/log.js';
import { TooManyRequestsError } from '../../shared/platform/errors.js';
import { limitCalls } from '../../shared/platform/throttle/throttle.js';
import { unprovenMailSubject } from '../../shared/user/attemptLimits.js';
import { findUser, userIdOfEmail } from '../../shared/user/user.queries.js';
import type { WorkerContext } from '../runtime/workerContext.js';
import { sendUserMail } from './userMail.js';

/**
 * Whether a link that confirms an address may be mailed to it. Not if the address belongs to another account: then its
 * owner gets a mail, because responses do not show it. Not if the address has got too many such mails in the last hour,
 * because anybody can register with any address.
 */
export async function mayProve(ctx: WorkerContext, log: Logger, address: string): Promise<boolean> {
  try {
    await limitCalls(ctx, [unprovenMailSubject(address)]);
  } catch (error) {
    if (!(error instanceof TooManyRequestsError)) throw error;
    log.warn('mail skipped: too many mails to one address that was not confirmed');
    return false;
  }
  const ownerId = await userIdOfEmail(ctx, address);
  const owner = ownerId === undefined ? null : await findUser(ctx, ownerId);
  if (owner) await sendUserMail(ctx, owner, owner.state === 'DISABLED' ? 'addressDisabled' : 'addressKnown', {});
  return owner === null;
}
