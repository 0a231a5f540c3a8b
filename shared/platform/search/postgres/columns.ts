import type { ColumnKind, SearchIndex } from '../search.js';

/** A document member with a column of its own in the table of the index. */
export interface MemberColumn {
  readonly member: string;
  /** Quoted name. */
  readonly name: string;
  readonly type: 'float8' | 'boolean' | 'text';
  /** SQL: its value, computed from the columns `filters` and `sorts`. */
  readonly value: string;
}

const types = { number: 'float8', flag: 'boolean', text: 'text' } as const satisfies Record<ColumnKind, string>;

/** The columns of an index, in the order of the definition. */
export function columnsOf(index: SearchIndex): MemberColumn[] {
  return Object.entries(index.columns ?? {}).map(([member, kind]) => {
    const text = index.filters.includes(member) ? `filters -> '${member}' ->> 0` : `sorts ->> '${member}'`;
    return { member, name: `"${member}"`, type: types[kind], value: `(${text})::${types[kind]}` };
  });
}

/** Quoted name of the column of a member; undefined if it has none. */
export function columnOf(index: SearchIndex, member: string): string | undefined {
  return index.columns?.[member] === undefined ? undefined : `"${member}"`;
}
