import { languageOf } from '../../shared/platform/i18n.js';
import type { NotifyUserPayload } from '../../shared/user/user.jobs.js';
import { User } from '../../shared/user/user.model.js';
import type { JobRun } from '../runtime/jobTypes.js';

/** Sends one notice in its reader's language. An account closed meanwhile gets no mail. */
export async function notify({ ctx, log, payload }: JobRun<NotifyUserPayload>): Promise<void> {
  const user = await ctx.db.model(User).findByPk(payload.userId);
  if (!user || user.state !== 'ACTIVE') {
    log.info({ userId: payload.userId, key: payload.key }, 'no mail: the account is not active');
    return;
  }
  const language = languageOf(user.language);
  const values = { firstName: user.firstName, userCode: user.userCode, ...payload.values };
  await ctx.mailer.send({
    to: user.email,
    subject: ctx.translate(language, `mail.${payload.key}.subject`, values),
    text: ctx.translate(language, `mail.${payload.key}.text`, values),
  });
}
