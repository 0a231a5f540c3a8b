import type { Condition, SearchIndex } from '../search.js';
import { columnOf } from './columns.js';
import { postgresFilterValue } from './documentRow.js';

/** Collects the binds of one statement: the SQL contains bind names, never values. */
export class Binds {
  readonly values: Record<string, unknown> = {};
  #count = 0;

  /** Adds a value; returns its placeholder. */
  add(value: unknown): string {
    this.#count += 1;
    const name = `v${this.#count}`;
    this.values[name] = value;
    return `$${name}`;
  }
}

/** The SQL conditions of all filters, to be combined with AND; empty without filters. */
export function filterConditions(
  index: SearchIndex,
  filters: Readonly<Record<string, Condition | undefined>>,
  binds: Binds,
): string[] {
  return Object.entries(filters).flatMap(([member, condition]) => {
    if (!condition) return [];
    const column = columnOf(index, member);
    const ofColumn = column === undefined ? undefined : columnSql(column, condition, binds);
    return ofColumn ?? conditionSql(member, condition, binds);
  });
}

/** Undefined if only the column `filters` can answer the condition. */
function columnSql(column: string, condition: Condition, binds: Binds): string[] | undefined {
  if ('equal' in condition) {
    const { equal } = condition;
    if (typeof equal === 'boolean') return [equal ? column : `NOT ${column}`];
    return [`${column} = ${binds.add(postgresFilterValue(equal))}::${typeof equal === 'number' ? 'float8' : 'text'}`];
  }
  if ('all' in condition || 'in' in condition || 'notIn' in condition) return undefined;
  const bound = (operator: string, limit: number | undefined) =>
    limit === undefined ? [] : [`${column} ${operator} ${binds.add(limit)}::float8`];
  return [...bound('>=', condition.atLeast), ...bound('<=', condition.atMost)];
}

function conditionSql(member: string, condition: Condition, binds: Binds): string[] {
  const holds = (values: readonly (string | number | boolean)[]) =>
    `filters @> ${binds.add(JSON.stringify({ [member]: values.map(postgresFilterValue) }))}::jsonb`;
  const holdsOne = (values: readonly (string | number)[]) => values.map((value) => holds([value])).join(' OR ');
  if ('equal' in condition) return [holds([condition.equal])];
  if ('all' in condition) return condition.all.length === 0 ? [] : [holds(condition.all)];
  if ('in' in condition) return [condition.in.length === 0 ? 'false' : `(${holdsOne(condition.in)})`];
  if ('notIn' in condition) {
    if (condition.notIn.length === 0) return [];
    // A subquery, so that PostgreSQL builds a hash table: there can be thousands of values.
    const excluded = binds.add(condition.notIn.map((value) => String(postgresFilterValue(value))));
    const values = `jsonb_array_elements_text(filters -> ${binds.add(member)}::text)`;
    return [`NOT EXISTS (SELECT FROM ${values} AS value WHERE value = ANY (${excluded}::text[]))`];
  }
  const value = `(filters -> ${binds.add(member)}::text -> 0)`;
  const bound = (operator: string, limit: number | undefined) =>
    limit === undefined
      ? []
      : [`${value} ${operator} ${binds.add(JSON.stringify(limit))}::jsonb AND jsonb_typeof(${value}) = 'number'`];
  return [...bound('>=', condition.atLeast), ...bound('<=', condition.atMost)];
}
