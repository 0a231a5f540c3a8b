import { queueExtensions } from '../../shared/cast/playout.service.js';
import type { Handler } from '../runtime/jobTypes.js';

/** `cast.extendAll` */
export const extendAllChannelsHandler: Handler<object> = async ({ ctx }) => ({ channels: await queueExtensions(ctx) });
