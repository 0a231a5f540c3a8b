import type { Figure } from './figure.js';
import { allRenditionsFigure } from './figures/allRenditions.js';
import { arrivingReadyFigure, arrivingSegmentFigure, uploadRateFigure } from './figures/arrivingUpload.js';
import { quickReadyFigure } from './figures/quickReady.js';
import { idleMemoryFigure } from './figures/idleMemory.js';
import { jobStartFigure } from './figures/jobStart.js';
import { liveCommitsFigure } from './figures/liveCommits.js';
import { liveLatencyFigure } from './figures/liveLatency.js';
import { livePackagingFigure } from './figures/livePackaging.js';
import { livePlaylistFigure } from './figures/livePlaylistRate.js';
import { pageStartFigure } from './figures/pageStart.js';
import { searchableFigure } from './figures/searchable.js';
import { segmentTimeFigure } from './figures/segmentTime.js';
import { vodReadFigure } from './figures/vodReads.js';

/** All figures, in the order of the bench table. */
export const figures: readonly Figure[] = [
  uploadRateFigure,
  arrivingSegmentFigure,
  arrivingReadyFigure,
  quickReadyFigure,
  allRenditionsFigure,
  pageStartFigure,
  segmentTimeFigure,
  livePackagingFigure,
  liveLatencyFigure,
  livePlaylistFigure,
  liveCommitsFigure,
  searchableFigure,
  vodReadFigure,
  jobStartFigure,
  idleMemoryFigure,
];
