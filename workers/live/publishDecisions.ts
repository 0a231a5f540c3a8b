import type { Context } from '../../shared/platform/context.js';
import {
  authenticatePublisher,
  authorizePublish,
  limitRefusals,
  type PublishedStream,
  type Rejected,
} from '../../shared/streaming/publishing.service.js';
import { openRun } from '../../shared/streaming/liveRun.lifecycle.js';
import { newLeaseOwner } from '../../shared/platform/lease.js';
import type { LiveRuns } from './liveRuns.js';
import type { AuthenticationRequest, PublishDecisions, AuthenticationResult } from '../rtmp/decisions.js';
import type { RtmpPublication } from '../rtmp/publication.js';
import { rtmpSource } from './publicationSource.js';

/** Null at a login that names no stream yet. */
type Owner = PublishedStream | null;

type Authorized = { readonly allowed: true; readonly stream: Owner } | Rejected;

/*
 * Errors sent to encoders. A wrong user, a wrong password and a stream of another user have the same error: the reason is in the
 * log, `publish refused`.
 */
const notAllowed = 'Check user code, live password, stream path and streaming hours.';
const noCredentials = 'Log in with user code and live password.';
const noPlace = 'All places of this server are taken.';

/** Decides who may publish, and opens a run for who may. */
export function publishDecisions(ctx: Context, runs: LiveRuns): PublishDecisions<Owner> {
  return {
    authenticate: (request) => authenticate(ctx, runs, request),
    onPublish: (publication) => publish(ctx, runs, publication),
  };
}

async function authenticate(
  ctx: Context,
  runs: LiveRuns,
  { streamPath, credentials, remoteAddress }: AuthenticationRequest,
): Promise<AuthenticationResult<Owner>> {
  if (credentials.kind === 'none') return { allowed: false, reason: noCredentials };
  const userCode = credentials.user;
  const livePassword =
    credentials.kind === 'adobe' ? (password: string) => credentials.check(password) : credentials.password;
  const authorized = await limitRefusals<Authorized>(ctx, { userCode, remoteAddress }, async () => {
    if (streamPath !== null) return authorizePublish(ctx, { userCode, livePassword, streamPath });
    const publisher = await authenticatePublisher(ctx, { userCode, livePassword });
    return publisher.allowed ? { allowed: true, stream: null } : publisher;
  });
  if (!authorized.allowed) return { allowed: false, reason: notAllowed, detail: authorized.reason };
  const { stream } = authorized;
  if (stream && !runs.hasPlaceFor(stream.id)) return { allowed: false, reason: noPlace };
  return { allowed: true, owner: stream };
}

async function publish(ctx: Context, runs: LiveRuns, publication: RtmpPublication<Owner>): Promise<string | void> {
  const { owner: stream, remoteAddress } = publication;
  const place = stream && runs.reserve(stream.id);
  // Another encoder has taken the last place since this one was allowed.
  if (!place) return noPlace;
  try {
    const hasLeft = await Promise.race([publication.ended.then(() => true), runs.whenFewAreEnding().then(() => false)]);
    if (hasLeft) return place.release();
    const leaseOwner = newLeaseOwner();
    const { id: streamId, ownerId, path: streamPath } = stream;
    const opened = await openRun(ctx, {
      ...{ streamId, ownerId, source: 'RTMP', leaseOwner, clientAddress: remoteAddress },
      partsUrl: runs.partsUrl,
    });
    runs.serve({ ...opened, streamId, ownerId, streamPath, leaseOwner }, rtmpSource(publication), place);
  } catch (error) {
    place.release();
    throw error;
  }
}
