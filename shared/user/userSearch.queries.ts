import type { Context } from '../platform/context.js';
import type { Page, PageRequest } from '../platform/formats/page.js';
import { userIndex } from './user.index.js';
import { User } from './user.model.js';

/**
 * Searches the active users: `docs/contract.md#users`. Without a text, the most recently active come first. `load` reads the
 * data to show: `publishersOf` of a higher domain.
 */
export function searchUsers<Shown>(
  ctx: Context,
  search: { readonly text: string | undefined; readonly page: PageRequest },
  load: (ctx: Context, ids: readonly string[]) => Promise<ReadonlyMap<string, Shown>>,
): Promise<Page<Shown>> {
  const query = { ...search, groups: ['user'] as const, filters: {}, sort: ['-lastActivityAt', 'userCode'] };
  return ctx.search.page(userIndex, query, async (ids) => {
    const where = { id: ids, state: 'ACTIVE' } as const;
    const active = await ctx.db.model(User).findAll({ where, attributes: ['id'] });
    return load(
      ctx,
      active.map(({ id }) => id),
    );
  });
}
