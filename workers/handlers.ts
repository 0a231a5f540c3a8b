import {
  extendChannel,
  extendAllChannels,
  prepareCast,
  sweepAirings,
  sweepPreparations,
  sweepRights,
} from '../shared/cast/cast.jobs.js';
import { importFile, sweepUploads } from '../shared/upload/upload.jobs.js';
import { importFileHandler } from './imports/importFile.js';
import type { jobs } from '../shared/jobs.js';
import { drainSearch, rebuildSearch, sweepSearchDrift } from '../shared/platform/search/index.js';
import {
  cleanContent,
  followContent,
  ingestContent,
  ingestFully,
  removeContent,
  assembleContent,
  sweepContents,
  sweepFiles,
  makeStoryboard,
  sweepThumbnails,
  transcodeChunk,
  transcodeQuickChunk,
} from '../shared/content/content.jobs.js';
import { auditLedger, checkPayment, sweepPayments } from '../shared/payment/payment.jobs.js';
import { noticeLicenses } from '../shared/license/license.jobs.js';
import { recordEvent, sweepRecordings } from '../shared/live/recording.jobs.js';
import { sweepPlatform } from '../shared/platform/platform.jobs.js';
import { sweepTokens } from '../shared/oauth/oauth.jobs.js';
import { sendEmailChange } from '../shared/user/emailChange.jobs.js';
import { removeStream, sweepStreams } from '../shared/streaming/streaming.jobs.js';
import { notifyUser, sendActivation, sendNewPassword, sendPasswordReset } from '../shared/user/user.jobs.js';
import { extendChannelHandler } from './daily-programming/extendChannel.js';
import { extendAllChannelsHandler } from './daily-programming/extendAllChannels.js';
import { prepareCastHandler } from './daily-programming/prepareCast.js';
import { sweepAiringsHandler } from './daily-programming/sweepAirings.js';
import { sweepPreparationsHandler } from './sweeps/sweepPreparations.js';
import { activationMailGivenUp, sendActivationHandler } from './mail/sendActivation.js';
import { sendEmailChangeHandler } from './mail/sendEmailChange.js';
import { sendNewPasswordHandler } from './mail/sendNewPassword.js';
import { notifyUserHandler } from './mail/notifyUser.js';
import { sendPasswordResetHandler } from './mail/sendPasswordReset.js';
import { followContentHandler } from './ingestion/followContent.js';
import { ingestContentHandler, ingestExhausted } from './ingestion/ingestContent.js';
import { recordEventHandler } from './ingestion/recordEvent.js';
import { auditLedgerHandler } from './payment-verification/auditLedger.js';
import { checkPaymentHandler, checkExhausted } from './payment-verification/checkPayment.js';
import { sweepPaymentsHandler } from './payment-verification/sweepPayments.js';
import { handledBy, type HandledJob } from './runtime/jobTypes.js';
import { drainSearchHandler } from './search-sync/drainSearch.js';
import { rebuildSearchHandler } from './search-sync/rebuildSearch.js';
import { sweepSearchDriftHandler } from './search-sync/sweepSearchDrift.js';
import { sweepContentsHandler } from './sweeps/sweepContents.js';
import { sweepFilesHandler } from './sweeps/sweepFiles.js';
import { noticeLicensesHandler } from './sweeps/noticeLicenses.js';
import { sweepRecordingsHandler } from './sweeps/sweepRecordings.js';
import { removeStreamHandler, sweepStreamsHandler } from './sweeps/sweepStreams.js';
import { sweepRightsHandler } from './sweeps/sweepRights.js';
import { sweepThumbnailsHandler } from './sweeps/sweepThumbnails.js';
import { sweepPlatformHandler } from './sweeps/sweepPlatform.js';
import { sweepTokensHandler } from './sweeps/sweepTokens.js';
import { sweepUploadsHandler } from './sweeps/sweepUploads.js';
import { cleanContentHandler } from './transcoding-status/cleanContent.js';
import { removeContentHandler } from './transcoding-status/removeContent.js';
import { assembleContentHandler, assembleExhausted } from './transcoding-status/assembleContent.js';
import { deliverEventsHandler } from './webhooks/deliverEvents.js';
import { renderEventsHandler } from './webhooks/renderEvents.js';
import { sweepWebhooksHandler } from './sweeps/sweepWebhooks.js';
import { sweepSubscriptionsHandler } from './sweeps/sweepSubscriptions.js';
import { deliverEvents, renderEvents, sweepWebhooks } from '../shared/webhook/webhook.jobs.js';
import { sweepSubscriptions } from '../shared/bundle/subscription.jobs.js';
import { makeStoryboardHandler } from './transcoding/makeStoryboard.js';
import { readSourceCaptionsHandler } from './transcoding/readSourceCaptions.js';
import { transcribeContentHandler, transcriptionExhausted } from './transcription/transcribeContent.js';
import { readSourceCaptions, transcribeContent } from '../shared/caption/caption.jobs.js';
import { transcodeChunkHandler, transcodeExhausted } from './transcoding/transcodeChunk.js';

