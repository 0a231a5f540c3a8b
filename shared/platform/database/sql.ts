/*
 * PostgreSQL as libraries see it: statements and transactions, without models. `Database` implements it.
 */

/** A transaction that is open. */
export interface Transaction {
  /** Adds a function that runs once the transaction is committed, and not where it is rolled back. */
  afterCommit(hook: () => unknown): void;
}

/** Limits of one statement, in addition to the `statement_timeout` of its connection. */
export interface StatementBounds {
  /** The server cancels the statement after this time. It then fails with an error that `isStatementCancelled` knows. */
  readonly timeoutMs?: number;
  /** When it aborts, the server cancels the statement, which then fails with the reason of the signal. */
  readonly signal?: AbortSignal;
}

/** Runs statements with named binds. */
export interface SqlStatements {
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
  /** Number of rows that a parametrised INSERT, UPDATE or DELETE has changed. */
  change(sql: string, bind?: Record<string, unknown>, tx?: Transaction): Promise<number>;
}

/** A database with transactions. */
export interface SqlDatabase extends SqlStatements {
  /**
   * Runs `work` in one transaction, which is passed on explicitly; commits when it resolves, rolls back when it throws.
   * `afterCommit` hooks of the transaction run only after a successful commit. If PostgreSQL rolls it back because of
   * others (a deadlock), `work` runs again in a new transaction: it changes nothing but the database.
   */
  transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>;
}
