import { Sequelize, type Transaction } from 'sequelize';
import { createPreparing } from './preparing.js';
import { createStatements } from './statementText.js';
import { runWithin, type CancellableClient, type StatementBounds } from './statementBounds.js';

/*
 * The only file that uses private members of Sequelize. It runs statements on connections of Sequelize's own pool and
 * transactions, without `sequelize.query`, which takes as much time as the rest of a small statement
 * (figures: docs/decisions/database.md). Everything else stays Sequelize's: pool, transactions, hooks, error classes.
 */

/** Other versions may name their private members differently: opening a database then fails. */
const knownVersions = /^6\.37\./;

/** A client of the driver, as the pool lends it. */
interface Client extends CancellableClient {
  query(query: {
    readonly name?: string;
    readonly text: string;
    readonly values: readonly unknown[];
    readonly rowMode: 'array';
    readonly types: TypeParsers;
  }): Promise<DriverResult>;
  getTypeParser(oid: number, format?: string): (text: string) => unknown;
  /** Set on a connection that must not be used again. */
  _invalid?: boolean;
  /** Id of the transaction that holds the connection. */
  uuid?: string;
}

interface TypeParsers {
  getTypeParser(oid: number, format?: string): (text: string) => unknown;
}

interface DriverResult {
  readonly rows: readonly (readonly unknown[])[];
  readonly fields: readonly { readonly name: string }[];
  /** Null for statements that touch no rows. */
  readonly rowCount: number | null;
  /** What the server did: `INSERT`, `COMMIT`. */
  readonly command: string;
}

/** Numbers of connections, and of callers that wait for one. */
type Pool = Readonly<Record<'using' | 'available' | 'waiting' | 'maxSize', number>>;

interface SequelizeInternals {
  readonly connectionManager: {
    getConnection(options: { type: 'SELECT' }): Promise<Client>;
    releaseConnection(client: Client): void;
    readonly pool: Pool;
  };
  readonly dialect: {
    readonly Query: new (
      client: Client,
      sequelize: Sequelize,
      options: object,
    ) => { formatError(error: unknown, stack?: string): Error };
  };
}

interface TransactionInternals {
  readonly id: string;
  readonly connection?: Client;
  /** A transaction inside another is a savepoint. */
  readonly parent?: Transaction;
  /** Once it is set, Sequelize takes no further statement of the transaction. */
  finished?: 'commit' | 'rollback';
  /** Sequelize also calls them after a COMMIT that failed. */
  _afterCommitHooks: unknown[];
}

/** The result of a statement: rows with properties in camel case, bigint columns as numbers. */
export interface StatementResult {
  readonly rows: Record<string, unknown>[];
  readonly rowCount: number | null;
  readonly command: string;
}

export type RunStatement = (
  sql: string,
  bind: Record<string, unknown>,
  tx?: Transaction,
  bounds?: StatementBounds,
) => Promise<StatementResult>;

/** The ways to run a statement. */
interface StatementRunner {
  readonly run: RunStatement;
  /** Outside of transactions. The server keeps the plan for the next execution on the same connection. */
  readonly runPrepared: (sql: string, bind: Record<string, unknown>) => Promise<StatementResult>;
}

/**
 * Returns functions that run a statement on a connection of the pool, or on that of a transaction, and makes
 * transactions begin and end the same way. Binds are written `$name`; `$$` is a dollar. Throws where this version of
 * Sequelize is not known.
 */
export function runStatementsDirectly(sequelize: Sequelize): StatementRunner {
  const { version } = Sequelize as unknown as { readonly version: string };
  if (!knownVersions.test(version))
    throw new Error(`shared/platform/database/sequelizeInternals.ts does not know Sequelize ${version}`);
  const internals = sequelize as unknown as SequelizeInternals;
  const statementOf = createStatements();
  const run = async (
    client: Client,
    sql: string,
    bind: Record<string, unknown>,
    isPrepared = false,
  ): Promise<StatementResult> => {
    const { text, names, name } = statementOf(sql);
    const values = names.map((bound) => {
      if (bind[bound] === undefined) throw new Error(`the bind $${bound} has no value`);
      return bind[bound];
    });
    try {
      const { rows, fields, rowCount, command } = await client.query({
        ...(isPrepared ? { name } : {}),
        text,
        values,
        rowMode: 'array',
        types: typesOf(client),
      });
      return { rows: toObjects(rows, fields), rowCount, command };
    } catch (error) {
      if (!isServerError(error)) client._invalid = true;
      throw new internals.dialect.Query(client, sequelize, {}).formatError(error, new Error().stack);
    }
  };
  const runBounded = (client: Client, sql: string, bind: Record<string, unknown>, bounds?: StatementBounds) =>
    bounds ? runWithin(client, bounds, () => run(client, sql, bind)) : run(client, sql, bind);
  const onConnection = async (work: (client: Client) => Promise<StatementResult>): Promise<StatementResult> => {
    const client = await internals.connectionManager.getConnection({ type: 'SELECT' });
    try {
      return await work(client);
    } finally {
      internals.connectionManager.releaseConnection(client);
    }
  };
  const runStatement: RunStatement = async (sql, bind, tx, bounds) =>
    tx
      ? runBounded(connectionOf(tx), sql, bind, bounds)
      : onConnection((client) => runBounded(client, sql, bind, bounds));
  const prepared = createPreparing();
  const runPrepared: StatementRunner['runPrepared'] = (sql, bind) =>
    onConnection((client) => prepared((isPrepared) => run(client, sql, bind, isPrepared)));
  runTransactionsDirectly(sequelize, runStatement);
  return { run: runStatement, runPrepared };
}

