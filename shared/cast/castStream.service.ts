import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { ConflictError } from '../platform/errors.js';
import {
  createStreamItem,
  deleteStreamItem,
  lockStreamItem,
  updateStreamItem,
  type StreamItemInput,
  type StreamItemTable,
} from '../streaming/streamItem.service.js';
import { CastStream } from './cast.model.js';
import { ownStream, type CastStreamDetails, type OwnedStream } from './castStream.queries.js';

const streams: StreamItemTable = { kind: 'CAST_STREAM', model: CastStream, entity: 'castStream' };

/** Creates a stream; `docs/contract.md#cast`. Throws what `createStreamItem` throws. */
export async function createStream(ctx: Context, ownerId: string, input: StreamItemInput): Promise<CastStreamDetails> {
  return ctx.db.transaction(async (tx) => {
    const streamId = await createStreamItem(ctx, tx, streams, ownerId, input);
    return ownStream(ctx, { streamId, ownerId }, tx);
  });
}

/** Replaces the description of a stream. Throws what `updateStreamItem` throws. */
export async function updateStream(
  ctx: Context,
  { streamId, ownerId }: OwnedStream,
  input: StreamItemInput,
): Promise<CastStreamDetails> {
  return ctx.db.transaction(async (tx) => {
    const id = await updateStreamItem(ctx, tx, streams, { id: streamId, ownerId }, input);
    return ownStream(ctx, { streamId: id, ownerId }, tx);
  });
}

/**
 * Deletes a stream, ends what is published to it, and frees its path. Throws NotFoundError; ConflictError while a program
 * that is not over shows it.
 */
export async function deleteStream(ctx: Context, stream: OwnedStream): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const id = await lockStream(ctx, tx, stream);
    const [program] = await ctx.db.rows<{ title: string }>(
      'SELECT title FROM cast_programs WHERE stream_id = $id AND ends_at > $now ORDER BY starts_at LIMIT 1',
      { id, now: ctx.clock.now() },
      tx,
    );
    if (program) throw new ConflictError({ key: 'cast.streamInProgram', values: { title: program.title } });
    await deleteStreamItem(ctx, tx, streams, id);
  });
}

/** Locks a stream of this owner; resolves with its id in lower case. Throws NotFoundError. */
function lockStream(ctx: Context, tx: Transaction, { streamId, ownerId }: OwnedStream): Promise<string> {
  return lockStreamItem(ctx, tx, streams, { id: streamId, ownerId });
}
