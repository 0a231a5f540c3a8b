import type { Context } from '../platform/context.js';

/**
 * Generations of a content whose files are still needed after they were replaced, or after the content was deleted.
 * `shared/generationsInUse.ts` combines those of higher domains.
 */
export type RetainedGenerations = (ctx: Context, contentId: string) => Promise<readonly number[]>;
