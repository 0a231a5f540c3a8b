import { randomUUID } from 'node:crypto';
import { describedChange, describedValues } from '../content/description.service.js';
import type { describedColumns, NamedInput } from '../content/describedItem.js';
import type { Context } from '../platform/context.js';
import type { OwnedItem, Transaction } from '../platform/database/database.js';
import type { Column, ModelDefinition } from '../platform/database/model.js';
import { claimPathOfName, claimStream, releaseStream, renamePath } from './streamPath.service.js';
import { LiveStream, type StreamKind } from './streaming.model.js';

/*
 * What live channels, cast channels and cast streams have in common: a row that an owner names and describes, with the id
 * of its stream, which has its path. Their tables belong to the domains above, which pass them here.
 */

/** The columns that every such table has. */
type StreamItemColumns = Readonly<{
  id: Column<string>;
  ownerId: Column<string>;
  name: Column<string>;
  createdAt: Column<Date>;
  updatedAt: Column<Date>;
}> &
  typeof describedColumns;

/** Where the items of a kind are stored. */
export interface StreamItemTable {
  readonly kind: StreamKind;
  readonly model: ModelDefinition<StreamItemColumns>;
  /** Entity that is marked in the search. */
  readonly entity: string;
}

/** The members of an item that its owner sets. */
export interface StreamItemInput extends NamedInput {
  /** Undefined: made from the name. */
  readonly streamPath?: string | undefined;
}

/**
 * Creates an item and claims its path; resolves with its id. `more`: columns of its table alone. Throws ConflictError where
 * the path is taken, ValidationError if the thumbnail is not the owner's.
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

/** Members that are undefined stay. */
export type StreamItemChange = Partial<StreamItemInput>;

/**
 * Changes the description of an item; resolves with its id in lower case. With another path, encoders must use that one
 * from now on; a publication that is open continues. Throws NotFoundError, and what `createStreamItem` throws.
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

/** Deletes an item that the caller has locked, ends what is published to it, and frees its path. */
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
 * Locks the row of an item, before everything that a change of the item locks; resolves with its id in lower case. Throws
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
