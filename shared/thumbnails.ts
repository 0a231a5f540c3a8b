import type { ThumbnailRegistry } from './content/thumbnailRemoval.service.js';
import { recordStoredBytes, takeStorage } from './license/usage.service.js';

/** The tables that refer to thumbnails (a test compares them with the models), and the quota for thumbnails. */
export const thumbnailRegistry: ThumbnailRegistry = {
  referringTables: [
    ...['users', 'contents', 'box_items', 'bundles', 'live_channels', 'live_events'],
    ...['cast_channels', 'cast_streams', 'cast_programs', 'cast_slates'],
  ],
  quota: {
    take: (ctx, tx, ownerId, bytes) => takeStorage(ctx, tx, ownerId, 'thumbnails', bytes),
    record: (ctx, tx, ownerId, deltaBytes) => recordStoredBytes(ctx, tx, ownerId, 'thumbnails', deltaBytes),
  },
};
