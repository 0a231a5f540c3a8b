import type { Context } from '../platform/context.js';

/**
 * Generations of a content whose files are still needed after they were replaced, or after the content was deleted.
 * `shared/generationsInUse.ts` combines the generations that higher domains use.
 */
export type RetainedGenerations = (ctx: Context, contentId: string) => Promise<readonly number[]>;
