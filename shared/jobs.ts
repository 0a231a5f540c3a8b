import { importFile, sweepUploads } from './upload/upload.jobs.js';
import {
  extendChannel,
  extendAllChannels,
  prepareCast,
  sweepAirings,
  sweepPreparations,
  sweepRights,
} from './cast/cast.jobs.js';
import {
  cleanContent,
  followContent,
  ingestContent,
  ingestFully,
  removeContent,
  assembleContent,
  sweepContents,
  sweepFiles,
  sweepThumbnails,
  transcodeChunk,
  makeStoryboard,
  transcodeQuickChunk,
} from './content/content.jobs.js';
import { readSourceCaptions, transcribeContent } from './caption/caption.jobs.js';
import { noticeLicenses } from './license/license.jobs.js';
import { recordEvent, sweepRecordings } from './live/recording.jobs.js';
import { sweepTokens } from './oauth/oauth.jobs.js';
import { auditLedger, checkPayment, sweepPayments } from './payment/payment.jobs.js';
import { sweepPlatform } from './platform/platform.jobs.js';
import type { QueueName } from './platform/queueNames.js';
import { drainSearch, rebuildSearch, sweepSearchDrift } from './platform/search/index.js';
import { sendEmailChange } from './user/emailChange.jobs.js';
import { removeStream, sweepStreams } from './streaming/streaming.jobs.js';
import { deliverEvents, renderEvents, sweepWebhooks } from './webhook/webhook.jobs.js';
import { sweepSubscriptions } from './bundle/subscription.jobs.js';
import { notifyUser, sendActivation, sendNewPassword, sendPasswordReset } from './user/user.jobs.js';

/** Every job. */
export const jobs = [
  followContent,
  ingestContent,
  ingestFully,
  transcodeChunk,
  transcodeQuickChunk,
  makeStoryboard,
  readSourceCaptions,
  transcribeContent,
  assembleContent,
  cleanContent,
  removeContent,
  sweepContents,
  sweepFiles,
  notifyUser,
  sendActivation,
  sendPasswordReset,
  sendNewPassword,
  sendEmailChange,
  noticeLicenses,
  sweepTokens,
  importFile,
  sweepUploads,
  sweepThumbnails,
  checkPayment,
  sweepPayments,
  auditLedger,
  drainSearch,
  rebuildSearch,
  sweepSearchDrift,
  sweepPlatform,
  recordEvent,
  sweepRecordings,
  sweepStreams,
  removeStream,
  extendChannel,
  extendAllChannels,
  sweepAirings,
  prepareCast,
  sweepPreparations,
  sweepRights,
  renderEvents,
  deliverEvents,
  sweepWebhooks,
  sweepSubscriptions,
] as const satisfies readonly { readonly queue: QueueName }[];
