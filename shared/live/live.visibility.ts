import { isOwnerActive } from '../user/user.visibility.js';

/**
 * Visibility of channels and events (`docs/contract.md#choices-live`). `public: false` means unlisted, the same as for
 * VOD items: public searches leave the item out, and anyone who has its id can read, play and pay for it. SQL
 * conditions on the aliases `channel`, `event` and `owner`.
 */
export const liveVisibility = {
  /** Visible by id: the publisher is active. */
  byId: isOwnerActive,
  /** Channels in the public search. */
  channelInSearch: `channel.public AND ${isOwnerActive}`,
  /** Events in the public search, which also compares their end (`event.index.ts`). */
  eventInSearch: `event.public AND channel.public AND ${isOwnerActive}`,
} as const;