type JobName = (typeof jobs)[number] extends { name: infer Name extends string } ? Name : never;

/** One handler for each job. A missing handler is a type error. */
export type Handlers = { readonly [Name in JobName]: HandledJob<Name> };

/** The handler of each job. */
export const handlers: Handlers = {
  'content.ingest': handledBy(ingestContent, ingestContentHandler, { onExhausted: ingestExhausted }),
  'box.import': handledBy(importFile, importFileHandler),
  'content.follow': handledBy(followContent, followContentHandler),
  'content.ingestFully': handledBy(ingestFully, ingestContentHandler, { onExhausted: ingestExhausted }),
  'content.transcodeQuick': handledBy(transcodeQuickChunk, transcodeChunkHandler, { onExhausted: transcodeExhausted }),
  'content.transcode': handledBy(transcodeChunk, transcodeChunkHandler, { onExhausted: transcodeExhausted }),
  'content.storyboard': handledBy(makeStoryboard, makeStoryboardHandler),
  'caption.readSource': handledBy(readSourceCaptions, readSourceCaptionsHandler),
  'caption.transcribe': handledBy(transcribeContent, transcribeContentHandler, { onExhausted: transcriptionExhausted }),
  'content.status': handledBy(assembleContent, assembleContentHandler, { onExhausted: assembleExhausted }),
  'content.clean': handledBy(cleanContent, cleanContentHandler),
  'content.remove': handledBy(removeContent, removeContentHandler),
  'content.sweep': handledBy(sweepContents, sweepContentsHandler),
  'content.sweepFiles': handledBy(sweepFiles, sweepFilesHandler),
  'user.notify': handledBy(notifyUser, notifyUserHandler),
  'user.sendActivation': handledBy(sendActivation, sendActivationHandler, { onExhausted: activationMailGivenUp }),
  'user.sendRenewal': handledBy(sendPasswordReset, sendPasswordResetHandler),
  'user.sendNewPassword': handledBy(sendNewPassword, sendNewPasswordHandler),
  'user.sendEmailChange': handledBy(sendEmailChange, sendEmailChangeHandler),
  'license.notice': handledBy(noticeLicenses, noticeLicensesHandler),
  'box.sweepUploads': handledBy(sweepUploads, sweepUploadsHandler),
  'box.sweepThumbnails': handledBy(sweepThumbnails, sweepThumbnailsHandler),
  'oauth.sweep': handledBy(sweepTokens, sweepTokensHandler),
  'platform.sweep': handledBy(sweepPlatform, sweepPlatformHandler),
  'payment.check': handledBy(checkPayment, checkPaymentHandler, { onExhausted: checkExhausted }),
  'payment.sweep': handledBy(sweepPayments, sweepPaymentsHandler),
  'payment.audit': handledBy(auditLedger, auditLedgerHandler),
  'live.record': handledBy(recordEvent, recordEventHandler),
  'live.sweepRecordings': handledBy(sweepRecordings, sweepRecordingsHandler),
  'cast.extend': handledBy(extendChannel, extendChannelHandler),
  'cast.extendAll': handledBy(extendAllChannels, extendAllChannelsHandler),
  'cast.sweepAirings': handledBy(sweepAirings, sweepAiringsHandler),
  'cast.prepare': handledBy(prepareCast, prepareCastHandler),
  'cast.sweepPreparations': handledBy(sweepPreparations, sweepPreparationsHandler),
  'search.drain': handledBy(drainSearch, drainSearchHandler),
  'search.rebuild': handledBy(rebuildSearch, rebuildSearchHandler),
  'search.sweepDrift': handledBy(sweepSearchDrift, sweepSearchDriftHandler),
  'cast.sweepRights': handledBy(sweepRights, sweepRightsHandler),
  'streaming.sweep': handledBy(sweepStreams, sweepStreamsHandler),
  'webhook.render': handledBy(renderEvents, renderEventsHandler),
  'webhook.deliver': handledBy(deliverEvents, deliverEventsHandler),
  'webhook.sweep': handledBy(sweepWebhooks, sweepWebhooksHandler),
  'bundle.sweepSubscriptions': handledBy(sweepSubscriptions, sweepSubscriptionsHandler),
  'streaming.remove': handledBy(removeStream, removeStreamHandler),
};
