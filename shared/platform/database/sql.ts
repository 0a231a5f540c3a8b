/* The interface to PostgreSQL for libraries: statements and transactions, without models. `Database` implements it. */

/** An open transaction. */
export interface Transaction {
  /** Adds a function that runs after the commit; it does not run after a rollback. */
  afterCommit(hook: () => unknown): void;
}

/** Limits of one statement, in addition to the `statement_timeout` of its connection. */
export interface StatementBounds {
  /** The server cancels the statement after this time. It then fails with an error for which `isStatementCancelled` is true. */
  readonly timeoutMs?: number;
  /** When it aborts, the server cancels the statement, which then fails with the reason of the signal. */
  readonly signal?: AbortSignal;
}

/** Runs statements with named binds. */
export interface SqlStatements {
  /**
   * Rows of a parametrised query (`$name` binds). Columns in snake case become properties in camel case (`owner_id` is
   * `ownerId`), bigint becomes number. `bounds` limit this statement in addition to the connection's `statement_timeout`:
   * `{ timeoutMs: 2_000, signal }` cancels it on the server after two seconds, or when the caller disconnects (`signal` of the
   * request). Bounds cost nothing until a cancellation. Rejects with the reason of the signal, or with an error for which
   * `isStatementCancelled` is true; a transaction then accepts no further statement.
   */
  rows<Row extends object>(
    sql: string,
    bind?: Record<string, unknown>,
    tx?: Transaction,
    bounds?: StatementBounds,
  ): Promise<Row[]>;
  /** Number of rows changed by a parametrised INSERT, UPDATE or DELETE. */
  change(sql: string, bind?: Record<string, unknown>, tx?: Transaction): Promise<number>;
}

/** A database with transactions. */
export interface SqlDatabase extends SqlStatements {
  /**
   * Runs `work` in one transaction, which is passed on explicitly; commits when it resolves, rolls back when it throws.
   * `afterCommit` hooks of the transaction run only after a successful commit. After a deadlock or a serialization failure,
   * `work` runs again in a new transaction: it must have no other effects than those on the database.
   */
  transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>;
}
