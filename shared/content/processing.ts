import type { Content } from './content.model.js';

/*
 * A content is being processed while its newest generation is neither ready nor failed. This file contains the only
 * definitions: one for SQL, one for a row in memory.
 */

/** Condition on a row of `contents`. `contents` is the name or alias of the table in the statement. */
export function processing(contents = 'contents'): string {
  return (
    `${contents}.state <> 'DELETED' AND ${contents}.generation > ` +
    `greatest(coalesce(${contents}.ready_generation, 0), coalesce(${contents}.failed_generation, 0))`
  );
}

/** The same condition for a row in memory. */
export function isProcessing({ state, generation, readyGeneration, failedGeneration }: ContentGenerations): boolean {
  return state !== 'DELETED' && generation > Math.max(readyGeneration ?? 0, failedGeneration ?? 0);
}

type ContentGenerations = Pick<Content, 'state' | 'generation' | 'readyGeneration' | 'failedGeneration'>;
