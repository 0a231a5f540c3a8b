import { ForbiddenError } from '../../shared/platform/errors.js';
import { sameSecret } from '../../shared/platform/security/passwords.js';
import { countBand } from '../../shared/playback/bandCounter.js';
import { checkEdgeToken, isEdgeToken } from '../../shared/playback/edgeToken.js';
import { checkGrant, type Grant } from '../../shared/playback/grant.js';
import { exposeHeaders } from '../http/headers.js';
import type { DirectRequest } from '../http/route.js';

/** A stored file that a grant opens. */
export interface Granted {
  readonly key: string;
  readonly grant: Grant;
  /** Size of the file, where it is known already. */
  readonly bytes?: number | null;
  /** The grant as it was sent. */
  readonly segment: string;
  /** The address is the same for all viewers, and an edge may send them the same response. */
  readonly isShared: boolean;
  /** Counts bytes that are sent, on the publisher. */
  readonly count: (bytes: number) => void;
}

/**
 * What an address opens. It is checked without a query to the database: it contains what it opens and when it expires. So it
 * cannot be revoked; it expires (`shared/playback/playContent.ts`). Throws ForbiddenError.
 */
export function openStreamAddress(request: DirectRequest, segment: string, key: string): Granted {
  const { ctx } = request;
  const { keys, edge } = ctx.config.playback;
  const isShared = isEdgeToken(segment);
  const now = ctx.clock.now();
  const check = isShared ? checkEdgeToken(edge.keys, segment, key, now) : checkGrant(keys, segment, key, now);
  if ('rejected' in check)
    throw new ForbiddenError({ key: check.rejected === 'expired' ? 'playback.grantExpired' : 'playback.grantInvalid' });
  if (isShared) exposeHeaders(request.response);
  const { grant } = check;
  const isCountedElsewhere = isShared && isOfEdge(request);
  const count = isCountedElsewhere ? () => {} : (bytes: number) => countBand(ctx, grant.publisherCode, bytes);
  return { key, grant, segment, isShared, count };
}

/** Whether an edge has sent the request, which reports what it sends (`POST /rest/<integration>/edge/usage`). */
function isOfEdge({ ctx, response }: DirectRequest): boolean {
  const { secret } = ctx.config.playback.edge;
  const given = response.req.headers['x-edge-secret'];
  return secret !== null && typeof given === 'string' && sameSecret(given, secret);
}

/**
 * How long caches keep a response: those of an edge, where all viewers get the same one; otherwise that of the viewer alone. An edge may
 * send a growing list while it asks for the next one, for as long as a busy service may take to answer.
 */
export function cachingFor({ isShared }: Granted, caching: string): string {
  if (!isShared) return caching;
  const shared = caching.replace('private', 'public').replace('no-cache', 'max-age=1');
  return shared.endsWith('max-age=1') ? `${shared}, stale-while-revalidate=6` : shared;
}

/** Of lists that do not change. They are small, and every grant has its own URLs for them. */
export const playlistCaching = 'private, max-age=60';
/** Of the lists of a content that is still made: players ask whether they have changed. */
export const growingCaching = 'private, no-cache';
/** The files of a generation never change. */
export const segmentCaching = 'public, max-age=31536000, immutable';
