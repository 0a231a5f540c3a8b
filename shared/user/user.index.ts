import type { Context } from '../platform/context.js';
import { idsOfRows, defineIndex, type SearchDocument } from '../platform/search/index.js';

/** The searched texts of a user, as members of a search document. */
export interface UserTexts {
  readonly userCode: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly pageTitle: string | null;
  readonly pageDescription: string | null;
}

export const userFields: readonly (keyof UserTexts)[] = [
  'userCode',
  'firstName',
  'lastName',
  'pageTitle',
  'pageDescription',
];

/** SQL: the columns of `UserTexts`; `user` is the table's alias in the statement. */
export const userColumns = (user: string): string => `
  ${user}.user_code, ${user}.first_name, ${user}.last_name,
  ${user}.page_title, ${user}.page_description`;

interface UserRow extends UserTexts {
  readonly id: string;
  readonly lastActivityAt: Date;
}

/**
 * Active users: `docs/contract.md#users`. `userActivity` marks a change of only the last activity: it changes often, and no other
 * index depends on it.
 */
export const userIndex = defineIndex({
  name: 'user',
  madeFrom: {
    user: async (_ctx, _tx, ids) => ids,
    userActivity: async (_ctx, _tx, ids) => ids,
  },
  document: userDocuments,
  ids: idsOfRows('users', "state = 'ACTIVE'"),
  groups: { user: { fields: userFields, weight: 1 } },
  filters: [],
  sorts: ['lastActivityAt', 'userCode'],
  columns: { lastActivityAt: 'number', userCode: 'text' },
  lists: [['lastActivityAt'], ['userCode']],
  publicDocuments: 'all',
});

async function userDocuments(ctx: Context, ids: readonly string[]): Promise<SearchDocument[]> {
  const rows = await ctx.db.rows<UserRow>(
    `SELECT id, last_activity_at, ${userColumns('users')}
       FROM users WHERE id = ANY ($ids::uuid[]) AND state = 'ACTIVE'`,
    { ids },
  );
  return rows.map((row) => ({ ...row, lastActivityAt: row.lastActivityAt.getTime() }));
}
