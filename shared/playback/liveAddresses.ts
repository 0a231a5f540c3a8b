import type { CastPlaylistForm } from '../cast/playout/index.js';
import type { Context } from '../platform/context.js';
import { livePrefix, writeGrant, type Grant } from './grant.js';
import { hlsMimeType, type PlayResult, type PlaySource } from './playResult.js';
import { grantsOf, hlsResult, masterOf, type Grants, type ViewerSessionEnds } from './viewerSession.js';

/** A live stream that a viewer may play. */
export interface PlayableLiveStream {
  /** Id of the event or, for the test of its owner, of the channel: `shared/liveScopes.ts`. */
  readonly id: string;
  readonly streamPath: string;
  /** On whose license the bytes count. */
  readonly publisherCode: string;
}

/** A grant for an event ends this long after the event, so that the end of the stream is still delivered. */
const marginMs = 60_000;
/** How long a test of an encoder can be watched. */
const testSeconds = 4 * 3600;
/** The shared address of a test changes at most this often. */
const testStepSeconds = 10 * 60;

/** Addresses of an event in one form. They expire with its end: `docs/contract.md#choices-live`. */
export function eventAddresses(
  ctx: Context,
  scope: PlayableLiveStream,
  viewerCode: string | null,
  endsAt: Date,
  form: CastPlaylistForm = 'joined',
): PlayResult {
  const endSeconds = endSecondsOf(endsAt);
  return addressesOf(ctx, scope, viewerCode, { sharedSeconds: endSeconds, uniqueSeconds: endSeconds }, form);
}

/** Addresses of whatever is published to a channel, for its owner; valid for a few hours. */
export function testAddresses(ctx: Context, scope: PlayableLiveStream): PlayResult {
  const uniqueSeconds = Math.ceil(ctx.clock.now().getTime() / 1000) + testSeconds;
  const sharedSeconds = Math.ceil(uniqueSeconds / testStepSeconds) * testStepSeconds;
  return addressesOf(ctx, scope, scope.publisherCode, { sharedSeconds, uniqueSeconds }, 'joined');
}

/** `myPlayHlsUrl` and `playUrlExpireDate` of an event (`docs/contract.md#fields-live-event`), for its owner. */
export function ownerPlayAddress(
  ctx: Context,
  event: { readonly id: string; readonly endsAt: Date; readonly channel: { readonly streamPath: string } },
  ownerCode: string,
): { readonly url: string; readonly expiresAt: Date } {
  const scope = { id: event.id, streamPath: event.channel.streamPath, publisherCode: ownerCode };
  const { streamer } = eventAddresses(ctx, scope, ownerCode, event.endsAt);
  return { url: streamer, expiresAt: new Date(endSecondsOf(event.endsAt) * 1000) };
}

function endSecondsOf(endsAt: Date): number {
  return Math.ceil((endsAt.getTime() + marginMs) / 1000);
}

/** Addresses of this service or, where the deployment has a streaming server for viewers, of that one. */
function addressesOf(
  ctx: Context,
  { id, streamPath, publisherCode }: PlayableLiveStream,
  viewerCode: string | null,
  ends: ViewerSessionEnds,
  form: CastPlaylistForm,
): PlayResult {
  const { playbackUrl, rtmpPlaybackUrl } = ctx.config.live;
  const opened = { kind: 'live', prefix: livePrefix(id), viewerCode, publisherCode } as const;
  const grants = grantsOf(ctx, opened, ends, streamPath);
  const result =
    playbackUrl === null
      ? hlsResult(ctx, grants, masterOf[form])
      : externalResult(ctx, playbackUrl, streamPath, grants);
  if (rtmpPlaybackUrl === null) return result;
  return { ...result, srcs: [...result.srcs, rtmpSource(ctx, rtmpPlaybackUrl, streamPath, grants)] };
}

/** `file` is the path of the address. */
function externalResult(ctx: Context, template: string, streamPath: string, { shared, unique }: Grants): PlayResult {
  const [streamer, uniqueStreamer] = [shared, unique].map((grant) => filled(ctx, template, streamPath, grant));
  const source = { mimeType: hlsMimeType, streamer: streamer ?? '', uniqueStreamer: uniqueStreamer ?? '' };
  return { result: 'PLAY', srcs: [source], ...source, file: new URL(source.streamer).pathname.slice(1) };
}

/** RTMP players connect to `streamer` and play `file`, which is the rest of the address. */
function rtmpSource(ctx: Context, template: string, streamPath: string, { shared, unique }: Grants): PlaySource {
  const split = template.lastIndexOf('/');
  const [server, name] = [template.slice(0, split), template.slice(split + 1)];
  const fill = (text: string, grant: Grant): string => filled(ctx, text, streamPath, grant);
  return {
    mimeType: 'video/flash',
    streamer: fill(server, shared),
    uniqueStreamer: fill(server, unique),
    file: fill(name, shared),
  };
}

/** Neither a stream path nor a token has characters with a meaning in addresses. */
function filled(ctx: Context, template: string, streamPath: string, grant: Grant): string {
  const token = writeGrant(ctx.config.playback.keys, grant);
  return template.replaceAll('{streamPath}', streamPath).replaceAll('{token}', token);
}
