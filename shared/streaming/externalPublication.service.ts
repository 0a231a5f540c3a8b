import type { Context } from '../platform/context.js';
import { databaseNow } from '../platform/database/databaseTime.js';
import { Tunable } from '../platform/tunable.js';
import { awaitConnected, offerRun } from './offeredRun.lifecycle.js';
import { awaitSilence, pullBeginsMs } from './otherPublisher.service.js';
import { authorizePublish, limitRefusals, type PublishedStream } from './publishing.service.js';
import { pullUrlOf } from './pullUrl.js';
import type { RefusalReason } from './refusedEncoder.js';
import { recordRefusedEncoder } from './refusedEncoder.service.js';
import { confirmRun } from './reportedRun.lifecycle.js';
import { endRunOf } from './liveRun.lifecycle.js';
import type { RunState } from './streaming.model.js';

/*
 * Publications that an external streaming server reports through hooks: the server requests permission before it accepts an
 * encoder, and reports the end. A live process then pulls the media (`LIVE_PULL_URL`). Without that setting the server itself
 * serves the viewers (`LIVE_PLAYBACK_URL`), and a run lasts from hook to hook (`reportedRun.lifecycle.ts`). The server's
 * connection id makes hooks idempotent.
 */

/** A requested or running publication of an encoder. */
export interface ExternalPublication {
  /** Server, its connection id, and the path: identifies one publication. */
  readonly serverKey: string;
  readonly app: string;
  readonly streamPath: string;
  readonly userCode: string;
  readonly livePassword: string;
  readonly clientAddress: string | null;
}

export interface ServerTraits {
  /** Readers receive only media sent after they connect, so a late reader would lose the first keyframe. */
  readonly keepsNoPictures?: boolean;
  /** Connection ids are never reused, so an ended publication stays ended. If false, ids restart with the server. */
  readonly hasLastingIds: boolean;
  /**
   * An allowed second publisher replaces the first. If false, the server requests permission for the second publisher, and then
   * rejects it.
   */
  readonly replacesPublisher: boolean;
}

export type PublishDecision = { readonly allowed: true } | { readonly allowed: false; readonly reason: string };

/** A publisher whose media has arrived within this time is not replaced, if the server itself rejects second publishers. */
const receivingSeconds = 10;
/** Live processes poll for offers every second. */
export const maxConnectionWaitSeconds = new Tunable(2);
const reportedEnd = 'ended by the streaming server';

/** Decides whether an encoder may publish, and offers the run to the live processes, or opens it. Idempotent. */
export async function startExternalPublication(
  ctx: Context,
  publication: ExternalPublication,
  { hasLastingIds, replacesPublisher, keepsNoPictures }: ServerTraits,
): Promise<PublishDecision> {
  const authorized = await authorize(ctx, publication);
  if (!authorized.allowed) return authorized;
  const { id: streamId } = authorized.stream;
  const { own, isOtherReceiving } = await runsOf(ctx, streamId, publication.serverKey);
  if (own === 'OFFERED' || own === 'OPEN') return { allowed: true };
  if (own === 'ENDED' && hasLastingIds) return rejected('connection has ended');
  const isSending = replacesPublisher
    ? (await awaitSilence(ctx, streamId, { ownKey: publication.serverKey })).isSending
    : isOtherReceiving;
  if (!isSending) {
    const { runId } = await offer(ctx, publication, authorized);
    if (keepsNoPictures && authorized.pullUrl !== null)
      await awaitConnected(ctx, runId, ctx.config.limit(maxConnectionWaitSeconds));
    return { allowed: true };
  }
  await recordRefusal(ctx, publication, 'ALREADY_PUBLISHED');
  return rejected('stream is being published');
}

/**
 * Decides whether an encoder may continue to publish; if not, the server disconnects it. A run that has ended although its
 * encoder still publishes, because the media could not be read for a while, is offered again.
 */
export async function continueExternalPublication(
  ctx: Context,
  publication: ExternalPublication,
): Promise<PublishDecision> {
  const authorized = await authorize(ctx, publication);
  if (!authorized.allowed) return authorized;
  const { own, ownEndReason, hasOther } = await runsOf(ctx, authorized.stream.id, publication.serverKey);
  if (own === 'OFFERED' || own === 'OPEN') {
    await confirmRun(ctx, publication.serverKey);
    return { allowed: true };
  }
  if (ownEndReason === reportedEnd) return rejected('connection has ended');
  if (hasOther) return rejected('taken over');
  await offer(ctx, publication, authorized);
  return { allowed: true };
}

