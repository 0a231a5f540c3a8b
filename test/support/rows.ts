import { Thumbnail } from '../../shared/content/thumbnail.model.js';
import type { Context } from '../../shared/platform/context.js';
import type { Transaction } from '../../shared/platform/database/database.js';
import type { ModelDefinition, RowOf } from '../../shared/platform/database/model.js';
import { randomUUID } from 'node:crypto';

/** Values that rows have; of a list one of them. */
type Having<Definition> = {
  readonly [Name in keyof RowOf<Definition>]?: RowOf<Definition>[Name] | readonly RowOf<Definition>[Name][];
};

/** What no operation shows: the rows of a table that have these values. The compiler finds a column that is gone. */
export async function storedRows<Definition extends ModelDefinition>(
  ctx: Context,
  definition: Definition,
  having: Having<Definition> = {},
): Promise<RowOf<Definition>[]> {
  const rows = await ctx.db.model(definition as ModelDefinition).findAll({ where: having });
  return rows.map((row) => row.get({ plain: true }) as RowOf<Definition>);
}

/** Changes rows as no operation does. Resolves with their number. */
export async function changeRows<Definition extends ModelDefinition>(
  ctx: Context,
  definition: Definition,
  having: Having<Definition>,
  values: Partial<RowOf<Definition>>,
  transaction?: Transaction,
): Promise<number> {
  const options = { where: having, ...(transaction ? { transaction } : {}) };
  return (await ctx.db.model(definition as ModelDefinition).update(values, options))[0];
}

/** The same for one row, which must exist. */
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

/** Removes rows as no operation does. Resolves with their number. */
export function removeRows<Definition extends ModelDefinition>(
  ctx: Context,
  definition: Definition,
  having: Having<Definition> = {},
  transaction?: Transaction,
): Promise<number> {
  return ctx.db
    .model(definition as ModelDefinition)
    .destroy({ where: having, ...(transaction ? { transaction } : {}) });
}

/** The row of a thumbnail, without a file. */
export async function makeThumbnail(ctx: Context, ownerId: string, size = { width: 1, height: 1 }): Promise<string> {
  const id = randomUUID();
  const file = { storageKey: `thumbnails/${id}/original`, mimeType: 'image/png', bytes: 10 };
  await ctx.db.model(Thumbnail).create({ id, ownerId, ...file, ...size, createdAt: ctx.clock.now() });
  return id;
}
