import type { Context } from '../../shared/platform/context.js';
import {
  authenticatePublisher,
  authorizePublish,
  limitRefusals,
  type PublishedStream,
  type Rejected,
} from '../../shared/streaming/publishing.service.js';
import { openRun, OtherPublisherError } from '../../shared/streaming/liveRun.lifecycle.js';
import { awaitSilence } from '../../shared/streaming/otherPublisher.service.js';
import { refusalMessageKey, type RefusalReason } from '../../shared/streaming/refusedEncoder.js';
import { recordRefusedEncoder } from '../../shared/streaming/refusedEncoder.service.js';
import { newLeaseOwner } from '../../shared/platform/lease/index.js';
import { Tunable } from '../../shared/platform/tunable.js';
import { HeldMedia } from './heldMedia.js';
import type { LiveRuns, StreamSlot } from './liveRuns.js';
import type { AuthenticationRequest, PublishDecisions, AuthenticationResult, RtmpPublication } from '../rtmp/index.js';
import { rtmpSource } from './publicationSource.js';

/**
 * How long a returning encoder waits for the last segments of its previous run, which viewers watch meanwhile. A slow encoding is
 * restarted after 10 s, and needs about the same time again.
 */
export const maxStoringMs = new Tunable(20_000);

/** `stream`: null if the login does not name a stream yet. */
interface Owner {
  readonly userCode: string;
  readonly stream: PublishedStream | null;
}

type Authorized = { readonly allowed: true; readonly stream: PublishedStream | null } | Rejected;

/*
 * Reasons sent to encoders. An encoder without valid credentials always gets the same reason; the log contains the actual one, in
 * `publish refused`.
 */
const notAllowed = 'Check user code and live password.';
const noStream = 'None of your channels and streams has this path.';
const noCredentials = 'Log in with user code and live password.';

/** Decides who may publish, and opens a run for each accepted publication. */
export function publishDecisions(ctx: Context, runs: LiveRuns): PublishDecisions<Owner> {
  return {
    authenticate: (request) => authenticate(ctx, runs, request),
    onPublish: (publication) => accept(ctx, runs, publication),
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
  const refuse = (reason: RefusalReason) =>
    recordRefusedEncoder(ctx, { userCode, streamPath, reason, address: remoteAddress });
  if (!authorized.allowed) {
    const { reason: detail, refusal, isLoggedIn } = authorized;
    if (refusal) await refuse(refusal);
    if (!isLoggedIn) return { allowed: false, reason: notAllowed, detail };
    return { allowed: false, reason: refusal ? sentenceFor(ctx, refusal) : noStream, detail };
  }
  const { stream } = authorized;
  if (!stream || runs.hasSlotFor(stream.id)) return { allowed: true, owner: { userCode, stream } };
  await refuse('SERVER_FULL');
  return { allowed: false, reason: sentenceFor(ctx, 'SERVER_FULL') };
}

/** Resolves with the reason if the publication is refused. The run is opened with the first media (`open`). */
async function accept(ctx: Context, runs: LiveRuns, publication: RtmpPublication<Owner>): Promise<string | void> {
  const { owner, remoteAddress: address, streamPath } = publication;
  const refuse = async (reason: RefusalReason): Promise<string> => {
    await recordRefusedEncoder(ctx, { userCode: owner.userCode, streamPath, reason, address });
    return sentenceFor(ctx, reason);
  };
  const { stream } = owner;
  const slot = stream && runs.reserve(stream.id);
  // Another encoder has reserved the last slot since this one was authenticated.
  if (!slot) return refuse('SERVER_FULL');
  try {
    const hasLeft = await Promise.race([publication.ended.then(() => true), runs.whenFewAreEnding().then(() => false)]);
    if (hasLeft) return slot.release();
    const { isSending } = await awaitSilence(ctx, stream.id, { receptionOf: (runId) => runs.receptionOf(runId) });
    if (isSending) {
      slot.release();
      return await refuse('ALREADY_PUBLISHED');
    }
  } catch (error) {
    slot.release();
    throw error;
  }
  const opening = open(ctx, runs, publication, stream, slot).catch(async (err: unknown) => {
    slot.release();
    if (!(err instanceof OtherPublisherError)) {
      ctx.log.error({ err, streamPath }, 'run not opened');
      return publication.end('server error');
    }
    const reason = await refuse('ALREADY_PUBLISHED');
    ctx.log.info({ streamPath, remoteAddress: address, reason }, 'publish refused');
    publication.end('not accepted', reason);
  });
  void publication.ended.then(async ({ reason, detail: codec = '' }) => {
    // Opening a run deletes earlier refusals, and audio of a supported codec may have opened a run.
    await opening;
    if (reason !== 'unsupported codec') return;
    await recordRefusedEncoder(ctx, {
      ...{ userCode: owner.userCode, streamPath, reason: 'UNSUPPORTED_CODEC', codec, address },
    });
  });
}

/**
 * Opens the run of a publication with its first media, so that an encoder with an unsupported codec creates no runs. Throws
 * OtherPublisherError if another encoder was faster.
 */
async function open(
  ctx: Context,
  runs: LiveRuns,
  publication: RtmpPublication<Owner>,
  { id: streamId, ownerId, path: streamPath }: PublishedStream,
  slot: StreamSlot,
): Promise<void> {
  await publication.started;
  if (publication.counts.firstMediaAt === null) return slot.release();
  const media = new HeldMedia(publication.tags);
  const other = await awaitReplaceable(ctx, runs, { streamId, streamPath, media });
  if (other.isSending) throw new OtherPublisherError('another encoder sends media');
  const leaseOwner = newLeaseOwner();
  const opened = await openRun(ctx, {
    ...{ streamId, ownerId, source: 'RTMP', leaseOwner, clientAddress: publication.remoteAddress },
    ...{ partsUrl: runs.partsUrl, replacedRunId: other.silentRunId },
  });
  runs.serve({ ...opened, streamId, ownerId, streamPath, leaseOwner }, rtmpSource(publication, media.tags), slot);
}

/**
 * Waits for the result of `awaitSilence`, and for the last segments of an encoder that has disconnected, because a replaced run
 * stores no more segments. Waits at most `maxStoringMs`, and no longer than the new media can be buffered.
 */
async function awaitReplaceable(
  ctx: Context,
  runs: LiveRuns,
  {
    streamId,
    streamPath,
    media,
  }: { readonly streamId: string; readonly streamPath: string; readonly media: HeldMedia },
): ReturnType<typeof awaitSilence> {
  const over = new AbortController();
  const { signal } = over;
  const timer = setTimeout(() => over.abort(), ctx.config.limit(maxStoringMs));
  const holding = media.hold(signal).then((isFull) => isFull && over.abort());
  const onWait = (runId: string): void =>
    ctx.log.info({ streamPath, runId }, 'publish waits for the last segments of the previous run');
  try {
    return await awaitSilence(ctx, streamId, {
      ...{ receptionOf: (runId) => runs.receptionOf(runId), untilStored: { signal, onWait } },
    });
  } finally {
    clearTimeout(timer);
    over.abort();
    await holding;
  }
}

function sentenceFor(ctx: Context, reason: RefusalReason): string {
  return ctx.translate('en', refusalMessageKey(reason));
}
