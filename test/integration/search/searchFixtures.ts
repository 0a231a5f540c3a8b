import { randomUUID } from 'node:crypto';
import { boxIndex } from '../../../shared/box/box.index.js';
import { indexes } from '../../../shared/indexes.js';
import type { Context } from '../../../shared/platform/context.js';
import { bindIndex } from '../../../shared/platform/search/indexDefinition.js';
import { createMaintenance } from '../../../shared/platform/search/maintenance.js';
import type { SearchEngine, SearchMaintenance } from '../../../shared/platform/search/search.js';
import { VodItem } from '../../../shared/vod/vod.model.js';
import { vodIndex } from '../../../shared/vod/vod.index.js';
import { seedBoxItem, type SeedOptions, type SeededItem } from '../../support/rows.js';

const page = { pageSize: 20, pageIndex: 0, pagination: true };

/** Ids of an owner's box items that match a text. */
export async function findInBox(ctx: Context, ownerId: string, text?: string): Promise<readonly string[]> {
  const filters = { ownerId: { equal: ownerId } };
  const { ids } = await ctx.search.query(boxIndex, { text, groups: ['content'], filters, sort: ['-createdAt'], page });
  return ids;
}

/** Ids of the public items that match a text. */
export async function findVisible(ctx: Context, text?: string): Promise<readonly string[]> {
  const filters = { visible: { equal: true } };
  const groups = ['content', 'publisher'] as const;
  const { ids } = await ctx.search.query(vodIndex, { text, groups, filters, sort: ['-publishedAt'], page });
  return ids;
}

/** Publishes a new box item. */
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

/** Dirty marks of an engine as `index id version`. */
export async function marksOf(ctx: Context, engine = 'postgres'): Promise<string[]> {
  const rows = await ctx.db.rows<{ mark: string }>(
    `SELECT index_name || ' ' || document_id || ' ' || version AS mark FROM search_marks WHERE engine = $engine ORDER BY 1`,
    { engine },
  );
  return rows.map(({ mark }) => mark);
}

/** Names of the jobs in the outbox. */
export async function waitingJobs(ctx: Context): Promise<string[]> {
  const rows = await ctx.db.rows<{ job: string }>('SELECT job FROM outbox ORDER BY id');
  return rows.map(({ job }) => job);
}

/** Search maintenance with the test's engines, over the rows of the context. */
export function maintenanceOf(ctx: Context, ...engines: SearchEngine[]): SearchMaintenance {
  const { db, outbox, log, clock } = ctx;
  const bound = indexes.map((index) => bindIndex(index, () => ctx));
  return createMaintenance(
    { db, outbox, log, clock, indexes: bound, indexNames: bound.map(({ name }) => name) },
    engines,
  );
}
