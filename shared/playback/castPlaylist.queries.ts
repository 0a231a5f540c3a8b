import { LRUCache } from 'lru-cache';
import { publicCastChannel } from '../cast/channel.queries.js';
import { listedNow, type ListedNow } from '../cast/castTimeline.js';
import { castMediaPlaylist, type CastPlaylistForm, type SegmentAddress } from '../cast/playout/castPlaylist.js';
import type { Context } from '../platform/context.js';
import { nullWhereNotFound, UnavailableError } from '../platform/errors.js';
import { RefreshedCache } from '../platform/refreshedCache.js';
import { withTimeout } from '../platform/withTimeout.js';
import { writtenPlaylist, type WrittenPlaylist } from '../streaming/writtenPlaylist.js';
import { segmentAddress, type CountedCastChannel } from './castAddresses.js';
import { listedFiles, type ListedFiles } from './castSegments.js';

declare module '../platform/context.js' {
  interface Context {
    /** What this process has read and written for viewers of cast channels. */
    readonly castCaches: CastCaches;
  }
}

export interface CastCaches {
  readonly channels: RefreshedCache<CountedCastChannel>;
  readonly lists: LRUCache<string, ChannelLists>;
}

/** The playlists of a channel. */
interface ChannelLists {
  current: CurrentList;
  /** The newest one of each form and rendition. */
  readonly written: Map<string, WrittenList>;
}

interface WrittenList {
  readonly tick: number;
  readonly playlist: WrittenPlaylist;
  /** By the starts of the segments, for the next list. */
  readonly addresses: ReadonlyMap<number, SegmentAddress>;
}

/** What is listed until the next new segment. */
interface CurrentList extends ListedNow {
  readonly files: Promise<ListedFiles>;
  /** When its files are read again because that has failed, on the monotonic clock. */
  retryAtMs: number;
  isFailureLogged: boolean;
}

/** Viewers wait no longer than this for a new list while there is an older one. */
const waitMs = 2_000;
/** Files that could not be read are read again after this time. */
const pauseMs = 1_000;
const maximumChannels = 2_000;

export function createCastCaches(): CastCaches {
  return {
    channels: new RefreshedCache({ lifetimeMs: 5_000, maximum: maximumChannels }),
    lists: new LRUCache({ max: maximumChannels }),
  };
}

/** A channel that everybody may watch. Null: it is deleted, or its publisher is disabled. */
export async function playedCastChannel(ctx: Context, channelId: string): Promise<CountedCastChannel | null> {
  return ctx.castCaches.channels.get(channelId, async () => {
    const channel = await publicCastChannel(ctx, channelId).catch(nullWhereNotFound);
    return channel && { id: channel.id, publisherCode: channel.publisher.user.userCode };
  });
}

/**
 * The media playlist of a rendition: written once for each tick, for all viewers of this process, and with the same bytes in
 * every process. `rendition`: one of `castLadder`. Where the files of a new segment cannot be read, viewers get the list
 * before. Null: there is no such channel. Throws UnavailableError: nothing is listed yet.
 */
export async function castPlaylist(
  ctx: Context,
  channel: CountedCastChannel,
  rendition: string,
  form: CastPlaylistForm,
): Promise<WrittenPlaylist | null> {
  const now = await listedNow(ctx, channel.id);
  if (!now) return null;
  if (now.listed.length === 0)
    throw new UnavailableError({ key: 'error.unavailable', detail: `cast channel ${channel.id} lists nothing yet` });
  const { current, written } = listsOf(ctx, channel, now);
  const { tick, listed } = current;
  const name = `${form} ${rendition}`;
  const known = written.get(name);
  if (known?.tick === tick) return known.playlist;
  try {
    const files = await (known ? withTimeout(current.files, waitMs) : current.files);
    const addresses = new Map<number, SegmentAddress>();
    const text = castMediaPlaylist(listed, form, (segment) => {
      const { source, index, startsAt } = segment;
      const address =
        known?.addresses.get(startsAt) ?? segmentAddress(ctx, channel, form, segment, files(source, index, rendition));
      addresses.set(startsAt, address);
      return address;
    });
    const playlist = writtenPlaylist(text);
    // Another request may have written the next one already.
    if ((written.get(name)?.tick ?? -1) < tick) written.set(name, { tick, playlist, addresses });
    return playlist;
  } catch (error) {
    if (!known) throw error;
    if (!current.isFailureLogged)
      ctx.log.error({ err: error, channelId: channel.id }, 'cast playlist not written: viewers get the one before');
    current.isFailureLogged = true;
    return known.playlist;
  }
}

function listsOf(ctx: Context, { id }: CountedCastChannel, now: ListedNow): ChannelLists {
  const { lists } = ctx.castCaches;
  const known = lists.get(id);
  if (known?.current.tick === now.tick && performance.now() < known.current.retryAtMs) return known;
  const files = listedFiles(ctx, now.listed);
  const current: CurrentList = { ...now, files, retryAtMs: Number.POSITIVE_INFINITY, isFailureLogged: false };
  files.catch(() => {
    current.retryAtMs = performance.now() + pauseMs;
  });
  const changed = known ?? { current, written: new Map() };
  changed.current = current;
  if (!known) lists.set(id, changed);
  return changed;
}
