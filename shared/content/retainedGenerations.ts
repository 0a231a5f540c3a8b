import type { Context } from '../platform/context.js';

/**
 * Generations of a content whose files are still needed although they play no more, or although the content is deleted.
 * What domains above contribute: `shared/generationsInUse.ts`.
 */
export type RetainedGenerations = (ctx: Context, contentId: string) => Promise<readonly number[]>;
