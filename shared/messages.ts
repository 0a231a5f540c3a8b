import { boxMessages } from './box/box.messages.js';
import { importMessages } from './upload/import.messages.js';
import { uploadMessages } from './upload/upload.messages.js';
import { bundleMessages } from './bundle/bundle.messages.js';
import { captionMessages } from './caption/caption.messages.js';
import { castMessages } from './cast/cast.messages.js';
import { contentMessages } from './content/content.messages.js';
import { licenseMessages } from './license/license.messages.js';
import { liveMessages } from './live/live.messages.js';
import { recordingMessages } from './live/recording.messages.js';
import { marketplaceMessages } from './marketplace/marketplace.messages.js';
import { paymentMessages } from './payment/payment.messages.js';
import { checkoutMessages } from './pages/checkout.messages.js';
import type { Messages } from './platform/i18n.js';
import { platformMessages } from './platform/platform.messages.js';
import { startMessages } from './pages/start.messages.js';
import { validationMessages } from './platform/validation.messages.js';
import { embedMessages } from './pages/embed.messages.js';
import { embedCastMessages } from './pages/embedCast.messages.js';
import { embedControlsMessages } from './pages/embedControls.messages.js';
import { embedSeekMessages } from './pages/embedSeek.messages.js';
import { embedLiveMessages } from './pages/embedLive.messages.js';
import { embedPaidMessages } from './pages/embedPaid.messages.js';
import { errorPageMessages } from './pages/errorPage.messages.js';
import { saleMessages } from './pages/sale.messages.js';
import { livePlaybackMessages } from './playback/livePlayback.messages.js';
import { playbackMessages } from './playback/playback.messages.js';
import { droppedRenditionMessages } from './streaming/droppedRendition.messages.js';
import { emailMessages } from './user/email.messages.js';
import { streamingMessages } from './streaming/streaming.messages.js';
import { userMessages } from './user/user.messages.js';
import { vodMessages } from './vod/vod.messages.js';
import { webhookMessages } from './webhook/webhook.messages.js';

/** Every localized message. */
export const messages: Messages = {
  ...platformMessages,
  ...validationMessages,
  ...userMessages,
  ...emailMessages,
  ...licenseMessages,
  ...boxMessages,
  ...uploadMessages,
  ...importMessages,
  ...paymentMessages,
  ...webhookMessages,
  ...checkoutMessages,
  ...playbackMessages,
  ...livePlaybackMessages,
  ...vodMessages,
  ...bundleMessages,
  ...marketplaceMessages,
  ...liveMessages,
  ...castMessages,
  ...embedMessages,
  ...embedCastMessages,
  ...embedControlsMessages,
  ...embedSeekMessages,
  ...embedLiveMessages,
  ...embedPaidMessages,
  ...saleMessages,
  ...errorPageMessages,
  ...startMessages,
  ...contentMessages,
  ...captionMessages,
  ...recordingMessages,
  ...streamingMessages,
  ...droppedRenditionMessages,
};
