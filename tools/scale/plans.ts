import type pg from 'pg';
import type { RecordedStatement } from './recordedStatements.js';

/** A table that is read from its first row to its last, with its number of rows. */
export interface TableScan {
  readonly table: string;
  readonly rows: number;
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Plan Rows': number;
  readonly 'Total Cost': number;
  readonly Plans?: readonly PlanNode[];
}

/** The cost of a statement in a deployment. */
export interface PlannedStatement {
  /**
   * In the planner's unit, without sequential scans: a sequential scan of a small table is cheaper, and its replacement by an index
   * scan would count as growth.
   */
  readonly cost: number;
  /** The tables that it scans sequentially even then, because no index is usable. */
  readonly unindexed: readonly TableScan[];
  /** The tables that PostgreSQL would at present scan sequentially. */
  readonly scans: readonly TableScan[];
  /** The largest `LIMIT`, in rows. 0: none. */
  readonly limitRows: number;
  /** The plan with this cost, a line for each step. */
  readonly steps: readonly string[];
}

/** Runs EXPLAIN on one connection. */
export class Planner {
  #sizes: ReadonlyMap<string, number> | null = null;

  constructor(private readonly client: pg.Client) {}

  async plan(statement: RecordedStatement): Promise<PlannedStatement> {
    const sizes = (this.#sizes ??= await this.#tableSizes());
    await this.client.query('SET enable_seqscan = off');
    const indexed = await this.#plan(statement);
    await this.client.query('SET enable_seqscan = on');
    const usual = await this.#plan(statement);
    return {
      cost: indexed['Total Cost'],
      unindexed: scansIn(indexed, sizes),
      scans: scansIn(usual, sizes),
      limitRows: Math.max(
        0,
        ...nodesOf(indexed).map((node) => (node['Node Type'] === 'Limit' ? node['Plan Rows'] : 0)),
      ),
      steps: stepsOf(indexed),
    };
  }

  async #plan({ text, values }: RecordedStatement): Promise<PlanNode> {
    const { rows } = await this.client.query<{ 'QUERY PLAN': readonly { readonly Plan: PlanNode }[] }>(
      `EXPLAIN (FORMAT JSON) ${text}`,
      [...values],
    );
    const root = rows[0]?.['QUERY PLAN'][0]?.Plan;
    if (!root) throw new Error('there is no plan');
    return root;
  }

  /** Numbers of rows of all tables, from PostgreSQL's statistics. */
  async #tableSizes(): Promise<ReadonlyMap<string, number>> {
    const { rows } = await this.client.query<{ name: string; rows: number }>(
      `SELECT relname AS name, reltuples::float8 AS rows FROM pg_class WHERE relkind = 'r'`,
    );
    return new Map(rows.map(({ name, rows: count }) => [name, count]));
  }
}

/** Whether a statement has a plan: only statements that read or write rows have one. */
export function isPlanned({ text }: RecordedStatement): boolean {
  return /^[\s(]*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/i.test(text);
}

function scansIn(root: PlanNode, sizes: ReadonlyMap<string, number>): TableScan[] {
  return nodesOf(root)
    .filter((node) => node['Node Type'] === 'Seq Scan')
    .map(({ 'Relation Name': table = '' }) => ({ table, rows: sizes.get(table) ?? 0 }));
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

function stepsOf(node: PlanNode): string[] {
  const { 'Relation Name': table, 'Index Name': index, 'Plan Rows': rows, Plans: parts = [] } = node;
  const relation = index ?? table;
  const step = `${node['Node Type']}${relation ? ` of ${relation}` : ''}: ${rows} rows, cost ${Math.round(node['Total Cost'])}`;
  return [step, ...parts.flatMap(stepsOf).map((line) => `  ${line}`)];
}
