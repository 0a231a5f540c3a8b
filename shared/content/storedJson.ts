import type { Grid } from './chunkPlan.js';
import type { JsonMapping } from '../platform/database/model.js';
import type { ChunkResult } from './chunkResult.js';
import type { ContentPlan } from './plan.js';

/*
 * The JSON of `contents.plan`, `contents.ready_grid` and `chunks.result` as the releases have stored it.
 */

/**
 * A plan of an earlier release: its media begin at 1 s. A worker of such a release would begin the media of a new plan there
 * too. It finds no `rungs` in it, and gives the chunk back.
 */
type EarlierPlan = Omit<ContentPlan, 'renditions' | 'timelineStartSeconds'> & {
  readonly rungs: ContentPlan['renditions'];
};

const earlierTimelineStartSeconds = 1;

export const planMapping: JsonMapping<ContentPlan, ContentPlan | EarlierPlan> = {
  read: (stored) => {
    if (!('rungs' in stored)) return stored;
    const { rungs, ...plan } = stored;
    return { ...plan, renditions: rungs, timelineStartSeconds: earlierTimelineStartSeconds };
  },
  write: ({ timelineStartSeconds, renditions, ...plan }) =>
    timelineStartSeconds === earlierTimelineStartSeconds
      ? { ...plan, rungs: renditions }
      : { ...plan, renditions, timelineStartSeconds },
};

export type StoredGrid = Omit<Grid, 'timelineStartSeconds'> & { readonly timelineStartSeconds?: number | null };

/** A grid without the start of its timeline is of a plan of an earlier release. */
export const gridMapping: JsonMapping<Grid, StoredGrid> = {
  read: ({ timelineStartSeconds, ...grid }) => ({
    ...grid,
    timelineStartSeconds: timelineStartSeconds ?? earlierTimelineStartSeconds,
  }),
  write: (grid) => grid,
};

const gridMembers: readonly (keyof Grid)[] = [
  'frameRate',
  'framesPerSegment',
  'frameCount',
  'segmentsPerChunk',
  'segmentCount',
  'chunkCount',
  'timelineStartSeconds',
];
/** SQL: the grid of the newest generation, from its stored plan. */
export const gridOfPlan = `jsonb_build_object(${gridMembers.map((name) => `'${name}', plan -> '${name}'`).join(', ')})`;

/** As every release has stored it: the renditions are in a member named `rungs`. */
interface StoredChunkResult {
  readonly rungs: ChunkResult['renditions'];
}

export const chunkResultMapping: JsonMapping<ChunkResult, StoredChunkResult> = {
  read: ({ rungs }) => ({ renditions: rungs }),
  write: ({ renditions }) => ({ rungs: renditions }),
};
