import type { ServerResponse } from 'node:http';
import type { Context } from '../../shared/platform/context.js';
import { NotFoundError } from '../../shared/platform/errors.js';
import { liveTrackMapPath, liveTrackPath } from '../../shared/playback/tracks/liveTrack.queries.js';
import { audioOnly } from '../../shared/streaming/liveAddress.js';
import type { RequestedPlaylist } from '../../shared/streaming/livePlaylist.queries.js';
import type { LiveScope } from '../../shared/streaming/liveScope.js';
import type { Granted } from './granted.js';
import { sendTrack } from './sendTrack.js';

/** Paths of the continuous form below the prefix of a live grant (`shared/streaming/liveAddress.ts`). */
const list = /^continuous\/(?:master|(audio)|video-(\d{1,4}p))\.m3u8$/;
const session = '([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})';
const segment = new RegExp(String.raw`^continuous/${session}/(0|[1-9]\d{0,8})/(?:(audio)|video-(\d{1,4}p))\.m4s$`);
const initialisation = new RegExp(
  String.raw`^continuous/${session}/init/(video|audio)/([A-Za-z0-9_-][A-Za-z0-9._-]*\.mp4)$`,
);

/** The playlist of the continuous form at a path. Null: there is none. */
export function continuousPlaylist(path: string): RequestedPlaylist | null {
  const found = list.exec(path);
  if (!found) return null;
  const rendition = found[1] === undefined ? (found[2] ?? null) : audioOnly;
  return { rendition, isContinuous: true, isRewind: false, isDelta: false, target: null };
}

/** Sends a segment or an initialisation segment of the continuous form. Throws NotFoundError. */
export async function sendContinuousLive(
  target: { readonly ctx: Context; readonly response: ServerResponse },
  granted: Granted,
  scope: LiveScope,
  path: string,
): Promise<void> {
  const key = await trackPathOf(target.ctx, scope, path);
  if (key === null) throw new NotFoundError({ detail: `nothing live at ${granted.key}` });
  await sendTrack(target, { ...granted, key });
}

async function trackPathOf(ctx: Context, scope: LiveScope, path: string): Promise<string | null> {
  const [, sessionId, number, audio, video] = segment.exec(path) ?? [];
  if (sessionId !== undefined) {
    const rendition = audio === undefined ? (video ?? '') : audioOnly;
    return liveTrackPath(ctx, scope, { sessionId, sequence: Number(number), rendition });
  }
  const [, ofSession, kind, map = ''] = initialisation.exec(path) ?? [];
  if (ofSession === undefined) return null;
  return liveTrackMapPath(ctx, scope, { sessionId: ofSession, kind: kind as 'video' | 'audio', map });
}
