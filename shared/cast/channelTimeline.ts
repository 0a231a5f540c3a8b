import type { Context } from '../platform/context.js';
import type { ListedPart } from './playout/castPlaylist.js';

/** What a channel lists now. */
export interface ListedNow {
  readonly listed: readonly ListedPart[];
  /** Number of the segment after the newest one: the same tick has the same list in every process. */
  readonly tick: number;
}

/**
 * What the playlists of a channel list now. The rows are read once for all viewers of this process, ahead of what is shown; where
 * too little is decided, this decides more. Null: there is no such channel. Between two new segments it returns the same
 * object, so a text that was made of it can be kept with it.
 */
export async function listedNow(_ctx: Context, _channelId: string): Promise<ListedNow | null> {
  throw new Error('not built');
}
