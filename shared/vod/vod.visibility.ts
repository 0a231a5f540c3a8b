import { isOwnerActive } from '../user/user.visibility.js';

/**
 * Visibility of a published item (`docs/contract.md#choices-vod`). `public: false` (unlisted) removes an item from the public
 * search, as does `vodPublic: false` of its publisher. Neither hides it: everybody who has the id can read, play, preview and buy
 * it, and a bundle shows it. SQL conditions on the aliases `vod`, `box`, `content` and `owner`.
 */
export const vodVisibility = {
  /**
   * Can be read, played and bought by id: its publisher is active. Includes items that have ended: playing them returns a message.
   */
  byId: isOwnerActive,
  /** Can be played at `$now`: its bundle shows it to everybody. */
  playable: `content.state = 'READY' AND coalesce(least(vod.expires_at, box.expires_at) > $now::timestamptz, true)`,
  /** Can be found by the public search, unless it has ended: the index stores its end, and the search compares it with the time. */
  inSearch: `vod.public AND owner.vod_public AND ${isOwnerActive} AND content.state = 'READY'`,
} as const;
