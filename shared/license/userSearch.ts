import type { Context } from '../platform/context.js';
import type { Page, PageRequest } from '../platform/formats/page.js';
import { userIndex } from '../user/user.index.js';
import { publishersOf, type Publisher } from './publisher.js';

/** Active users, for everybody: `docs/contract.md#users`. Without words, those who were there last come first. */
export function searchUsers(
  ctx: Context,
  search: { readonly text: string | undefined; readonly page: PageRequest },
): Promise<Page<Publisher>> {
  const query = { ...search, groups: ['user'] as const, filters: {}, sort: ['-lastActivityAt', 'userCode'] };
  return ctx.search.page(userIndex, query, (ids) => activePublishers(ctx, ids));
}

async function activePublishers(ctx: Context, ids: readonly string[]): Promise<Map<string, Publisher>> {
  const active = await ctx.db.rows<{ id: string }>(
    "SELECT id FROM users WHERE id = ANY ($ids::uuid[]) AND state = 'ACTIVE'",
    { ids },
  );
  return publishersOf(
    ctx,
    active.map(({ id }) => id),
  );
}
