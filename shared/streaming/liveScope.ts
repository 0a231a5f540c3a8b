import type { Context } from '../platform/context.js';

/**
 * The segments that a grant of kind `live` opens: those of a stream that start at `from` or later and before `until`. Null:
 * no limit on that side. The scope's id is the id of the played item, such as a live event.
 */
export interface LiveScope {
  readonly streamId: string;
  readonly from: Date | null;
  readonly until: Date | null;
}

/** A time range of a stream. Segments that overlap it must not be removed yet. */
export interface RetainedWindow {
  readonly streamId: string;
  readonly from: Date;
  readonly until: Date;
}

/** Implemented by higher domains: the scopes of their items, and the segments that they still need. */
export interface LiveScopeSource {
  /** Null if the item does not exist or is deleted. */
  find(ctx: Context, scopeId: string): Promise<LiveScope | null>;
  retainedWindows(ctx: Context): Promise<readonly RetainedWindow[]>;
}

/** Combines several sources. Ids are unique across all kinds. */
export function composeLiveScopes(sources: readonly LiveScopeSource[]): LiveScopeSource {
  return {
    async find(ctx, scopeId) {
      for (const source of sources) {
        const scope = await source.find(ctx, scopeId);
        if (scope) return scope;
      }
      return null;
    },
    retainedWindows: async (ctx) => (await Promise.all(sources.map((source) => source.retainedWindows(ctx)))).flat(),
  };
}
