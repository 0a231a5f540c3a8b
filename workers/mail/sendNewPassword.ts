import { generatedPassword } from '../../shared/user/passwordReset.service.js';
import { verifyPassword } from '../../shared/platform/security/passwords.js';
import type { SendNewPasswordPayload } from '../../shared/user/user.jobs.js';
import { findUser } from '../../shared/user/user.queries.js';
import type { JobRun } from '../runtime/jobTypes.js';
import { sendUserMail } from './userMail.js';

/** Mails the password of a password reset, unless the account's password has changed since. A retry mails the same password. */
export async function sendNewPasswordHandler({ ctx, log, payload }: JobRun<SendNewPasswordPayload>): Promise<void> {
  const user = await findUser(ctx, payload.userId);
  const password = generatedPassword(ctx, payload.renewalId);
  if (!user || user.state !== 'ACTIVE' || !(await verifyPassword(ctx, password, user.passwordHash))) {
    log.info({ userId: payload.userId }, 'mail skipped: account not active or password changed');
    return;
  }
  await sendUserMail(ctx, user, 'newPassword', { password });
}
