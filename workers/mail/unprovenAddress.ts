import type { Logger } from '../../shared/platform/log.js';
import { TooManyRequestsError } from '../../shared/platform/errors.js';
import { limitDone } from '../../shared/platform/throttle/throttle.js';
import { unprovenMailSubject } from '../../shared/user/accountAttempts.js';
import { findUser, userIdOfEmail } from '../../shared/user/user.queries.js';
import type { WorkerContext } from '../runtime/workerContext.js';
import { sendUserMail } from './userMail.js';

/**
 * Sends a mail with a link that confirms an address. If the address belongs to another account, its owner gets a mail instead,
 * because responses do not reveal it. No mail is sent if the address has received too many of them in the last hour, because
 * anybody can register with any address. Only mails that the mail server has accepted count. Rejects if the mail was not accepted.
 */
export async function mailUnproven(
  ctx: WorkerContext,
  log: Logger,
  address: string,
  sendLink: () => Promise<void>,
): Promise<void> {
  try {
    await limitDone(ctx, [unprovenMailSubject(address)], async () => {
      const ownerId = await userIdOfEmail(ctx, address);
      const owner = ownerId === undefined ? null : await findUser(ctx, ownerId);
      if (owner) await sendUserMail(ctx, owner, owner.state === 'DISABLED' ? 'addressDisabled' : 'addressKnown', {});
      else await sendLink();
    });
  } catch (error) {
    if (!(error instanceof TooManyRequestsError)) throw error;
    log.warn('mail skipped: too many mails to one address that was not confirmed');
  }
}
