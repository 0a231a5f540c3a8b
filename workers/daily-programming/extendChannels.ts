import { queueExtensions } from '../../shared/cast/playoutSweep.service.js';
import type { Handler } from '../runtime/jobTypes.js';

/** `cast.extendAll` */
export const extendChannelsHandler: Handler<object> = async ({ ctx }) => ({ channels: await queueExtensions(ctx) });
