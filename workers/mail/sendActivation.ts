import { issueMailToken, linkOf, mailTokenHours } from '../../shared/user/mailToken.service.js';
import type { SendActivationPayload } from '../../shared/user/user.jobs.js';
import { recordActivationMail } from '../../shared/user/registration.service.js';
import { findUser } from '../../shared/user/user.queries.js';
import type { ExhaustedRun, JobRun } from '../runtime/jobTypes.js';
import { mailUnproven } from './unprovenAddress.js';
import { sendUserMail } from './userMail.js';

/**
 * Mails the activation link, or notifies the owner of an address that another person has registered with it. A retry may mail a
 * second link; both are valid until one of them is used.
 */
export async function sendActivationHandler({ ctx, log, payload }: JobRun<SendActivationPayload>): Promise<void> {
  const user = await findUser(ctx, payload.userId);
  if (!user || user.state !== 'PENDING') {
    log.info({ userId: payload.userId }, 'mail skipped: account not pending');
    return;
  }
  const { activationUrl } = payload;
  await mailUnproven(ctx, log, user.email, async () => {
    if (activationUrl === undefined) return;
    const token = await issueMailToken(ctx, user.id, 'ACTIVATION');
    const values = { hours: mailTokenHours.ACTIVATION, link: linkOf(activationUrl, token) };
    await sendUserMail(ctx, user, 'activation', values);
  });
  await recordActivationMail(ctx, user.id);
}

/** The mail server has rejected the mail permanently. */
export async function activationMailGivenUp({ ctx, payload }: ExhaustedRun<SendActivationPayload>): Promise<void> {
  await recordActivationMail(ctx, payload.userId);
}
