import { isOwnerActive } from '../user/user.visibility.js';

/**
 * Who finds a channel or an event (`docs/contract.md#choices-live`). `public: false` is unlisted, as for VOD items: it is
 * left out of the public searches, and everybody who has the id reads, plays and pays. SQL conditions on the aliases
 * `channel`, `event` and `owner`.
 */
export const liveVisibility = {
  /** Read, played and paid by id: the publisher is active. */
  byId: isOwnerActive,
  /** A channel in the public search. */
  channelInSearch: `channel.public AND ${isOwnerActive}`,
  /** An event in the public search. The search compares its end: see `event.index.ts`. */
  eventInSearch: `event.public AND channel.public AND ${isOwnerActive}`,
} as const;
