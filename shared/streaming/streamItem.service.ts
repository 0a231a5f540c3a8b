import { randomUUID } from 'node:crypto';
import { describedChange, describedValues } from '../content/description.service.js';
import type { describedColumns, NamedInput } from '../content/describedItem.js';
import type { Context } from '../platform/context.js';
import type { OwnedItem, Transaction } from '../platform/database/database.js';
import type { Column, ModelDefinition } from '../platform/database/model.js';
import { claimPathOfName, claimStream, releaseStream, renamePath } from './streamPath.service.js';
import { LiveStream, type StreamKind } from './streaming.model.js';

/*
 * Common operations of live channels, cast channels and cast streams: a row with a name and description, and a row in
 * `live_streams` with the same id and the path. Their tables belong to higher domains, which pass them here.
 */

/** The columns of all such tables. */
type StreamItemColumns = Readonly<{
  id: Column<string>;
  ownerId: Column<string>;
  name: Column<string>;
  createdAt: Column<Date>;
  updatedAt: Column<Date>;
}> &
  typeof describedColumns;

/** The table of one kind of item. */
export interface StreamItemTable {
  readonly kind: StreamKind;
  readonly model: ModelDefinition<StreamItemColumns>;
  /** Entity for dirty marks of the search. */
  readonly entity: string;
}

/** The members of an item that its owner sets. */
export interface StreamItemInput extends NamedInput {
  /** Undefined: derived from the name. */
  readonly streamPath?: string | undefined;
}

/**
 * Creates an item and claims its path; resolves with its id. `more`: further columns of its table. Throws ConflictError if the
 * path is taken, ValidationError if the thumbnail does not belong to the owner.
 */
export async function createStreamItem(
  ctx: Context,
  tx: Transaction,
  { kind, model, entity }: StreamItemTable,
  ownerId: string,
  input: StreamItemInput,
  more: object = {},
): Promise<string> {
  const id = randomUUID();
  const now = ctx.clock.now();
  const described = await describedValues(ctx, tx, ownerId, input);
  const stream = { id, ownerId, kind };
  if (input.streamPath === undefined) await claimPathOfName(ctx, tx, { ...stream, name: input.name });
  else await claimStream(ctx, tx, { ...stream, path: input.streamPath });
  const row = { id, ownerId, name: input.name, ...described, createdAt: now, updatedAt: now, ...more };
  await ctx.db.model(model).create(row, { transaction: tx });
  await ctx.search.markDirty(tx, entity, id);
  return id;
}

/** Undefined members keep their values. */
export type StreamItemChange = Partial<StreamItemInput>;

/**
 * Changes the description or path of an item; resolves with its id in lower case. After a change of the path, encoders must
 * use the new one; an open publication continues. Throws NotFoundError, and the errors of `createStreamItem`.
 */
export async function updateStreamItem(
  ctx: Context,
  tx: Transaction,
  table: StreamItemTable,
  item: OwnedItem,
  input: StreamItemChange,
  more: object = {},
): Promise<string> {
  const id = await lockStreamItem(ctx, tx, table, item);
  const described = await describedChange(ctx, tx, item.ownerId, input);
  if (input.streamPath !== undefined) await renamePath(ctx, tx, { id, path: input.streamPath });
  const values = {
    name: input.name,
    ...described,
    updatedAt: ctx.clock.now(),
    ...more,
  };
  await ctx.db.model(table.model).update(values, { where: { id }, transaction: tx });
  await ctx.search.markDirty(tx, table.entity, id);
  return id;
}

/** Deletes an item that the caller has locked, ends its publication, and frees its path. */
export async function deleteStreamItem(
  ctx: Context,
  tx: Transaction,
  { model, entity }: StreamItemTable,
  id: string,
): Promise<void> {
  const deleted = await ctx.db.model(model).findByPk(id, { transaction: tx, rejectOnEmpty: true });
  const stream = await ctx.db.model(LiveStream).findByPk(id, { attributes: ['path'], transaction: tx });
  await ctx.db.model(model).destroy({ where: { id }, transaction: tx });
  await releaseStream(ctx, tx, id);
  const rows = { ...deleted, streamPath: stream?.path ?? '' };
  await ctx.events.recordDeleted(tx, deleted.ownerId, [{ streamId: id }], rows);
  await ctx.search.markDirty(tx, entity, id);
}

/**
 * Locks the row of an item, before all other locks of a change of the item; resolves with its id in lower case. Throws
 * NotFoundError, also if it belongs to another user.
 */
export async function lockStreamItem(
  ctx: Context,
  tx: Transaction,
  { model }: StreamItemTable,
  item: OwnedItem,
): Promise<string> {
  const { id } = await ctx.db.model(model).findOwn(item, { attributes: ['id'], transaction: tx, lock: 'UPDATE' });
  return id;
}