/** `sequelize.query` takes longer for BEGIN and COMMIT than the server does. Savepoints keep Sequelize's way. */
function runTransactionsDirectly(sequelize: Sequelize, run: RunStatement): void {
  const queryInterface = sequelize.getQueryInterface();
  const startTransaction = queryInterface.startTransaction.bind(queryInterface);
  const commitTransaction = queryInterface.commitTransaction.bind(queryInterface);
  const rollbackTransaction = queryInterface.rollbackTransaction.bind(queryInterface);
  queryInterface.startTransaction = async (tx, options) => {
    if (isSavepoint(tx)) await startTransaction(tx, options);
    else await run('START TRANSACTION', {}, tx);
  };
  queryInterface.commitTransaction = async (tx, options) => {
    if (isSavepoint(tx)) return commitTransaction(tx, options);
    await commit(tx, run);
  };
  queryInterface.rollbackTransaction = async (tx, options) => {
    if (isSavepoint(tx)) return rollbackTransaction(tx, options);
    internalsOf(tx).finished = 'rollback';
    await run('ROLLBACK', {}, tx);
  };
}

/** Also throws where the server answers COMMIT with ROLLBACK: a statement had failed, and nobody threw its error. */
async function commit(tx: Transaction, run: RunStatement): Promise<void> {
  const internals = internalsOf(tx);
  internals.finished = 'commit';
  try {
    const { command } = await run('COMMIT', {}, tx);
    if (command !== 'COMMIT') throw new Error('the transaction was rolled back: one of its statements has failed');
  } catch (error) {
    internals._afterCommitHooks = [];
    throw error;
  }
}

function internalsOf(tx: Transaction): TransactionInternals {
  return tx as unknown as TransactionInternals;
}

function isSavepoint(tx: Transaction): boolean {
  return internalsOf(tx).parent !== undefined;
}

/** A transaction that is over has given its connection back: its statements must not run on another's. */
function connectionOf(tx: Transaction): Client {
  const { connection, id } = internalsOf(tx);
  if (!connection || connection.uuid !== id) throw new Error('the transaction is over');
  return connection;
}

/** Whether the server reported the error; after any other error the connection must not be used again. */
function isServerError(error: unknown): boolean {
  const { code, severity } = error as { code?: unknown; severity?: unknown };
  // Only errors of the server have a severity; `EPIPE` looks like one of its codes.
  return typeof severity === 'string' && typeof code === 'string' && !/^(08|57P)/.test(code);
}

const bigintOid = 20;
const parsers = new WeakMap<Client, TypeParsers>();

/** The connection's own parsers, with bigint as number: ours are bytes, cents and milliseconds, far below 2^53. */
function typesOf(client: Client): TypeParsers {
  const known = parsers.get(client);
  if (known) return known;
  const types: TypeParsers = {
    getTypeParser: (oid, format) => (oid === bigintOid ? Number : client.getTypeParser(oid, format)),
  };
  parsers.set(client, types);
  return types;
}

const propertyNames = new Map<string, string>();

/** `owner_id` gives `ownerId`. The only place where names of columns become names of properties. */
export function propertyOf(column: string): string {
  const known = propertyNames.get(column);
  if (known !== undefined) return known;
  const property = column.replace(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
  propertyNames.set(column, property);
  return property;
}

function toObjects(
  rows: readonly (readonly unknown[])[],
  fields: readonly { readonly name: string }[],
): Record<string, unknown>[] {
  const names = fields.map(({ name }) => propertyOf(name));
  return rows.map((values) => {
    const row: Record<string, unknown> = {};
    for (let position = 0; position < names.length; position++) row[names[position] as string] = values[position];
    return row;
  });
}

/** The pool of a database as it is now. */
export function poolOf(sequelize: Sequelize): Pool {
  return (sequelize as unknown as SequelizeInternals).connectionManager.pool;
}
