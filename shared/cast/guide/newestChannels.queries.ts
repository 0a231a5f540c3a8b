import type { Context } from '../../platform/context.js';
import { isVisible } from '../visibility.js';
import type { CastChannel } from '../cast.model.js';

/** The most recently created channels of active publishers, newest first. */
export function newestChannels(ctx: Context, count: number): Promise<Pick<CastChannel, 'id' | 'name'>[]> {
  return ctx.db.rows(
    `SELECT channel.id, channel.name FROM cast_channels channel JOIN users owner ON owner.id = channel.owner_id
      WHERE ${isVisible} ORDER BY channel.created_at DESC, channel.id LIMIT $count::int`,
    { count },
  );
}
