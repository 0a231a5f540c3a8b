import type { Figure } from './figure.js';
import { accel } from './figures/accel.js';
import { castIdle } from './figures/castIdle.js';
import { castPlaylist, castPlaylistEngine } from './figures/castPlaylist.js';
import { castWindow } from './figures/castWindow.js';
import { drain } from './figures/drain.js';
import { quickFirstSegment, quickReady, quickReadyBeyond } from './figures/film.js';
import { ladderOfH264, ladderOfHevc, quickHevc } from './figures/ladder.js';
import { latencyInSegments, latencyWithParts } from './figures/liveLatency.js';
import { liveDelay, liveProcessorTime } from './figures/livePackaging.js';
import { livePlaylist } from './figures/livePlaylist.js';
import { outboxOnPostgres, outboxOnRedis } from './figures/outbox.js';
import { manyWorkers } from './figures/manyWorkers.js';
import { idleMemory, uploadMemory, workerMemory } from './figures/memory.js';
import { recording } from './figures/recording.js';
import { searchable } from './figures/searchable.js';
import { segment } from './figures/segment.js';
import { vodRead } from './figures/vodRead.js';
import { workers } from './figures/workers.js';

/** All figures, in the order of the bench table. */
export const figures: readonly Figure[] = [
  quickReady,
  quickReadyBeyond,
  quickFirstSegment,
  quickHevc,
  ladderOfH264,
  ladderOfHevc,
  workers,
  manyWorkers,
  uploadMemory,
  workerMemory,
  idleMemory,
  vodRead,
  segment,
  accel,
  liveProcessorTime,
  liveDelay,
  latencyWithParts,
  latencyInSegments,
  livePlaylist,
  recording,
  castPlaylist,
  castPlaylistEngine,
  castWindow,
  castIdle,
  outboxOnPostgres,
  outboxOnRedis,
  searchable,
  drain,
];
