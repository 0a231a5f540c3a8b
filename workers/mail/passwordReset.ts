import { languageOf } from '../../shared/platform/i18n.js';
import {
  countMailTokens,
  dropMailToken,
  issueMailToken,
  linkOf,
  mailTokenHours,
} from '../../shared/user/mailToken.service.js';
import type { SendRenewalPayload } from '../../shared/user/user.jobs.js';
import { User } from '../../shared/user/user.model.js';
import type { JobRun } from '../runtime/jobTypes.js';

/**
 * Sends the link to renew a password. However it was asked for, by user code or by e-mail and from wherever, a user has
 * no more of them at a time than may be asked for in an hour.
 */
export async function renewal({ ctx, log, payload }: JobRun<SendRenewalPayload>): Promise<void> {
  const user = await ctx.db.model(User).findByPk(payload.userId);
  if (!user || user.state !== 'ACTIVE') {
    log.info({ userId: payload.userId }, 'no mail: there is no such active account');
    return;
  }
  if ((await countMailTokens(ctx, user.id, 'RENEWAL')) >= ctx.config.oauth.renewalsPerHour) {
    log.warn({ userId: user.id }, 'no mail: the user has been sent enough links');
    return;
  }
  const token = await issueMailToken(ctx, user.id, 'RENEWAL');
  const language = languageOf(user.language);
  const values = {
    firstName: user.firstName,
    userCode: user.userCode,
    minutes: mailTokenHours.RENEWAL * 60,
    link: linkOf(payload.confirmationUrl, token),
  };
  try {
    await ctx.mailer.send({
      to: user.email,
      subject: ctx.translate(language, 'mail.renewal.subject', values),
      text: ctx.translate(language, 'mail.renewal.text', values),
    });
  } catch (error) {
    // What was not handed over is not counted: the next attempt makes a link of its own.
    await dropMailToken(ctx, token);
    throw error;
  }
}
