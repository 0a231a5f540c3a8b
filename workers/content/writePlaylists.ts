import {
  masterPlaylist,
  mediaPlaylist,
  type MasterTracks,
  type PlaylistOptions,
} from '../../shared/content/playlists.js';
import { masterName, playlistName } from '../../shared/content/storageKeys.js';
import { allEnded } from '../../shared/platform/allEnded.js';
import type { Context } from '../../shared/platform/context.js';

const contentType = 'application/vnd.apple.mpegurl';

/** The playlists of a generation or of its preview. */
export interface PlaylistSet extends MasterTracks {
  readonly folder: string;
}

/**
 * Writes the playlist of each rendition and audio track, then the master playlist. Resolves with the bytes written. Idempotent: the
 * playlists depend only on the arguments.
 */
export async function writePlaylists(
  ctx: Context,
  { folder, ...tracks }: PlaylistSet,
  options?: PlaylistOptions,
  signal?: AbortSignal,
): Promise<number> {
  const kind = options ?? { state: 'complete' };
  const write = async (name: string, text: string): Promise<number> => {
    const put = { contentType, ...(signal ? { signal } : {}) };
    const { bytes } = await ctx.storage.put(`${folder}/${name}`, Buffer.from(text), put);
    return bytes;
  };
  const sizes = await allEnded(
    [...tracks.renditions, ...(tracks.audio ?? [])].map(({ name, segments }) =>
      write(playlistName(name, kind), mediaPlaylist(segments, options)),
    ),
  );
  sizes.push(await write(masterName(kind), masterPlaylist(tracks, kind)));
  return sizes.reduce((sum, bytes) => sum + bytes, 0);
}
