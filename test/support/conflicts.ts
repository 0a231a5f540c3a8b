import type { Context } from '../../shared/platform/context.js';

/** How many transactions of a process were rolled back because of others. */
export async function conflictsOf({ metrics }: Pick<Context, 'metrics'>): Promise<number> {
  const counted = await metrics.registry.getSingleMetric('database_conflicts_total')?.get();
  if (!counted) throw new Error('this process does not count conflicts');
  return counted.values.reduce((sum, { value }) => sum + value, 0);
}
