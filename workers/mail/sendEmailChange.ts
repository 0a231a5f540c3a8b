import {
  emailChangeHours,
  findEmailChange,
  isPending,
  issueEmailChangeToken,
} from '../../shared/user/emailChange.service.js';
import type { SendEmailChangePayload } from '../../shared/user/emailChange.jobs.js';
import { findUser } from '../../shared/user/user.queries.js';
import type { JobRun } from '../runtime/jobTypes.js';
import { mailUnproven } from './unprovenAddress.js';
import { sendUserMail } from './userMail.js';

/** Sends a mail about a change of address: a link to the new address, or a notice to the old one. */
export async function sendEmailChangeHandler({ ctx, log, payload }: JobRun<SendEmailChangePayload>): Promise<void> {
  const change = await findEmailChange(ctx, payload.changeId);
  const user = change && (await findUser(ctx, change.userId));
  if (!user || user.state !== 'ACTIVE') {
    log.info({ changeId: payload.changeId }, 'mail skipped: account not active');
    return;
  }
  const { newEmail, oldEmail } = change;
  if (payload.mail === 'requested') return sendUserMail(ctx, user, 'emailRequested', { newEmail }, oldEmail);
  if (payload.mail === 'changed') return sendUserMail(ctx, user, 'emailChanged', { newEmail }, oldEmail);
  if (!isPending(ctx, change)) {
    log.info({ changeId: change.id }, 'mail skipped: change of address ended');
    return;
  }
  await mailUnproven(ctx, log, newEmail, async () => {
    const token = await issueEmailChangeToken(ctx, change.id);
    const link = `${ctx.config.service.publicUrl}/account/email?token=${token}`;
    await sendUserMail(ctx, user, 'emailConfirm', { newEmail, hours: emailChangeHours, link }, newEmail);
  });
}
