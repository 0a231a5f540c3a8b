import { publicCastChannel } from '../cast/castChannel.queries.js';
import { listedNow, type ListedNow } from '../cast/castTimeline.js';
import {
  castMediaPlaylist,
  type CastPlaylistForm,
  type ListedAiring,
  type ListedCastSegment,
  type SegmentAddress,
} from '../cast/playout/index.js';
import type { Context } from '../platform/context.js';
import { contextPart } from '../platform/contextParts.js';
import { nullWhereNotFound, UnavailableError } from '../platform/errors.js';
import { RefreshedCache } from '../platform/refreshedCache.js';
import { writtenPlaylist, type WrittenPlaylist } from '../streaming/writtenPlaylist.js';
import { castCaptionKeys } from './captions/castCaptions.queries.js';
import { castCaptionsName, noCaptionsKey } from './captions/captionPath.js';
import { captionAddress, segmentAddress, type CountedCastChannel } from './castAddresses.js';
import { castTrackName } from './castMaster.js';
import { listedFiles, type CastTrack } from './castSegments.js';

interface CastCaches {
  readonly channels: RefreshedCache<CountedCastChannel>;
  readonly lists: RefreshedCache<WrittenList>;
}

/** The newest playlist of a channel in one form and rendition. */
interface WrittenList {
  readonly tick: number;
  readonly playlist: WrittenPlaylist;
  /** Addresses by segment start, reused in the next playlist. */
  readonly addresses: ReadonlyMap<number, SegmentAddress>;
}

const maxChannels = 2_000;
/** Playlists per channel: five renditions and some languages, in two forms. */
const listsOfChannel = 20;

/** Cached channels and playlists of cast channels. */
export const castCaches = contextPart((): CastCaches => ({
  channels: new RefreshedCache({ lifetimeMs: 5_000, maxEntries: maxChannels }),
  // A new playlist is written for each tick. If its files cannot be read, the next attempt follows after a second.
  lists: new RefreshedCache({ lifetimeMs: 1_000, maxEntries: maxChannels * listsOfChannel }),
}));

/** A visible channel. Null: it is deleted, or its publisher is disabled. */
export async function playedCastChannel(ctx: Context, channelId: string): Promise<CountedCastChannel | null> {
  return castCaches(ctx).channels.get(channelId, async () => {
    const channel = await publicCastChannel(ctx, channelId).catch(nullWhereNotFound);
    return channel && { id: channel.id, publisherCode: channel.publisher.user.userCode };
  });
}

/** Prepares the addresses of the currently listed segments. */
type FindAddresses = (listed: readonly ListedAiring[]) => Promise<(segment: ListedCastSegment) => SegmentAddress>;

/**
 * The media playlist of a track, written once per tick for all viewers of this process. Every process writes the same bytes. If
 * the files of a new segment cannot be read, viewers get the previous playlist. Null: there is no such channel. Throws
 * UnavailableError while nothing is listed.
 */
export function castPlaylist(
  ctx: Context,
  channel: CountedCastChannel,
  track: CastTrack,
  form: CastPlaylistForm,
): Promise<WrittenPlaylist | null> {
  return currentList(ctx, channel, { name: castTrackName(track), form }, async (listed) => {
    const files = await listedFiles(ctx, listed);
    return (segment) =>
      segmentAddress(ctx, channel, { form, kind: track.kind, segment }, files(segment.source, segment.index, track));
  });
}

/**
 * The caption playlist in a language: one part per segment, empty if the segment has no captions. `language` null: all parts are
 * empty.
 */
export function castCaptionPlaylist(
  ctx: Context,
  channel: CountedCastChannel,
  language: string | null,
  form: CastPlaylistForm,
): Promise<WrittenPlaylist | null> {
  return currentList(ctx, channel, { name: castCaptionsName(language ?? ''), form }, async (listed) => {
    const keys = language === null ? () => null : await castCaptionKeys(ctx, listed, { language, form });
    return (segment) => captionAddress(ctx, channel, form, segment, keys(segment) ?? noCaptionsKey(channel.id));
  });
}

async function currentList(
  ctx: Context,
  channel: CountedCastChannel,
  { name, form }: { readonly name: string; readonly form: CastPlaylistForm },
  find: FindAddresses,
): Promise<WrittenPlaylist | null> {
  const now = await listedNow(ctx, channel.id);
  if (!now) return null;
  if (now.listed.length === 0)
    throw new UnavailableError({ key: 'error.unavailable', detail: `cast channel ${channel.id} lists nothing yet` });
  const list = await castCaches(ctx).lists.get(
    `${channel.id} ${form} ${name}`,
    async (before) => {
      try {
        return await writeList({ ...now, form, before, find });
      } catch (error) {
        if (before)
          ctx.log.error(
            { err: error, channelId: channel.id },
            'cast playlist not written: viewers get the previous one',
          );
        throw error;
      }
    },
    ({ tick }) => tick < now.tick,
  );
  return list?.playlist ?? null;
}

async function writeList({
  tick,
  listed,
  form,
  before,
  find,
}: ListedNow & {
  readonly form: CastPlaylistForm;
  readonly before: WrittenList | null;
  readonly find: FindAddresses;
}): Promise<WrittenList> {
  const addressOf = await find(listed);
  const addresses = new Map<number, SegmentAddress>();
  const text = castMediaPlaylist(listed, form, (segment) => {
    const address = before?.addresses.get(segment.startsAt) ?? addressOf(segment);
    addresses.set(segment.startsAt, address);
    return address;
  });
  return { tick, playlist: writtenPlaylist(text), addresses };
}
