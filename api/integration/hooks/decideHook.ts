import type { Context } from '../../../shared/platform/context.js';
import { sameSecret } from '../../../shared/platform/security/passwords.js';
import { isStorable } from '../../../shared/platform/validation.js';
import { checkPlaybackToken } from '../../../shared/playback/playbackToken.js';
import {
  continueExternalPublication,
  endExternalPublication,
  startExternalPublication,
  type PublishDecision,
} from '../../../shared/streaming/externalPublication.service.js';
import type { HookConnection, HookEvent, StreamingServer } from './hookEvent.js';

/** `docs/contract.md#choices-live` */
const streamPathPattern = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;
/** Connection ids, which servers choose, and application names, which clients choose. */
const keyPartPattern = /^[\x20-\x7e]{0,128}$/;
const maxUserCode = 50;

export function isStreamPath(text: string): boolean {
  return streamPathPattern.test(text);
}

/** The decision on a hook. `serverName` distinguishes servers of one kind. The reason of a rejection is for logs. */
export async function decideHook(
  ctx: Context,
  { name, traits }: StreamingServer,
  event: HookEvent,
  serverName: string,
): Promise<PublishDecision> {
  if (event.type === 'other') return { allowed: true };
  if (event.type === 'forged') return { allowed: false, reason: event.reason };
  if (!isStreamPath(event.streamPath)) return { allowed: false, reason: 'not a stream path' };
  if (event.type === 'play') return mayPlay(ctx, event);
  const serverKey = serverKeyOf(name, serverName, event);
  if (serverKey === null) return { allowed: false, reason: 'not a connection id' };
  if (event.type === 'end') {
    await endExternalPublication(ctx, serverKey);
    return { allowed: true };
  }
  if (event.userCode.length > maxUserCode || !isStorable(event.userCode))
    return { allowed: false, reason: 'not a user code' };
  const publication = { ...event, serverKey };
  return event.type === 'publish'
    ? startExternalPublication(ctx, publication, traits)
    : continueExternalPublication(ctx, publication);
}

/** Viewers send a playback token. Live processes pull the media with the integration's credentials. */
async function mayPlay(
  ctx: Context,
  { streamPath, token, userCode, livePassword }: HookEvent & { type: 'play' },
): Promise<PublishDecision> {
  const { integration } = ctx.config;
  const isUser = integration !== null && sameSecret(userCode, integration.user);
  const isPassword = integration !== null && sameSecret(livePassword, integration.password);
  if (isUser && isPassword) return { allowed: true };
  const isViewer = token !== '' && (await checkPlaybackToken(ctx, token, streamPath));
  return isViewer ? { allowed: true } : { allowed: false, reason: 'no valid playback token' };
}

/** The key of one publication: server, connection id, application and stream path. Null if a part is invalid. */
function serverKeyOf(kind: string, serverName: string, connection: HookConnection): string | null {
  const { connectionId, app, streamPath } = connection;
  if (connectionId === '' || !keyPartPattern.test(connectionId) || !keyPartPattern.test(app)) return null;
  return [kind, serverName, connectionId, app, streamPath].map(encodeURIComponent).join('|');
}
