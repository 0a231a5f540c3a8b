import type { Figure } from './figure.js';
import { castIdle } from './figures/castIdle.js';
import { castPlaylist, castPlaylistEngine } from './figures/castPlaylist.js';
import { castWindow } from './figures/castWindow.js';
import { drain } from './figures/drain.js';
import { latencyInSegments, latencyWithParts } from './figures/liveLatency.js';
import { liveDelay, liveProcessorTime } from './figures/livePackaging.js';
import { livePlaylist } from './figures/livePlaylist.js';
import { outboxOnPostgres, outboxOnRedis } from './figures/outbox.js';
import { searchable } from './figures/searchable.js';
import { segment } from './figures/segment.js';
import { transcode, workers } from './figures/transcode.js';
import { vodRead } from './figures/vodRead.js';

/** All figures, in the order of the bench table. */
export const figures: readonly Figure[] = [
  transcode,
  workers,
  vodRead,
  segment,
  liveProcessorTime,
  liveDelay,
  latencyWithParts,
  latencyInSegments,
  livePlaylist,
  castPlaylist,
  castPlaylistEngine,
  castWindow,
  castIdle,
  outboxOnPostgres,
  outboxOnRedis,
  searchable,
  drain,
];
