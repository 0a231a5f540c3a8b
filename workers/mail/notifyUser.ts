import type { NotifyUserPayload } from '../../shared/user/user.jobs.js';
import { findUser } from '../../shared/user/user.queries.js';
import type { JobRun } from '../runtime/jobTypes.js';
import { sendUserMail } from './userMail.js';

/** Mails a notice in the user's language. An account that is not active gets no mail. */
export async function notifyUserHandler({ ctx, log, payload }: JobRun<NotifyUserPayload>): Promise<void> {
  const user = await findUser(ctx, payload.userId);
  if (!user || user.state !== 'ACTIVE') {
    log.info({ userId: payload.userId, key: payload.key }, 'mail skipped: account not active');
    return;
  }
  await sendUserMail(ctx, user, payload.key, payload.values);
}
