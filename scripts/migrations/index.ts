import type { Migration } from './migration.js';
import { platform } from './1001-platform.js';
import { user } from './1002-user.js';
import { content } from './1003-content.js';
import { ledger } from './1004-ledger.js';
import { oauth } from './1005-oauth.js';
import { payment } from './1006-payment.js';
import { license } from './1007-license.js';
import { streaming } from './1008-streaming.js';
import { box } from './1009-box.js';
import { marketplace } from './1010-marketplace.js';
import { live } from './1011-live.js';
import { bundle } from './1012-bundle.js';
import { vod } from './1013-vod.js';
import { cast } from './1014-cast.js';
import { arrivingUploads } from './1015-arriving-uploads.js';
import { imports } from './1016-imports.js';
import { webhooks } from './1017-webhooks.js';
import { captions } from './1018-captions.js';
import { audioTracks } from './1019-audio-tracks.js';
import { measuredSources } from './1020-measured-sources.js';
import { edgeBatches } from './1021-edge-batches.js';
import { cutAudio } from './1022-cut-audio.js';
import { preparedUntil } from './1023-prepared-until.js';
import { manyRows } from './1024-many-rows.js';
import { callerWrites } from './1025-caller-writes.js';
import { sharedCounts } from './1026-shared-counts.js';
import { traces } from './1027-traces.js';
import { reprocessing } from './1028-reprocessing.js';
import { importQueue } from './1029-import-queue.js';
import { activationMails } from './1030-activation-mails.js';
import { unrenderedEvents } from './1031-unrendered-events.js';
import { leftOutSubtitles } from './1032-left-out-subtitles.js';
import { transcriptPieces } from './1033-transcript-pieces.js';
import { segmentPositions } from './1034-segment-positions.js';
import { refusedEncoders } from './1035-refused-encoders.js';
import { fairDeliveries } from './1036-fair-deliveries.js';
import { leftOutAudio } from './1038-left-out-audio.js';
import { sourceTracks } from './1039-source-tracks.js';
import { deferredLengths } from './1040-deferred-lengths.js';
import { connectedRuns } from './1041-connected-runs.js';
import { unlimitedPlan } from './1042-unlimited-plan.js';
import { recordedEvents } from './1043-recorded-events.js';
import { uploadKinds } from './1044-upload-kinds.js';

/**
 * All migrations, oldest first. The first ones are the schema of version 1.0, one for each domain. Later ones only extend it:
 * processes of the previous release still run.
 */
export const migrations: readonly Migration[] = [
  platform,
  user,
  content,
  ledger,
  oauth,
  payment,
  license,
  streaming,
  box,
  marketplace,
  live,
  bundle,
  vod,
  cast,
  arrivingUploads,
  imports,
  webhooks,
  captions,
  audioTracks,
  measuredSources,
  edgeBatches,
  cutAudio,
  preparedUntil,
  manyRows,
  callerWrites,
  sharedCounts,
  traces,
  reprocessing,
  importQueue,
  activationMails,
  unrenderedEvents,
  leftOutSubtitles,
  transcriptPieces,
  segmentPositions,
  refusedEncoders,
  fairDeliveries,
  leftOutAudio,
  sourceTracks,
  deferredLengths,
  connectedRuns,
  unlimitedPlan,
  recordedEvents,
  uploadKinds,
];
