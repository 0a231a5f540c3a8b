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

/** What a play opens, for whom, and on whose license. */
export type Opened = Pick<Grant, 'kind' | 'prefix' | 'viewerCode' | 'publisherCode'>;

/** When the grants of a play expire, in seconds since 1970. */
export interface ViewerSessionEnds {
  /** The same for plays at about the same time, so that they get the same URL. */
  readonly sharedSeconds: number;
  readonly uniqueSeconds: number;
}

/** The ends of a play that is valid for so many seconds from now. The shared address changes only every ten minutes. */
export function viewerSessionEnds(ctx: Context, seconds: number): ViewerSessionEnds {
  const uniqueSeconds = Math.ceil(ctx.clock.now().getTime() / 1000) + seconds;
  return { uniqueSeconds, sharedSeconds: Math.ceil(uniqueSeconds / sessionStepSeconds) * sessionStepSeconds };
}

/** The grants of one play: `shared` belongs to viewer and item, `unique` to this call. Both open the same. */
export interface Grants {
  readonly shared: Grant;
  readonly unique: Grant;
}

/**
 * The session of `shared` is derived from viewer, item and end, so that the same viewer who plays again gets the same URL
 * and caches work. `streamName`: bound to the session (`playbackToken.ts`); absent: none.
 */
export function grantsOf(ctx: Context, opened: Opened, ends: ViewerSessionEnds, streamName?: string): Grants {
  const { keys } = ctx.config.playback;
  const { kind, viewerCode, publisherCode, prefix } = opened;
  const { sharedSeconds } = ends;
  // An edge sends the same to all: their addresses differ in the session alone.
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

/** The URL of a file that a grant opens; `path`: below its prefix. That of an edge has the session as a query, which caches ignore. */
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
