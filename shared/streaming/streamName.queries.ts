import type { Context } from '../platform/context.js';
import { orNotFound } from '../platform/errors.js';
import type { StreamKind } from './streaming.model.js';

/** The item that a stream path belongs to. */
export interface NamedStream {
  /** Also the id of the channel or cast stream. */
  readonly id: string;
  readonly kind: StreamKind;
  readonly ownerCode: string;
}

/**
 * The stream with this path, case-sensitive, optionally only of certain kinds. Throws NotFoundError, also if its owner is
 * disabled.
 */
export async function streamNamed(
  ctx: Context,
  path: string,
  kinds: readonly StreamKind[] = ['LIVE_CHANNEL', 'CAST_CHANNEL', 'CAST_STREAM'],
): Promise<NamedStream> {
  const [stream] = await ctx.db.rows<NamedStream>(
    `SELECT s.id, s.kind, u.user_code AS owner_code
       FROM live_streams s JOIN users u ON u.id = s.owner_id AND u.state = 'ACTIVE'
      WHERE s.path = $path AND s.kind = ANY($kinds::text[])`,
    { path, kinds },
  );
  return orNotFound(stream);
}
