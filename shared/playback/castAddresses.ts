import { addressExpirySeconds, addressStep } from '../cast/addressStep.js';
import type { SegmentAddress } from '../cast/playout/castPlaylist.js';
import type { SegmentFile } from '../content/segmentFiles.js';
import type { Context } from '../platform/context.js';
import { sign } from '../platform/security/signing.js';
import { writeGrant } from './grant.js';

/** A channel on whose license the bytes count. */
export interface CountedChannel {
  readonly id: string;
  readonly publisherCode: string;
}

/** From the playlists of a channel, `/s/<grant>/cast/<channel>/`, up to `/s/`. */
const upToGrants = '../../../';

/**
 * The addresses of a listed segment that starts at `startsAt` (microseconds since 1970), relative to the playlist. Each opens
 * one file and nothing else. They are the same in every process, for all viewers of the channel, and whenever the list is
 * written: session and expiry belong to the ten minutes in which the segment starts.
 */
export function segmentAddress(
  { config }: Context,
  { id, publisherCode }: CountedChannel,
  { key, map }: SegmentFile,
  startsAt: number,
): SegmentAddress {
  const { keys } = config.playback;
  const step = addressStep(startsAt);
  const granted = {
    kind: 'file',
    sessionId: sign(keys, `cast session|v1|${id}|${step}`).value,
    viewerCode: null,
    publisherCode,
    expiresSeconds: addressExpirySeconds(step),
  } as const;
  const addressOf = (file: string): string => `${upToGrants}${writeGrant(keys, { ...granted, prefix: file })}/${file}`;
  return { uri: addressOf(key), map: addressOf(map) };
}
