import type { CastPlaylistForm, ListedCastSegment, SegmentAddress } from '../cast/playout/index.js';
import type { Context } from '../platform/context.js';
import { sign } from '../platform/security/signing.js';
import type { CastTrack, ListedFile } from './castSegments.js';
import { writeEdgeToken } from './edgeToken.js';
import { writeGrant, type GrantKind } from './grant.js';
import { trackMapPath, trackSegmentPath } from './tracks/trackPath.js';

const stepSeconds = 10 * 60;
/**
 * An address is valid for this long after the end of its step, because players may keep the addresses of a playlist. The files of
 * aired segments are kept for longer than step and margin together (`airingRetentionSeconds`).
 */
const marginSeconds = 20 * 60;

/** A channel, with the publisher whose band its bytes are added to. */
export interface CountedCastChannel {
  readonly id: string;
  readonly publisherCode: string;
}

/**
 * Relative path from a channel's playlists, `/s/<grant>/cast/<channel>/` or `/e/<token>/…`, to `/s/` or `/e/`. Continuous playlists
 * are one level deeper.
 */
const upToGrants: Readonly<Record<CastPlaylistForm, string>> = { joined: '../../../', continuous: '../../../../' };

/** A listed segment, and the form and track kind of its playlist. */
export interface AddressedSegment {
  readonly form: CastPlaylistForm;
  readonly kind: CastTrack['kind'];
  readonly segment: ListedCastSegment;
}

/**
 * The addresses of a listed segment, relative to the playlist. Each opens only one track of one file at one time. They are the same
 * in every process, for all viewers of the channel, and in every playlist: session and expiry depend only on the ten minutes in
 * which the segment starts. In the joined form, a track in a separate file is sent as stored.
 */
export function segmentAddress(
  ctx: Context,
  channel: CountedCastChannel,
  { form, kind, segment }: AddressedSegment,
  file: ListedFile,
): SegmentAddress {
  const addressOf = (grant: GrantKind, path: string): string =>
    castFileAddress(ctx, channel, { form, kind: grant, path }, segment);
  if (form === 'joined' && !file.isMuxed) return { uri: addressOf('file', file.key), map: addressOf('file', file.map) };
  const time = form === 'joined' ? null : { ...segment, videoStartsAt: file.videoStartsAt };
  return {
    uri: addressOf('track', trackSegmentPath(kind, time, file)),
    map: addressOf('track', trackMapPath(kind, form === 'joined' ? 'own' : 'channel', file)),
  };
}

/** Like `segmentAddress`, for the captions of a segment, which are the same in both forms. */
export function captionAddress(
  ctx: Context,
  channel: CountedCastChannel,
  form: CastPlaylistForm,
  segment: ListedCastSegment,
  path: string,
): SegmentAddress {
  return { uri: castFileAddress(ctx, channel, { form, kind: 'file', path }, segment), map: '' };
}

function castFileAddress(
  { config }: Context,
  { id, publisherCode }: CountedCastChannel,
  { form, kind, path }: { readonly form: CastPlaylistForm; readonly kind: GrantKind; readonly path: string },
  { startsAt }: Pick<ListedCastSegment, 'startsAt'>,
): string {
  const { keys, delivery, edge } = config.playback;
  const step = Math.floor(startsAt / (stepSeconds * 1e6));
  const granted = {
    ...{ kind, viewerCode: null, publisherCode, prefix: path },
    sessionId: sign(keys, `cast session|v1|${id}|${step}`).value,
    expiresSeconds: (step + 1) * stepSeconds + marginSeconds,
  };
  const opened = delivery === 'edge' ? writeEdgeToken(edge.keys, granted) : writeGrant(keys, granted);
  return `${upToGrants[form]}${opened}/${path}`;
}
