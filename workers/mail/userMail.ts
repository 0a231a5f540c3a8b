import { languageOf } from '../../shared/platform/i18n.js';
import { plainName } from '../../shared/platform/mail/plainNames.js';
import type { User } from '../../shared/user/user.model.js';
import type { WorkerContext } from '../runtime/workerContext.js';

/**
 * Sends the mail `mail.<key>` about an account, in the language of its user, who is greeted by name. `to` defaults to the address
 * of the account. Names are mailed as text that cannot become a link (`plainName`); `values` are inserted unchanged.
 */
export async function sendUserMail(
  ctx: WorkerContext,
  user: User,
  key: string,
  values: Readonly<Record<string, string | number>>,
  to = user.email,
): Promise<void> {
  const language = languageOf(user.language);
  const all = { firstName: plainName(user.firstName), userCode: plainName(user.userCode), ...values };
  await ctx.mailer.send({
    to,
    subject: ctx.translate(language, `mail.${key}.subject`, all),
    text: ctx.translate(language, `mail.${key}.text`, all),
  });
}
