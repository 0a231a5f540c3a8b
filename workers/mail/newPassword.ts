import { generatedPassword } from '../../shared/user/passwordReset.service.js';
import { languageOf } from '../../shared/platform/i18n.js';
import { verifyPassword } from '../../shared/platform/security/passwords.js';
import type { SendNewPasswordPayload } from '../../shared/user/user.jobs.js';
import { findUser } from '../../shared/user/user.queries.js';
import type { JobRun } from '../runtime/jobTypes.js';

/** Mails the password of a password reset, unless the account has another password by now. A retry mails the same one. */
export async function newPassword({ ctx, log, payload }: JobRun<SendNewPasswordPayload>): Promise<void> {
  const user = await findUser(ctx, payload.userId);
  const password = generatedPassword(ctx, payload.renewalId);
  if (!user || user.state !== 'ACTIVE' || !(await verifyPassword(ctx, password, user.passwordHash))) {
    log.info({ userId: payload.userId }, 'mail skipped: account not active or password changed');
    return;
  }
  const language = languageOf(user.language);
  const values = { firstName: user.firstName, userCode: user.userCode, password };
  await ctx.mailer.send({
    to: user.email,
    subject: ctx.translate(language, 'mail.newPassword.subject', values),
    text: ctx.translate(language, 'mail.newPassword.text', values),
  });
}
