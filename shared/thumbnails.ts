import type { ThumbnailRegistry } from './content/thumbnailRemoval.service.js';
import { recordStoredBytes, takeStorage } from './license/usage.service.js';
import { models } from './models.js';

/** The tables that refer to thumbnails, and the quota that thumbnails count on. */
export const thumbnailRegistry: ThumbnailRegistry = {
  referringTables: models.filter(({ columns }) => 'thumbnailId' in columns).map(({ tableName }) => tableName),
  quota: {
    take: (ctx, tx, ownerId, bytes) => takeStorage(ctx, tx, ownerId, 'thumbnails', bytes),
    record: (ctx, tx, ownerId, deltaBytes) => recordStoredBytes(ctx, tx, ownerId, 'thumbnails', deltaBytes),
  },
};
