/** The generated rows of a table; their number is proportional to the number of contents. */
export interface GeneratedTable {
  readonly table: string;
  /** Rows for each content. */
  readonly perContent: number;
  /** SQL of the values of row `i`, counted from 0. `size` has the numbers of `GeneratedSize`. */
  readonly values: Readonly<Record<string, string>>;
}

/** The number of items of each kind. An item has as many parts in a large deployment as in a small one. */
export interface GeneratedSize {
  readonly contents: number;
  readonly users: number;
  /** Users who have contents. */
  readonly owners: number;
  readonly channels: number;
  readonly bundles: number;
}

export function sizeOf(contents: number): GeneratedSize {
  return { contents, users: contents, owners: contents / 100, channels: contents / 100, bundles: contents / 100 };
}

/** SQL: the id of item number `position` of a kind, as random as the service's ids. */
export const idOf = (kind: string, position: string): string => `md5('${kind}' || (${position}))::uuid`;
export const ownerOf = (position: string): string => idOf('user', `(${position}) % size.owners`);
export const anyUser = (position: string): string => idOf('user', `(${position}) % size.users`);

/** SQL: the time `position` minutes before now, within the last `days` days. */
export const minutesAgo = (position: string, days: number): string =>
  `now() - ((${position}) % ${days * 1_440}) * interval '1 minute'`;
export const minutesAhead = (position: string, days: number): string =>
  `now() + (1 + (${position}) % ${days * 1_440}) * interval '1 minute'`;

/** SQL: `value` for one row of `every`, `otherwise` for all others. */
export const oneOf = (every: number, value: string, otherwise: string): string =>
  `CASE WHEN i % ${every} = 0 THEN ${value} ELSE ${otherwise} END`;
