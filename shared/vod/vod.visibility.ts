import { isOwnerActive } from '../user/user.visibility.js';

/**
 * Who finds a published item (`docs/contract.md#choices-vod`). `public: false` is unlisted: it takes an item out of the
 * public search, and so does `vodPublic: false` of its publisher. Neither hides it: everybody who has the id reads, plays,
 * previews and pays it, and a bundle shows it. SQL conditions on the aliases `vod`, `box`, `content` and `owner`.
 */
export const vodVisibility = {
  /** Read, played and paid by id: its publisher is active. Also an item that has ended: playing it returns a message. */
  byId: isOwnerActive,
  /** Can be played at `$now`: everybody sees it in its bundle, and the public search shows it. */
  playable: `content.state = 'READY' AND coalesce(least(vod.expires_at, box.expires_at) > $now::timestamptz, true)`,
  /** Found by the public search, unless it has ended: the index stores when it ends, and the search compares that. */
  inSearch: `vod.public AND owner.vod_public AND ${isOwnerActive} AND content.state = 'READY'`,
} as const;
