import { bindModel, type BoundModel } from './boundModel.js';
import type { ModelDefinition } from './model.js';
import type { StatementBounds } from './statementBounds.js';
import type { StatementResult } from './statements.js';
import type { Transaction } from './transaction.js';

/** The ways to run a statement. */
export interface Statements {
  /** The model of a table, bound to this database. Throws where the table is not listed in `shared/models.ts`. */
  model<Definition extends ModelDefinition>(definition: Definition): BoundModel<Definition['columns']>;
  /**
   * Rows of a parametrised query (`$name` binds). Columns in snake case become properties in camel case (`owner_id` is
   * `ownerId`), bigint becomes number. `bounds` limit this statement more than `statement_timeout` of the connection
   * does: `{ timeoutMs: 2_000, signal }` cancels it on the server after two seconds, or when the caller disconnects
   * (`signal` of the request). They cost nothing before that. Rejects with the reason of the signal, or with an error
   * that `isStatementCancelled` knows; in a transaction, nothing else can run in it then.
   */
  rows<Row extends object>(
    sql: string,
    bind?: Record<string, unknown>,
    tx?: Transaction,
    bounds?: StatementBounds,
  ): Promise<Row[]>;
  /**
   * As `rows`, for a statement that runs often and whose best plan does not depend on its values, such as a read by key: the
   * server plans it once for each connection. Behind a pooler that does not support prepared statements it is the same as `rows`.
   */
  prepared<Row extends object>(sql: string, bind?: Record<string, unknown>): Promise<Row[]>;
  /** Number of rows that a parametrised INSERT, UPDATE or DELETE has changed. */
  change(sql: string, bind?: Record<string, unknown>, tx?: Transaction): Promise<number>;
  /** As `rows`, with the result of the driver: for the modules beside this one. */
  run(
    sql: string,
    bind?: Readonly<Record<string, unknown>>,
    tx?: Transaction,
    bounds?: StatementBounds,
  ): Promise<StatementResult>;
  /** The same for `prepared`. */
  runPrepared(sql: string, bind?: Readonly<Record<string, unknown>>): Promise<StatementResult>;
}

/** All ways to run a statement, on top of the two that give the driver's result. Without `models`, every definition is bound. */
export function statementsOn(
  run: Statements['run'],
  runPrepared: Statements['runPrepared'],
  models?: readonly ModelDefinition[],
): Statements {
  const bound = new Map<ModelDefinition, BoundModel<never>>();
  const isKnown = (definition: ModelDefinition): boolean => !models || models.includes(definition);
  return {
    run,
    runPrepared,
    model(definition) {
      if (!isKnown(definition)) throw new Error(`${definition.tableName} is not listed in shared/models.ts`);
      const known = bound.get(definition) ?? bindModel(definition, run);
      bound.set(definition, known as never);
      return known;
    },
    rows: async (sql, bind, tx, bounds) => (await run(sql, bind, tx, bounds)).rows as never,
    prepared: async (sql, bind) => (await runPrepared(sql, bind)).rows as never,
    change: async (sql, bind, tx) => (await run(sql, bind, tx)).rowCount ?? 0,
  };
}
