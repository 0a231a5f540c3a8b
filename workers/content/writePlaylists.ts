import type { FrameRate } from '../../shared/media/frameRate.js';
import {
  masterPlaylist,
  mediaPlaylist,
  type PlaylistOptions,
  type PlaylistRendition,
} from '../../shared/content/playlists.js';
import { masterName, playlistName } from '../../shared/content/storageKeys.js';
import type { Context } from '../../shared/platform/context.js';

const contentType = 'application/vnd.apple.mpegurl';

/** The lists of a generation or of its preview. */
export interface PlaylistSet {
  readonly folder: string;
  readonly renditions: readonly PlaylistRendition[];
  readonly frameRate: FrameRate;
}

/**
 * Writes the playlist of each rendition, then the master playlist. Resolves with the bytes written. Idempotent: the lists depend
 * only on what is given.
 */
export async function writePlaylists(
  ctx: Context,
  { folder, renditions, frameRate }: PlaylistSet,
  options?: PlaylistOptions,
  signal?: AbortSignal,
): Promise<number> {
  const kind = options ?? { state: 'complete' };
  const write = async (name: string, text: string): Promise<number> => {
    const put = { contentType, ...(signal ? { signal } : {}) };
    const { bytes } = await ctx.storage.put(`${folder}/${name}`, Buffer.from(text), put);
    return bytes;
  };
  const sizes = await Promise.all(
    renditions.map(({ name, segments }) => write(playlistName(name, kind), mediaPlaylist(segments, options))),
  );
  sizes.push(await write(masterName(kind), masterPlaylist(renditions, frameRate, kind)));
  return sizes.reduce((sum, bytes) => sum + bytes, 0);
}
