import { issueMailToken, linkOf, mailTokenHours } from '../../shared/user/mailToken.service.js';
import type { SendActivationPayload } from '../../shared/user/user.jobs.js';
import { findUser } from '../../shared/user/user.queries.js';
import type { JobRun } from '../runtime/jobTypes.js';
import { mayProve } from './unprovenAddress.js';
import { sendUserMail } from './userMail.js';

/**
 * Mails the activation link, or informs the owner of an address that somebody else has registered with it. A retry may
 * mail a second link; both are valid until one of them is used.
 */
export async function sendActivationHandler({ ctx, log, payload }: JobRun<SendActivationPayload>): Promise<void> {
  const user = await findUser(ctx, payload.userId);
  if (!user || user.state !== 'PENDING') {
    log.info({ userId: payload.userId }, 'mail skipped: account not pending');
    return;
  }
  if (!(await mayProve(ctx, log, user.email)) || payload.activationUrl === undefined) return;
  const token = await issueMailToken(ctx, user.id, 'ACTIVATION');
  await sendUserMail(ctx, user, 'activation', {
    hours: mailTokenHours.ACTIVATION,
    link: linkOf(payload.activationUrl, token),
  });
}
