import { languageOf } from '../../shared/platform/i18n.js';
import { issueMailToken, linkOf, mailTokenHours } from '../../shared/user/mailToken.service.js';
import type { SendActivationPayload } from '../../shared/user/user.jobs.js';
import { findUser } from '../../shared/user/user.queries.js';
import type { JobRun } from '../runtime/jobTypes.js';

/** Mails the activation link. A retry may mail a second link; both are valid until one of them is used. */
export async function activation({ ctx, log, payload }: JobRun<SendActivationPayload>): Promise<void> {
  const user = await findUser(ctx, payload.userId);
  if (!user || user.state !== 'PENDING') {
    log.info({ userId: payload.userId }, 'mail skipped: account not pending');
    return;
  }
  const token = await issueMailToken(ctx, user.id, 'ACTIVATION');
  const language = languageOf(user.language);
  const values = {
    firstName: user.firstName,
    userCode: user.userCode,
    hours: mailTokenHours.ACTIVATION,
    link: linkOf(payload.activationUrl, token),
  };
  await ctx.mailer.send({
    to: user.email,
    subject: ctx.translate(language, 'mail.activation.subject', values),
    text: ctx.translate(language, 'mail.activation.text', values),
  });
}
