import {
  countMailTokens,
  deleteMailToken,
  issueMailToken,
  linkOf,
  mailTokenHours,
  renewalsPerHour,
} from '../../shared/user/mailToken.service.js';
import type { SendPasswordResetPayload } from '../../shared/user/user.jobs.js';
import { findUser } from '../../shared/user/user.queries.js';
import type { JobRun } from '../runtime/jobTypes.js';
import { sendUserMail } from './userMail.js';

/**
 * Mails a password reset link. A user has at most `renewalsPerHour` valid links at a time, requested with the user code or the
 * email address, and from any number of networks.
 */
export async function sendPasswordResetHandler({ ctx, log, payload }: JobRun<SendPasswordResetPayload>): Promise<void> {
  const user = await findUser(ctx, payload.userId);
  if (!user || user.state !== 'ACTIVE') {
    log.info({ userId: payload.userId }, 'mail skipped: no active account');
    return;
  }
  if ((await countMailTokens(ctx, user.id, 'RENEWAL')) >= ctx.config.limit(renewalsPerHour)) {
    log.warn({ userId: user.id }, 'mail skipped: too many valid password reset links');
    return;
  }
  const token = await issueMailToken(ctx, user.id, 'RENEWAL');
  const values = { minutes: mailTokenHours.RENEWAL * 60, link: linkOf(payload.confirmationUrl, token) };
  try {
    await sendUserMail(ctx, user, 'renewal', values);
  } catch (error) {
    // A link that was not mailed must not count; the next attempt creates another token.
    await deleteMailToken(ctx, token);
    throw error;
  }
}
