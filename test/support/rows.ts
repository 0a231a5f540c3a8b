import { Thumbnail } from '../../shared/content/thumbnail.model.js';
import type { Context } from '../../shared/platform/context.js';
import type { Transaction } from '../../shared/platform/database/database.js';
import type { ModelDefinition, RowOf } from '../../shared/platform/database/model.js';
import { randomUUID } from 'node:crypto';

/** Changes a row as no operation does. Its columns are those of the model: the compiler finds one that is gone. */
export async function changeRow<Definition extends ModelDefinition>(
  ctx: Context,
  definition: Definition,
  id: string,
  values: Partial<RowOf<Definition>>,
  transaction?: Transaction,
): Promise<void> {
  const changed = await ctx.db.model<ModelDefinition>(definition).update(values, { where: { id }, transaction });
  if (changed !== 1) throw new Error(`${definition.tableName} has no row ${id}`);
}

/** The row of a thumbnail, without a file. */
export async function makeThumbnail(ctx: Context, ownerId: string, size = { width: 1, height: 1 }): Promise<string> {
  const id = randomUUID();
  const file = { storageKey: `thumbnails/${id}/original`, mimeType: 'image/png', bytes: 10 };
  await ctx.db.model(Thumbnail).create({ id, ownerId, ...file, ...size, createdAt: ctx.clock.now() });
  return id;
}
