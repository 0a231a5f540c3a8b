import type { Figure } from './figure.js';
import { accelFigure } from './figures/accel.js';
import { castIdleFigure } from './figures/castIdle.js';
import { castPlaylistFigure, castPlaylistEngineFigure } from './figures/castPlaylist.js';
import { castWindowFigure } from './figures/castWindow.js';
import { drainFigure } from './figures/drain.js';
import { quickFirstSegmentFigure, quickReadyFigure, quickReadyBeyondFigure } from './figures/film.js';
import { jobsExecutedFigure, jobStartFigure } from './figures/jobs.js';
import {
  hevcFirstSegmentFigure,
  ladderOfCopyFigure,
  ladderOfH264Figure,
  ladderOfHevcFigure,
  quickHevcFigure,
} from './figures/ladder.js';
import { latencyInSegmentsFigure, latencyWithPartsFigure } from './figures/liveLatency.js';
import { liveDelayFigure, liveProcessorTimeFigure } from './figures/livePackaging.js';
import { livePlaylistFigure } from './figures/livePlaylist.js';
import { liveRowsFigure } from './figures/liveRows.js';
import { liveSweepFigure } from './figures/liveSweep.js';
import { outboxOnPostgresFigure, outboxOnRedisFigure } from './figures/outbox.js';
import { manyWorkersFigure } from './figures/manyWorkers.js';
import { idleMemoryFigure, uploadMemoryFigure, workerMemoryFigure } from './figures/memory.js';
import { pageStartFigure } from './figures/pageStart.js';
import { recordingFigure } from './figures/recording.js';
import { searchableFigure } from './figures/searchable.js';
import { directFigure } from './figures/direct.js';
import { edgeCastPlaylistFigure, edgeLivePlaylistFigure, edgeSegmentFigure } from './figures/edge.js';
import { segmentFigure } from './figures/segment.js';
import {
  arrivingReadyFigure,
  arrivingSegmentFigure,
  firstByteToReadyFigure,
  formUploadFigure,
  manyUploadsFigure,
  slowStoreUploadFigure,
  tusUploadFigure,
} from './figures/upload.js';
import { vodReadFigure } from './figures/vodRead.js';
import { vodTracedFigure } from './figures/vodTraced.js';
import { workersFigure } from './figures/workers.js';

/** All figures, in the order of the bench table. */
export const figures: readonly Figure[] = [
  quickReadyFigure,
  quickReadyBeyondFigure,
  quickFirstSegmentFigure,
  formUploadFigure,
  tusUploadFigure,
  slowStoreUploadFigure,
  manyUploadsFigure,
  arrivingSegmentFigure,
  arrivingReadyFigure,
  firstByteToReadyFigure,
  quickHevcFigure,
  hevcFirstSegmentFigure,
  ladderOfH264Figure,
  ladderOfCopyFigure,
  ladderOfHevcFigure,
  workersFigure,
  manyWorkersFigure,
  uploadMemoryFigure,
  workerMemoryFigure,
  idleMemoryFigure,
  pageStartFigure,
  vodReadFigure,
  vodTracedFigure,
  segmentFigure,
  directFigure,
  accelFigure,
  edgeSegmentFigure,
  edgeLivePlaylistFigure,
  edgeCastPlaylistFigure,
  liveProcessorTimeFigure,
  liveDelayFigure,
  latencyWithPartsFigure,
  latencyInSegmentsFigure,
  livePlaylistFigure,
  liveRowsFigure,
  liveSweepFigure,
  recordingFigure,
  castPlaylistFigure,
  castPlaylistEngineFigure,
  castWindowFigure,
  castIdleFigure,
  outboxOnPostgresFigure,
  outboxOnRedisFigure,
  jobsExecutedFigure,
  jobStartFigure,
  searchableFigure,
  drainFigure,
];
