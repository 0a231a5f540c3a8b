import type { Context } from '../../shared/platform/context.js';

/** The number of transactions of a process that were rolled back because of conflicts. */
export async function conflictsOf({ metrics }: Pick<Context, 'metrics'>): Promise<number> {
  const counted = await metrics.registry.getSingleMetric('database_conflicts_total')?.get();
  if (!counted) throw new Error('this process does not count conflicts');
  return counted.values.reduce((sum, { value }) => sum + value, 0);
}
