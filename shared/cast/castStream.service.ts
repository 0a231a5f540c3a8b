import type { Context } from '../platform/context.js';
import {
  createStreamItem,
  deleteStreamItem,
  lockStreamItem,
  updateStreamItem,
  type StreamItemChange,
  type StreamItemInput,
  type StreamItemTable,
} from '../streaming/streamItem.service.js';
import { CastStream } from './cast.model.js';
import { ownStream, type CastStreamDetails, type OwnedStream } from './castStream.queries.js';
import { assertStreamNotProgrammed } from './programming/program.queries.js';

const streams: StreamItemTable = { kind: 'CAST_STREAM', model: CastStream, entity: 'castStream' };

/** Creates a stream; `docs/contract.md#cast`. Throws the errors of `createStreamItem`. */
export async function createStream(ctx: Context, ownerId: string, input: StreamItemInput): Promise<CastStreamDetails> {
  return ctx.db.transaction(async (tx) => {
    const streamId = await createStreamItem(ctx, tx, streams, ownerId, input);
    return ownStream(ctx, { streamId, ownerId }, tx);
  });
}

/** Changes the description of a stream. Throws the errors of `updateStreamItem`. */
export async function updateStream(
  ctx: Context,
  { streamId, ownerId }: OwnedStream,
  input: StreamItemChange,
): Promise<CastStreamDetails> {
  return ctx.db.transaction(async (tx) => {
    const id = await updateStreamItem(ctx, tx, streams, { id: streamId, ownerId }, input);
    return ownStream(ctx, { streamId: id, ownerId }, tx);
  });
}

/**
 * Deletes a stream, ends its publications, and frees its path. Throws NotFoundError; ConflictError while a current or coming
 * program shows it.
 */
export async function deleteStream(ctx: Context, { streamId, ownerId }: OwnedStream): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const id = await lockStreamItem(ctx, tx, streams, { id: streamId, ownerId });
    await assertStreamNotProgrammed(ctx, tx, id);
    await deleteStreamItem(ctx, tx, streams, id);
  });
}
