import type { Context } from '../platform/context.js';

/**
 * What a grant of kind `live` opens: the segments of a stream that start at `from` or later and before `until`. Null: no
 * limit on that side. Its id is the id of the item that is played, such as a live event.
 */
export interface LiveScope {
  readonly streamId: string;
  readonly from: Date | null;
  readonly until: Date | null;
}

/** A part of a stream whose segments must not be removed yet: those that overlap it. */
export interface RetainedWindow {
  readonly streamId: string;
  readonly from: Date;
  readonly until: Date;
}

/** What a domain above contributes: its items that are played from a stream, and what it still needs of the segments. */
export interface LiveScopeSource {
  /** Null where there is no such item, or where it is deleted. */
  find(ctx: Context, scopeId: string): Promise<LiveScope | null>;
  retainedWindows(ctx: Context): Promise<readonly RetainedWindow[]>;
}

/** Several sources as one. The ids of all kinds are unique. */
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
