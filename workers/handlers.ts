import { extendChannel, extendChannels, sweepAirings } from '../shared/cast/playout.jobs.js';
import { prepareCast, sweepPreparations } from '../shared/cast/preparation.jobs.js';
import { sweepRights } from '../shared/cast/programming/programming.jobs.js';
import { sweepUploads } from '../shared/box/box.jobs.js';
import type { jobs } from '../shared/jobs.js';
import { drainSearch, rebuildSearch, sweepSearchDrift } from '../shared/platform/search/search.jobs.js';
import {
  cleanContent,
  ingestContent,
  ingestFully,
  removeContent,
  assembleContent,
  sweepContents,
  sweepFiles,
  sweepThumbnails,
  transcodeChunk,
  transcodeQuickChunk,
} from '../shared/content/content.jobs.js';
import { auditLedger, checkPayment, sweepPayments } from '../shared/payment/payment.jobs.js';
import { noticeLicenses } from '../shared/license/license.jobs.js';
import { recordEvent, sweepRecordings } from '../shared/live/recording.jobs.js';
import { sweepTicks } from '../shared/platform/platform.jobs.js';
import { sweepTokens } from '../shared/oauth/oauth.jobs.js';
import { sendEmailChange } from '../shared/user/emailChange.jobs.js';
import { removeStream, sweepStreams } from '../shared/streaming/streaming.jobs.js';
import { notifyUser, sendActivation, sendNewPassword, sendPasswordReset } from '../shared/user/user.jobs.js';
import { extend } from './daily-programming/extend.js';
import { extendAll } from './daily-programming/extendAll.js';
import { prepareCutsAndSlates } from './daily-programming/prepareCutsAndSlates.js';
import { sweep } from './daily-programming/sweep.js';
import { sweepPrepared } from './daily-programming/sweepPrepared.js';
import { activation } from './mail/activation.js';
import { emailChange } from './mail/emailChange.js';
import { newPassword } from './mail/newPassword.js';
import { notify } from './mail/notify.js';
import { passwordReset } from './mail/passwordReset.js';
import { ingest, ingestExhausted } from './ingestion/ingest.js';
import { record } from './ingestion/record.js';
import { audit } from './payment-verification/audit.js';
import { check, checkExhausted } from './payment-verification/check.js';
import { sweepLostChecks } from './payment-verification/sweep.js';
import { handle, type HandledJob } from './runtime/jobTypes.js';
import { drain } from './search-sync/drain.js';
import { rebuild } from './search-sync/rebuild.js';
import { sweepDrift } from './search-sync/sweepDrift.js';
import { sweepContent } from './sweeps/content.js';
import { sweepContentFiles } from './sweeps/contentFiles.js';
import { noticeLicenseHolders } from './sweeps/licenses.js';
import { sweepEndedRecordings } from './sweeps/recordings.js';
import { removeLiveStream, sweepLiveStreams } from './sweeps/streams.js';
import { sweepProgramRights } from './sweeps/programs.js';
import { sweepOrphanThumbnails } from './sweeps/thumbnails.js';
import { sweepClockTicks } from './sweeps/ticks.js';
import { sweepExpiredTokens } from './sweeps/tokens.js';
import { sweepExpiredUploads } from './sweeps/uploads.js';
import { clean } from './transcoding-status/clean.js';
import { remove } from './transcoding-status/remove.js';
import { assemble, assembleExhausted } from './transcoding-status/assemble.js';
import { transcode, transcodeExhausted } from './transcoding/transcode.js';

type JobName = (typeof jobs)[number] extends { name: infer Name extends string } ? Name : never;

/** One handler for each job. A missing one does not compile. */
export type Handlers = { readonly [Name in JobName]: HandledJob<Name> };

/** The handler of each job. */
export const handlers: Handlers = {
  'content.ingest': handle(ingestContent, ingest, { onExhausted: ingestExhausted }),
  'content.ingestFully': handle(ingestFully, ingest, { onExhausted: ingestExhausted }),
  'content.transcodeQuick': handle(transcodeQuickChunk, transcode, { onExhausted: transcodeExhausted }),
  'content.transcode': handle(transcodeChunk, transcode, { onExhausted: transcodeExhausted }),
  'content.status': handle(assembleContent, assemble, { onExhausted: assembleExhausted }),
  'content.clean': handle(cleanContent, clean),
  'content.remove': handle(removeContent, remove),
  'content.sweep': handle(sweepContents, sweepContent),
  'content.sweepFiles': handle(sweepFiles, sweepContentFiles),
  'user.notify': handle(notifyUser, notify),
  'user.sendActivation': handle(sendActivation, activation),
  'user.sendRenewal': handle(sendPasswordReset, passwordReset),
  'user.sendNewPassword': handle(sendNewPassword, newPassword),
  'user.sendEmailChange': handle(sendEmailChange, emailChange),
  'license.notice': handle(noticeLicenses, noticeLicenseHolders),
  'box.sweepUploads': handle(sweepUploads, sweepExpiredUploads),
  'box.sweepThumbnails': handle(sweepThumbnails, sweepOrphanThumbnails),
  'oauth.sweep': handle(sweepTokens, sweepExpiredTokens),
  'platform.sweepTicks': handle(sweepTicks, sweepClockTicks),
  'payment.check': handle(checkPayment, check, { onExhausted: checkExhausted }),
  'payment.sweep': handle(sweepPayments, sweepLostChecks),
  'payment.audit': handle(auditLedger, audit),
  'live.record': handle(recordEvent, record),
  'live.sweepRecordings': handle(sweepRecordings, sweepEndedRecordings),
  'cast.extend': handle(extendChannel, extend),
  'cast.extendAll': handle(extendChannels, extendAll),
  'cast.sweepAirings': handle(sweepAirings, sweep),
  'cast.prepare': handle(prepareCast, prepareCutsAndSlates),
  'cast.sweepPreparations': handle(sweepPreparations, sweepPrepared),
  'search.drain': handle(drainSearch, drain),
  'search.rebuild': handle(rebuildSearch, rebuild),
  'search.sweepDrift': handle(sweepSearchDrift, sweepDrift),
  'cast.sweepRights': handle(sweepRights, sweepProgramRights),
  'streaming.sweep': handle(sweepStreams, sweepLiveStreams),
  'streaming.remove': handle(removeStream, removeLiveStream),
};
