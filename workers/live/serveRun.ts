import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../shared/platform/context.js';
import { LeaseRenewal, LeaseNotRenewedError } from '../../shared/platform/lease/index.js';
import type { Logger } from '../../shared/platform/log.js';
import { releaseRun } from '../../shared/streaming/offeredRun.lifecycle.js';
import { endReasonOf, endRun, markEncoderLeft } from '../../shared/streaming/liveRun.lifecycle.js';
import { noticeDroppedRendition } from '../../shared/streaming/droppedRendition.service.js';
import type { LiveMetrics } from './liveMetrics.js';
import type { packageRun } from './packaging/packageRun.js';
import type { PartServer } from './lowLatency/partServer.js';
import type { RtmpPublicationEnd } from '../rtmp/index.js';
import type { PublicationSource } from './publicationSource.js';
import type { RunRenewals } from './runRenewals.js';

/** The lease of a run lasts 10 s, or 6 s if it is pulled (`shared/streaming/liveRun.lifecycle.ts`). */
const renewEveryMs = 3_000;
/** Storing segments renews the lease of a run. A separate renewal at this interval also records received bytes and time. */
const countEveryMs = 50_000;
/**
 * A run continues for this time without the database, with its segments waiting and the encoder connected, which covers a restart
 * of PostgreSQL. If the lease has expired meanwhile, the next renewal fails. After an outage, lease owners renew before sweeps run,
 * because sweeps wait longer (`liveProcess.ts`) than renewals until they retry.
 */
const withoutDatabaseMs = 45_000;
const retryPullMs = { first: 1_000, longest: 10_000 } as const;

/** A run whose lease this process holds. */
export interface OwnedRun {
  readonly runId: string;
  readonly sessionId: string;
  readonly folder: string;
  readonly streamId: string;
  readonly ownerId: string;
  readonly streamPath: string;
  readonly leaseOwner: string;
}

interface ServeOptions {
  readonly ctx: Context;
  readonly metrics: LiveMetrics;
  readonly pack: typeof packageRun;
  readonly parts: PartServer | null;
  readonly renewals: RunRenewals;
  readonly run: OwnedRun;
  readonly source: PublicationSource;
}

/**
 * Packages a run until its source ends, and renews its lease. If the lease is lost, closes the encoder's connection at once and
 * stores no more segments: the stream was taken over or deleted, or its owner may no longer publish. Never rejects.
 */
export async function serveRun(options: ServeOptions): Promise<void> {
  const { ctx, metrics, parts, renewals, run, source } = options;
  const { runId, sessionId, leaseOwner, streamPath } = run;
  const log = ctx.log.child({ streamPath, runId });
  const began = performance.now();
  let countedAt = began;
  const renew = (): Promise<boolean> => {
    countedAt = performance.now();
    return renewals.renew(() => ({
      ...{ runId, leaseOwner, lastMediaAt: source.lastMediaAt(), receivedBytes: source.receivedBytes() },
    }));
  };
  const renewal = new LeaseRenewal({ renew, everyMs: renewEveryMs, lostAfterMs: withoutDatabaseMs, log });
  const { lost } = renewal;
  lost.addEventListener('abort', () => {
    parts?.end(runId);
    void source.end(lost.reason instanceof LeaseNotRenewedError ? 'no database' : 'lease lost');
  });
  log.info({ sessionId, source: source.kind }, 'publish started');
  const isLeftWritten = source.ended
    .then(() => (source.kind === 'RTMP' ? markEncoderLeft(ctx, { runId, leaseOwner }) : undefined))
    .catch((err: unknown) => log.warn({ err }, 'encoder disconnect not recorded'));
  try {
    const onRenewed = (): void => {
      if (performance.now() - countedAt < countEveryMs) renewal.renewedByWork();
    };
    const end = await packaged(options, { log, lost, onRenewed });
    renewal.stop();
    const seconds = Math.round((performance.now() - began) / 1000);
    // The process that ended the run in the database has stored the reason, for example an end that the external server reported.
    const isEndWritten = lost.aborted && !(lost.reason instanceof LeaseNotRenewedError);
    const reason = (isEndWritten ? await endReasonOf(ctx, runId).catch(() => null) : null) ?? end.reason;
    log.info({ ...end, reason, seconds, receivedBytes: source.receivedBytes() }, 'publish ended');
    metrics.countReceived(source.receivedBytes());
    await isLeftWritten;
    if (!lost.aborted) await finish(ctx, run, source, end);
  } catch (err) {
    log.warn({ err }, 'run not ended: its lease will expire');
  } finally {
    renewal.stop();
    parts?.end(runId);
  }
}

/**
 * Resolves with the end of the source. If the packager ends first, it ends the source, and the encoder reconnects. A pulled source
 * is retried until it has sent media, because the external server may be starting.
 */
async function packaged(
  { ctx, pack, parts, run, source }: ServeOptions,
  { log, lost, onRenewed }: { readonly log: Logger; readonly lost: AbortSignal; readonly onRenewed: () => void },
): Promise<RtmpPublicationEnd> {
  const { runId, sessionId, folder, leaseOwner } = run;
  let isDropNoticed = false;
  const signal = AbortSignal.any([lost, source.signal]);
  const store = parts?.open(runId);
  const packOnce = (): ReturnType<typeof packageRun> =>
    pack({
      ctx,
      log,
      source: source.media,
      run: { runId, sessionId, folder, leaseOwner },
      signal,
      onMedia: source.onMedia,
      onPart: (part) => store?.add(part),
      onComplete: (segment) => store?.complete(segment),
      onStored(segment) {
        onRenewed();
        store?.stored(segment);
      },
      onRenditionDropped({ name }) {
        if (isDropNoticed) return;
        isDropNoticed = true;
        noticeDroppedRendition(ctx, { ...run, rendition: name }).catch((err: unknown) =>
          log.warn({ err }, 'owner not mailed'),
        );
      },
    });
  try {
    let { reason } = await packOnce();
    let waitMs: number = retryPullMs.first;
    while (source.kind === 'PULL' && source.lastMediaAt() === null && !signal.aborted) {
      await sleep(waitMs, undefined, { signal }).catch(() => {});
      waitMs = Math.min(2 * waitMs, retryPullMs.longest);
      if (!signal.aborted) ({ reason } = await packOnce());
    }
    return await source.end(reason);
  } catch (err) {
    log.error({ err }, 'packaging failed');
    return source.end('packaging failed');
  }
}

/**
 * Ends the run in the database. A pulled run that received media is released instead, and continues as a new run in this or another
 * process, because its encoder may still be connected to the external server.
 */
async function finish(
  ctx: Context,
  { runId, leaseOwner }: OwnedRun,
  source: PublicationSource,
  end: RtmpPublicationEnd,
): Promise<void> {
  if (source.kind === 'PULL' && source.lastMediaAt() !== null) await releaseRun(ctx, { runId, leaseOwner });
  else await endRun(ctx, { runId, leaseOwner, reason: end.reason });
}
