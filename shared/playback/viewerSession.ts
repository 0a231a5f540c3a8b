import { randomBytes } from 'node:crypto';
import type { CastPlaylistForm } from '../cast/playout/index.js';
import { sessionStepSeconds } from '../content/viewerSessionSeconds.js';
import { masterName } from '../content/storageKeys.js';
import type { Context } from '../platform/context.js';
import { sign } from '../platform/security/signing.js';
import { writeEdgeToken } from './edgeToken.js';
import { writeGrant, type Grant } from './grant.js';
import { hlsMimeType, type PlayResult } from './playResult.js';
import { provenViewerSession } from './playbackToken.js';

/** The files that a play opens, the viewer, and the publisher whose band counts the bytes. */
export type Opened = Pick<Grant, 'kind' | 'prefix' | 'viewerCode' | 'publisherCode'>;

/** Expiry of a play's grants, in seconds since 1970. */
export interface ViewerSessionEnds {
  /** Equal for plays at about the same time, so that they get the same URL. */
  readonly sharedSeconds: number;
  readonly uniqueSeconds: number;
}

/** Expiry of a play that is valid for `seconds` from now. The shared address changes only every ten minutes. */
export function viewerSessionEnds(ctx: Context, seconds: number): ViewerSessionEnds {
  const uniqueSeconds = Math.ceil(ctx.clock.now().getTime() / 1000) + seconds;
  return { uniqueSeconds, sharedSeconds: Math.ceil(uniqueSeconds / sessionStepSeconds) * sessionStepSeconds };
}

/** The grants of one play: `shared` belongs to viewer and item, `unique` to this call. Both open the same files. */
export interface Grants {
  readonly shared: Grant;
  readonly unique: Grant;
}

/**
 * The session of `shared` is derived from viewer, item and expiry: a viewer who plays again gets the same URL, so that caches
 * work. `streamName`: the live stream to which the session is bound (`playbackToken.ts`).
 */
export function grantsOf(ctx: Context, opened: Opened, ends: ViewerSessionEnds, streamName?: string): Grants {
  const { keys } = ctx.config.playback;
  const { kind, viewerCode, publisherCode, prefix } = opened;
  const { sharedSeconds } = ends;
  // With an edge, addresses may differ only in the session, because all viewers share its cache.
  const uniqueSeconds = ctx.config.playback.delivery === 'edge' ? sharedSeconds : ends.uniqueSeconds;
  const message = `session|${kind}|${viewerCode ?? '-'}|${publisherCode}|${sharedSeconds}|${prefix}`;
  const grantOf = (nonce: string, expiresSeconds: number): Grant => ({
    ...opened,
    expiresSeconds,
    sessionId: provenViewerSession(keys, nonce, { kind, viewerCode, publisherCode, expiresSeconds }, streamName),
  });
  return {
    shared: grantOf(sign(keys, message).value, sharedSeconds),
    unique: grantOf(randomBytes(16).toString('base64url'), uniqueSeconds),
  };
}

/**
 * URL of a file that a grant opens; `path` is below its prefix. Edge URLs contain the session in the query, which caches ignore.
 */
export function addressOf({ config }: Context, grant: Grant, path: string): string {
  const { delivery, edge } = config.playback;
  if (delivery === 'edge')
    return `${edge.url ?? config.service.publicUrl}/e/${writeEdgeToken(edge.keys, grant)}/${grant.prefix}${path}?session=${grant.sessionId}`;
  return `${config.service.publicUrl}/s/${writeGrant(config.playback.keys, grant)}/${grant.prefix}${path}`;
}

/** Path of the master playlist of each form of a channel or live stream, below the prefix of a grant. */
export const masterOf: Readonly<Record<CastPlaylistForm, string>> = {
  joined: 'master.m3u8',
  continuous: 'continuous/master.m3u8',
};

/** The play result with the HLS addresses of this service. */
export function hlsResult(
  ctx: Context,
  { shared, unique }: Grants,
  playlist = masterName({ state: 'complete' }),
): PlayResult {
  const [streamer, uniqueStreamer] = [addressOf(ctx, shared, playlist), addressOf(ctx, unique, playlist)];
  const source = { mimeType: hlsMimeType, streamer, uniqueStreamer };
  return { result: 'PLAY', srcs: [source], ...source, file: `${shared.prefix}${playlist}` };
}
