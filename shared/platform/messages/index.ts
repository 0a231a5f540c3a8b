import { bundleMessages } from './bundle.js';
import { contentMessages } from './content.js';
import { boxMessages } from './box.js';
import { licenseMessages } from './license.js';
import { embedMessages } from './embed.js';
import { marketplaceMessages } from './marketplace.js';
import type { Messages } from './message.js';
import { checkoutMessages, paymentMessages } from './payment.js';
import { platformMessages } from './platform.js';
import { playbackMessages } from './playback.js';
import { uploadMessages } from './upload.js';
import { userMessages } from './user.js';
import { validationMessages } from './validation.js';
import { vodMessages } from './vod.js';

/** Every sentence the service says. */
export const messages: Messages = {
  ...platformMessages,
  ...validationMessages,
  ...userMessages,
  ...licenseMessages,
  ...boxMessages,
  ...uploadMessages,
  ...paymentMessages,
  ...checkoutMessages,
  ...playbackMessages,
  ...vodMessages,
  ...bundleMessages,
  ...marketplaceMessages,
  ...embedMessages,
  ...contentMessages,
};
