import type { CastPlaylistForm } from '../cast/playout/index.js';
import type { Context } from '../platform/context.js';
import { livePrefix, writeGrant, type Grant } from './grant.js';
import { hlsMimeType, type PlayResult, type PlaySource } from './playResult.js';
import { grantsOf, hlsResult, masterOf, type Grants, type ViewerSessionEnds } from './viewerSession.js';

/** A live stream that a viewer may play. */
export interface PlayableLiveStream {
  /** Id of the event, or of the channel if its owner tests the encoder: `shared/liveScopes.ts`. */
  readonly id: string;
  readonly streamPath: string;
  /** User code of the publisher, to whose band the bytes are added. */
  readonly publisherCode: string;
}

/** A grant for an event expires this long after its end, so that the end of the stream is delivered. */
const marginMs = 60_000;
/** Validity of the addresses of an encoder test. */
const testSeconds = 4 * 3600;
/** The shared address of a test changes at most this often. */
const testStepSeconds = 10 * 60;

/** Addresses of an event in one form. They expire after its end: `docs/contract.md#choices-live`. */
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

/** Addresses of a channel's publications for its owner, valid for four hours. */
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

/** Addresses of the deployment's streaming server for viewers, or of this service if there is none. */
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

/** Addresses of an external streaming server; `file` is their path. */
function externalResult(ctx: Context, template: string, streamPath: string, { shared, unique }: Grants): PlayResult {
  const [streamer, uniqueStreamer] = [shared, unique].map((grant) => filled(ctx, template, streamPath, grant));
  const source = { mimeType: hlsMimeType, streamer: streamer ?? '', uniqueStreamer: uniqueStreamer ?? '' };
  return { result: 'PLAY', srcs: [source], ...source, file: new URL(source.streamer).pathname.slice(1) };
}

/** RTMP players connect to `streamer` and play `file`, the last part of the address. */
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

/** Fills a template. Stream paths and tokens contain no characters that must be escaped in addresses. */
function filled(ctx: Context, template: string, streamPath: string, grant: Grant): string {
  const token = writeGrant(ctx.config.playback.keys, grant);
  return template.replaceAll('{streamPath}', streamPath).replaceAll('{token}', token);
}