/** Ends the run of an encoder that has disconnected. Idempotent; an unknown key changes nothing. */
export function endExternalPublication(ctx: Context, serverKey: string): Promise<void> {
  return endRunOf(ctx, { serverKey, reason: reportedEnd });
}

interface Authorized {
  readonly allowed: true;
  readonly stream: PublishedStream;
  /** Null: no process pulls the media, and the server itself serves the viewers. */
  readonly pullUrl: string | null;
}

/** Rejected encoders with credentials count as attempts, like encoders that connect to this service. */
async function authorize(
  ctx: Context,
  publication: ExternalPublication,
): Promise<Authorized | { readonly allowed: false; readonly reason: string }> {
  const { app, streamPath, userCode, livePassword, clientAddress } = publication;
  const { pullUrl: template, playbackUrl } = ctx.config.live;
  if (template === null && playbackUrl === null) return rejected('LIVE_PULL_URL is not set');
  if (userCode === '' || livePassword === '') return rejected('no credentials');
  const decision = await limitRefusals(ctx, { userCode, remoteAddress: clientAddress ?? '' }, () =>
    authorizePublish(ctx, { streamPath, userCode, livePassword }),
  );
  if (!decision.allowed) {
    if (decision.refusal) await recordRefusal(ctx, publication, decision.refusal);
    return rejected(decision.reason);
  }
  if (template === null) return { ...decision, pullUrl: null };
  const pullUrl = pullUrlOf(template, { app, streamPath: decision.stream.path });
  return pullUrl === null ? rejected('invalid application name') : { ...decision, pullUrl };
}

/** Shows the refusal to the owner only: the external server chooses the error that its encoder logs. */
function recordRefusal(
  ctx: Context,
  { userCode, streamPath, clientAddress: address }: ExternalPublication,
  reason: RefusalReason,
): Promise<void> {
  return recordRefusedEncoder(ctx, { userCode, streamPath, reason, address });
}

async function offer(
  ctx: Context,
  { serverKey, clientAddress }: ExternalPublication,
  { stream, pullUrl }: Authorized,
): Promise<{ readonly runId: string }> {
  await ctx.db.change("UPDATE live_runs SET server_key = NULL WHERE server_key = $serverKey AND state = 'ENDED'", {
    serverKey,
  });
  return offerRun(ctx, { streamId: stream.id, ownerId: stream.ownerId, serverKey, pullUrl, clientAddress });
}

interface Runs {
  /** State of the run with this server key; null: none. */
  readonly own: RunState | null;
  readonly ownEndReason: string | null;
  /** Whether another run of the stream is OFFERED or OPEN. */
  readonly hasOther: boolean;
  /** The other run receives media, or may do so soon. */
  readonly isOtherReceiving: boolean;
}

async function runsOf(ctx: Context, streamId: string, serverKey: string): Promise<Runs> {
  const now = await databaseNow(ctx);
  const secondsAgo = (seconds: number): Date => new Date(now.getTime() - seconds * 1000);
  const [runs] = await ctx.db.rows<Runs>(
    `SELECT own.state AS own, own.end_reason AS own_end_reason, other.id IS NOT NULL AS has_other,
            coalesce(other.source <> 'REPORTED' AND other.encoder_left_at IS NULL
                     AND CASE WHEN other.last_media_at IS NULL THEN other.offered_at > $begunAfter::timestamptz
                              ELSE other.last_media_at > $receivedAfter::timestamptz END, false) AS is_other_receiving
       FROM (SELECT) AS one_row
       LEFT JOIN live_runs own ON own.server_key = $serverKey AND own.stream_id = $streamId
       LEFT JOIN live_runs other ON other.stream_id = $streamId AND other.state IN ('OFFERED', 'OPEN')
             AND other.server_key IS DISTINCT FROM $serverKey`,
    { streamId, serverKey, receivedAfter: secondsAgo(receivingSeconds), begunAfter: secondsAgo(pullBeginsMs / 1000) },
  );
  if (!runs) throw new Error('a query without conditions has no rows');
  return runs;
}

function rejected(reason: string): { readonly allowed: false; readonly reason: string } {
  return { allowed: false, reason };
}
