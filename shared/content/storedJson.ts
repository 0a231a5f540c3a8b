import type { Grid } from './chunkPlan.js';
import type { JsonMapping } from '../platform/database/model.js';
import type { ChunkResult } from './chunkResult.js';
import type { ContentPlan } from './plan.js';

/*
 * The JSON of `contents.plan` and `chunks.result` as every release has stored it: the renditions are in a member named
 * `rungs`. Everywhere else in the code it is `renditions`.
 */

type StoredPlan = Omit<ContentPlan, 'renditions'> & { readonly rungs: ContentPlan['renditions'] };

interface StoredChunkResult {
  readonly rungs: ChunkResult['renditions'];
}

export const planMapping: JsonMapping<ContentPlan, StoredPlan> = {
  read: ({ rungs, ...plan }) => ({ ...plan, renditions: rungs }),
  write: ({ renditions, ...plan }) => ({ ...plan, rungs: renditions }),
};

export const chunkResultMapping: JsonMapping<ChunkResult, StoredChunkResult> = {
  read: ({ rungs }) => ({ renditions: rungs }),
  write: ({ renditions }) => ({ rungs: renditions }),
};

const gridMembers: readonly (keyof Grid)[] = [
  'frameRate',
  'framesPerSegment',
  'frameCount',
  'segmentsPerChunk',
  'segmentCount',
  'chunkCount',
];
/** SQL: the grid of the newest generation, from its stored plan. */
export const gridOfPlan = `jsonb_build_object(${gridMembers.map((name) => `'${name}', plan -> '${name}'`).join(', ')})`;
