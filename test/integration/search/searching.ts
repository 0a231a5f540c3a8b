import { randomUUID } from 'node:crypto';
import { boxIndex } from '../../../shared/box/box.index.js';
import { indexes } from '../../../shared/indexes.js';
import type { Context } from '../../../shared/platform/context.js';
import { createUpkeep } from '../../../shared/platform/search/createUpkeep.js';
import type { SearchEngine, SearchUpkeep } from '../../../shared/platform/search/search.js';
import { VodItem } from '../../../shared/vod/vod.model.js';
import { vodIndex } from '../../../shared/vod/vod.index.js';
import { seedBoxItem, type SeedOptions, type SeededItem } from '../../support/contents.js';

const page = { pageSize: 20, pageIndex: 0, pagination: true };

/** Ids of an owner's box items that a text finds. */
export async function findInBox(ctx: Context, ownerId: string, text?: string): Promise<readonly string[]> {
  const filters = { ownerId: { equal: ownerId } };
  const { ids } = await ctx.search.query(boxIndex, { text, groups: ['content'], filters, sort: ['-createdAt'], page });
  return ids;
}

/** Ids of the published items that anybody may find by a text. */
export async function findVisible(ctx: Context, text?: string): Promise<readonly string[]> {
  const filters = { visible: { equal: true } };
  const groups = ['content', 'publisher'] as const;
  const { ids } = await ctx.search.query(vodIndex, { text, groups, filters, sort: ['-publishedAt'], page });
  return ids;
}

/** A published item with the box item and the content under it. */
export async function seedVod(
  ctx: Context,
  ownerId: string,
  options: SeedOptions & { public?: boolean } = {},
): Promise<SeededItem & { vodId: string }> {
  const item = await seedBoxItem(ctx, ownerId, options);
  const vodId = randomUUID();
  const now = ctx.clock.now();
  await ctx.db.transaction(async (transaction) => {
    await ctx.db.model(VodItem).create(
      {
        id: vodId,
        ownerId,
        boxItemId: item.boxId,
        licenseType: 'FREE',
        public: options.public ?? true,
        publishedAt: now,
        updatedAt: now,
      },
      { transaction },
    );
    await ctx.search.markDirty(transaction, 'vod', vodId);
  });
  return { ...item, vodId };
}

/** Marks of an engine as `index id version`. */
export async function marksOf(ctx: Context, engine = 'postgres'): Promise<string[]> {
  const rows = await ctx.db.rows<{ mark: string }>(
    `SELECT index_name || ' ' || document_id || ' ' || version AS mark FROM search_dirty WHERE engine = $engine ORDER BY 1`,
    { engine },
  );
  return rows.map(({ mark }) => mark);
}

/** Jobs that wait in the outbox, by name. */
export async function waitingJobs(ctx: Context): Promise<string[]> {
  const rows = await ctx.db.rows<{ job: string }>('SELECT job FROM outbox ORDER BY id');
  return rows.map(({ job }) => job);
}

/** The upkeep of an engine of the test's own, over the same rows. */
export function upkeepOf(ctx: Context, ...engines: SearchEngine[]): SearchUpkeep {
  const { db, outbox, log, clock } = ctx;
  return createUpkeep(
    { db, outbox, log, clock, indexes, indexNames: indexes.map(({ name }) => name), context: () => ctx },
    engines,
  );
}
