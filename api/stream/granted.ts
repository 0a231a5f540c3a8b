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
  /** Size of the file, if it is already known. */
  readonly bytes?: number | null;
  /** The grant as it was sent. */
  readonly segment: string;
  /** The address is the same for all viewers: an edge may send the same response to all of them. */
  readonly isShared: boolean;
  /** Adds sent bytes to the publisher's band. */
  readonly count: (bytes: number) => void;
}

/**
 * Verifies an address without a database query: its grant contains the scope and the expiry. A grant cannot be revoked, only expire
 * (`shared/playback/playContent.ts`). Throws ForbiddenError.
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

/** Whether the request is from an edge, which reports the bytes that it sends (`POST /rest/<integration>/edge/usage`). */
function isOfEdge({ ctx, response }: DirectRequest): boolean {
  const { secret } = ctx.config.playback.edge;
  const sent = response.req.headers['x-edge-secret'];
  return secret !== null && typeof sent === 'string' && sameSecret(sent, secret);
}

/**
 * `Cache-Control` of a response: shared caches may keep it only if it is the same for all viewers. An edge may send a stale live
 * playlist while it requests the next one, as long as a busy service may need for the response.
 */
export function cachingFor({ isShared }: Granted, caching: string): string {
  if (!isShared) return caching;
  const shared = caching.replace('private', 'public').replace('no-cache', 'max-age=1');
  return shared.endsWith('max-age=1') ? `${shared}, stale-while-revalidate=6` : shared;
}

/** For playlists that do not change. They are small, and every grant has its own URLs for them. */
export const playlistCaching = 'private, max-age=60';
/** For growing playlists: players revalidate them at each request. */
export const growingCaching = 'private, no-cache';
/** For the files of a generation, which never change. */
export const segmentCaching = 'public, max-age=31536000, immutable';
