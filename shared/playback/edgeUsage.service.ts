import { recordBand } from '../license/band.service.js';
import type { Context } from '../platform/context.js';
import { publisherIds, type BytesByPublisher } from './bandCounter.js';
import { grantOfCdnAddress } from './cdnAddress.js';
import { signedGrant } from './edgeToken.js';

/** Bytes that an edge or a CDN has sent. */
export interface EdgeUsage {
  /**
   * `/e/<token>/<path>` of an edge, with or without host and query, or `/<key>?grant=<grant>` of a CDN; any address that the token
   * or grant opens.
   */
  readonly address: string;
  readonly bytes: number;
}

export interface EdgeUsageResult {
  /** False: a batch with this id was counted before, so this one is ignored. */
  readonly isNew: boolean;
  /** Bytes that were added to the band of publishers. */
  readonly countedBytes: number;
  /** Bytes of addresses that this service has not signed, or whose publisher does not exist. */
  readonly refusedBytes: number;
}

/** Batch ids are stored this long; batches are resent within minutes. */
const retentionDays = 30;
const dayMs = 24 * 60 * 60_000;
const addressPattern = /\/e\/([^/?]+)\/([^?]*)/;

/**
 * Adds the reported bytes to the bands of the publishers in the addresses, once for each batch. Addresses count even if their token
 * has expired since.
 */
export async function recordEdgeUsage(
  ctx: Context,
  batchId: string,
  usage: readonly EdgeUsage[],
): Promise<EdgeUsageResult> {
  const { bytesByPublisher, refusedBytes } = byPublisher(ctx, usage);
  // Read before the transaction: inside the transaction, the read would wait for a second connection.
  const counted = await publisherIds(ctx, bytesByPublisher);
  const now = ctx.clock.now();
  return ctx.db.transaction(async (tx) => {
    const isNew = await ctx.db.change(
      'INSERT INTO edge_batches (id, received_at) VALUES ($batchId, $now) ON CONFLICT (id) DO NOTHING',
      { batchId, now },
      tx,
    );
    if (!isNew) return { isNew: false, countedBytes: 0, refusedBytes: 0 };
    const before = new Date(now.getTime() - retentionDays * dayMs);
    await ctx.db.change('DELETE FROM edge_batches WHERE received_at < $before', { before }, tx);
    await recordBand(ctx, counted, tx);
    const [sent, countedBytes] = [sum(bytesByPublisher), sum(counted)];
    return { isNew: true, countedBytes, refusedBytes: refusedBytes + sent - countedBytes };
  });
}

function byPublisher(
  ctx: Context,
  usage: readonly EdgeUsage[],
): { readonly bytesByPublisher: BytesByPublisher; readonly refusedBytes: number } {
  const bytesByPublisher: BytesByPublisher = new Map();
  let refusedBytes = 0;
  for (const { address, bytes } of usage) {
    const [, segment = '', path = ''] = addressPattern.exec(address) ?? [];
    const grant = signedGrant(ctx.config.playback.edge.keys, segment, path) ?? grantOfCdnAddress(ctx, address);
    if (grant) bytesByPublisher.set(grant.publisherCode, (bytesByPublisher.get(grant.publisherCode) ?? 0) + bytes);
    else refusedBytes += bytes;
  }
  return { bytesByPublisher, refusedBytes };
}

function sum(bytes: ReadonlyMap<string, number>): number {
  return [...bytes.values()].reduce((total, one) => total + one, 0);
}
