import { BoxItem } from './box/box.model.js';
import { DownloadToken } from './box/downloadToken.model.js';
import { ArrivingUpload, UploadPiece, UploadProgressRecord } from './upload/upload.model.js';
import { Bundle, BundleDeparture } from './bundle/bundle.model.js';
import { BundleSubscription } from './bundle/subscription.model.js';
import {
  CastChannel,
  CastCut,
  CastAiring,
  CastPlayout,
  CastProgram,
  CastSlate,
  CastStream,
} from './cast/cast.model.js';
import { Caption } from './caption/caption.model.js';
import { TranscriptPiece } from './caption/transcriptPiece.model.js';
import { ChunkRecord } from './content/chunk.model.js';
import { Content, DeletedContent } from './content/content.model.js';
import { Rendition } from './content/rendition.model.js';
import { ReplacedGeneration } from './content/replacedGeneration.model.js';
import { Thumbnail } from './content/thumbnail.model.js';
import { LedgerTransaction, LedgerPosting } from './ledger/ledger.model.js';
import { LicensePlan, Quota, UploadReservation, LicensePeriod, LicenseNotice } from './license/license.model.js';
import { LiveChannel, LiveEvent, LiveRecording } from './live/live.model.js';
import { AcquiredLicense } from './marketplace/acquiredLicense.model.js';
import { MarketplaceItem } from './marketplace/marketplace.model.js';
import { TokenFamily, RefreshToken, AccessToken, LoginNetwork } from './oauth/oauth.model.js';
import { Payment, PaymentEvent } from './payment/payment.model.js';
import { SandboxOrder } from './payment/providers/sandbox/sandbox.model.js';
import { OutboxJob, ClockTick } from './platform/queue/index.js';
import { EdgeBatch } from './playback/edgeBatch.model.js';
import { SearchMark, SearchFence, SearchBuild, SearchTypoKey, SearchWord } from './platform/search/index.js';
import { SweepPosition } from './platform/database/sweepPosition.model.js';
import { SharedCount } from './platform/sharedConcurrency.model.js';
import { CallerWrite } from './platform/database/callerWrite.model.js';
import { AttemptCount } from './platform/throttle/attemptCount.model.js';
import { EntitlementRecord } from './payment/entitlement.model.js';
import { LiveRun, LiveSegment, LiveSession, LiveStream } from './streaming/streaming.model.js';
import { EmailChange } from './user/emailChange.model.js';
import { MailToken } from './user/mailToken.model.js';
import { User } from './user/user.model.js';
import { UnrenderedEvent, Webhook, WebhookDelivery, WebhookEvent } from './webhook/webhook.model.js';
import { VodItem, WithdrawnVodItem } from './vod/vod.model.js';
import type { ModelDefinition } from './platform/database/model.js';

/** Every table. */
export const models: readonly ModelDefinition[] = [
  BoxItem,
  UploadProgressRecord,
  DownloadToken,
  ArrivingUpload,
  UploadPiece,
  Bundle,
  BundleDeparture,
  BundleSubscription,
  Caption,
  TranscriptPiece,
  ChunkRecord,
  Content,
  DeletedContent,
  Rendition,
  ReplacedGeneration,
  Thumbnail,
  LedgerTransaction,
  LedgerPosting,
  LicensePlan,
  Quota,
  UploadReservation,
  LicensePeriod,
  LicenseNotice,
  AcquiredLicense,
  MarketplaceItem,
  TokenFamily,
  RefreshToken,
  AccessToken,
  LoginNetwork,
  Payment,
  PaymentEvent,
  SandboxOrder,
  LiveStream,
  LiveSession,
  LiveRun,
  LiveSegment,
  LiveChannel,
  LiveEvent,
  LiveRecording,
  CastChannel,
  CastStream,
  CastProgram,
  CastPlayout,
  CastAiring,
  CastCut,
  CastSlate,
  OutboxJob,
  ClockTick,
  SweepPosition,
  SearchMark,
  SearchFence,
  SearchBuild,
  SearchWord,
  SearchTypoKey,
  AttemptCount,
  CallerWrite,
  SharedCount,
  EdgeBatch,
  EntitlementRecord,
  EmailChange,
  MailToken,
  User,
  VodItem,
  WithdrawnVodItem,
  Webhook,
  WebhookEvent,
  WebhookDelivery,
  UnrenderedEvent,
];
