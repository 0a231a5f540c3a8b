import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { NotFoundError } from '../platform/errors.js';
import type { CastStream } from './cast.model.js';

/** A cast stream as its owner sees it; `docs/contract.md#fields-cast-stream`. */
export interface CastStreamDetails extends Pick<
  CastStream,
  'id' | 'ownerId' | 'name' | 'description' | 'thumbnailId' | 'tags'
> {
  readonly streamPath: string;
}

/** A stream and the user who must own it. */
export interface OwnedStream {
  readonly streamId: string;
  readonly ownerId: string;
}

/** A stream of this owner. Throws NotFoundError if it does not exist or belongs to another user. */
export async function ownStream(
  ctx: Context,
  { streamId, ownerId }: OwnedStream,
  tx?: Transaction,
): Promise<CastStreamDetails> {
  const stream = (await ownStreams(ctx, ownerId, [streamId], tx)).get(streamId);
  if (!stream) throw new NotFoundError();
  return stream;
}

/** The streams with these ids that belong to this owner, by id. */
export async function ownStreams(
  ctx: Context,
  ownerId: string,
  ids: readonly string[],
  tx?: Transaction,
): Promise<Map<string, CastStreamDetails>> {
  const rows = await ctx.db.rows<CastStreamDetails>(
    `SELECT item.id, item.owner_id, item.name, item.description, item.thumbnail_id, item.tags, stream.path AS stream_path
       FROM cast_streams item JOIN live_streams stream ON stream.id = item.id
      WHERE item.id = ANY ($ids::uuid[]) AND item.owner_id = $ownerId`,
    { ids, ownerId },
    tx,
  );
  return new Map(rows.map((row) => [row.id, row]));
}
