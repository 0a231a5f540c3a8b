import { sendNotices } from '../../shared/license/notices.service.js';
import type { Handler } from '../runtime/jobTypes.js';

/** `license.notice` */
export const noticeLicensesHandler: Handler<object> = async ({ ctx, log, signal }) => {
  const sent = await sendNotices(ctx, signal);
  if (sent > 0) log.info({ sent }, 'license notices sent');
};
