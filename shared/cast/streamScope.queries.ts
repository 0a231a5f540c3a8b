import type { Context } from '../platform/context.js';
import { isUuid } from '../platform/formats/format.js';
import type { LiveScope, LiveScopeSource } from '../streaming/liveScope.js';
import { retainedCastWindows } from './retained.queries.js';
import { isVisible } from './visibility.js';

/**
 * What grants of cast streams open, listed in `shared/liveScopes.ts`: all that is published to the stream, for the test of
 * its owner, unless the owner is disabled. Viewers of a channel have grants of single files instead.
 */
export const castStreamScopes: LiveScopeSource = { find, retainedWindows: retainedCastWindows };

async function find(ctx: Context, scopeId: string): Promise<LiveScope | null> {
  if (!isUuid(scopeId)) return null;
  const [stream] = await ctx.db.rows<{ id: string }>(
    `SELECT stream.id FROM cast_streams stream JOIN users owner ON owner.id = stream.owner_id
      WHERE stream.id = $scopeId AND ${isVisible}`,
    { scopeId },
  );
  return stream ? { streamId: stream.id, from: null, until: null } : null;
}
