import { Thumbnail } from '../../shared/content/thumbnail.model.js';
import type { Context } from '../../shared/platform/context.js';
import type { Transaction } from '../../shared/platform/database/database.js';
import type { ModelDefinition, RowOf } from '../../shared/platform/database/model.js';
import { randomUUID } from 'node:crypto';

/** Column values; a list matches any of its values. */
type Having<Definition> = {
  readonly [Name in keyof RowOf<Definition>]?: RowOf<Definition>[Name] | readonly RowOf<Definition>[Name][];
};

/** Columns of any table: the functions below have the types of their table. */
interface AnyRows {
  findAll(options: { where: object }): Promise<unknown[]>;
  update(values: object, options: { where: object; transaction: Transaction | undefined }): Promise<number>;
  destroy(options: { where: object; transaction: Transaction | undefined }): Promise<number>;
}

function rowsOf(ctx: Context, definition: ModelDefinition): AnyRows {
  return ctx.db.model(definition);
}

/** The rows of a table with these values, for state that no operation returns. A removed column does not compile. */
export async function storedRows<Definition extends ModelDefinition>(
  ctx: Context,
  definition: Definition,
  having: Having<Definition> = {},
): Promise<RowOf<Definition>[]> {
  return (await rowsOf(ctx, definition).findAll({ where: having })) as RowOf<Definition>[];
}

/** Changes rows without an operation. Resolves with their number. */
export function changeRows<Definition extends ModelDefinition>(
  ctx: Context,
  definition: Definition,
  having: Having<Definition>,
  values: Partial<RowOf<Definition>>,
  transaction?: Transaction,
): Promise<number> {
  return rowsOf(ctx, definition).update(values, { where: having, transaction });
}

/** Changes one row, which must exist. */
export async function changeRow<Definition extends ModelDefinition>(
  ctx: Context,
  definition: Definition,
  id: string | number,
  values: Partial<RowOf<Definition>>,
  transaction?: Transaction,
): Promise<void> {
  const changed = await changeRows(ctx, definition as ModelDefinition, { id }, values, transaction);
  if (changed !== 1) throw new Error(`${definition.tableName} has no row ${id}`);
}

/** Removes rows without an operation. Resolves with their number. */
export function removeRows<Definition extends ModelDefinition>(
  ctx: Context,
  definition: Definition,
  having: Having<Definition> = {},
  transaction?: Transaction,
): Promise<number> {
  return rowsOf(ctx, definition).destroy({ where: having, transaction });
}

/** Inserts the row of a thumbnail, without a file. */
export async function makeThumbnail(ctx: Context, ownerId: string, size = { width: 1, height: 1 }): Promise<string> {
  const id = randomUUID();
  const file = { storageKey: `thumbnails/${id}/original`, mimeType: 'image/png', bytes: 10 };
  await ctx.db.model(Thumbnail).create({ id, ownerId, ...file, ...size, createdAt: ctx.clock.now() });
  return id;
}
