import type { Sequelize, Transaction } from 'sequelize';

/** A driver's client, as the pool hands it out. */
interface Client {
  query(text: string, values: readonly unknown[]): Promise<Result>;
  _invalid?: boolean;
  /** Id of the transaction that holds it. */
  uuid?: string;
}

/** The parts of Sequelize that lend a connection and turn a driver's error into one of its own. */
interface Internals {
  readonly connectionManager: {
    getConnection(options: { type: 'SELECT' }): Promise<Client>;
    releaseConnection(client: Client): void;
  };
  readonly dialect: {
    readonly Query: new (
      client: Client,
      sequelize: Sequelize,
      options: object,
    ) => { formatError(error: unknown, stack?: string): Error };
  };
}

interface Result {
  readonly rows: object[];
  /** Null for statements that touch no rows. */
  readonly rowCount: number | null;
  /** What the server says it has done: `INSERT`, `COMMIT`. */
  readonly command: string;
}

interface Statement {
  readonly text: string;
  /** Names of the binds, in the order of `$1`, `$2`. */
  readonly names: readonly string[];
}

export type DirectQuery = (sql: string, bind: Record<string, unknown>, tx?: Transaction) => Promise<Result>;

const rememberedStatements = 1000;

/**
 * Runs statements on a connection of Sequelize's pool, or on that of the transaction given, without the way through
 * `sequelize.query`, which takes as much time as all the rest of a small statement. Rows, binds (`$name`, and `$$` for
 * a dollar) and errors are the same. Not prepared by name: a pooler between us and the server may not know the name.
 */
export function createDirectQuery(sequelize: Sequelize): DirectQuery {
  const internals = sequelize as unknown as Internals;
  const statements = new Map<string, Statement>();
  const run = async (client: Client, sql: string, bind: Record<string, unknown>): Promise<Result> => {
    const { text, names } = statementOf(sql, statements);
    const values = names.map((name) => {
      if (bind[name] === undefined) throw new Error(`the bind $${name} has no value`);
      return bind[name];
    });
    try {
      return await client.query(text, values);
    } catch (error) {
      if (!isRefusal(error)) client._invalid = true;
      throw new internals.dialect.Query(client, sequelize, {}).formatError(error, new Error().stack);
    }
  };
  return async (sql, bind, tx) => {
    if (tx) return run(connectionOf(tx), sql, bind);
    const client = await internals.connectionManager.getConnection({ type: 'SELECT' });
    try {
      return await run(client, sql, bind);
    } finally {
      internals.connectionManager.releaseConnection(client);
    }
  };
}

/** A transaction that is over has given its connection back: a statement of it must not run on somebody else's. */
function connectionOf(tx: Transaction): Client {
  const { connection, id } = tx as unknown as { connection?: Client; id: string };
  if (!connection || connection.uuid !== id) throw new Error('the transaction is over');
  return connection;
}

/** Whether a living server refused the statement; after anything else the line is not to be used again. */
function isRefusal(error: unknown): boolean {
  const { code, severity } = error as { code?: unknown; severity?: unknown };
  // The server's own errors alone have a severity; `EPIPE` looks like one of its codes.
  return typeof severity === 'string' && typeof code === 'string' && !/^(08|57P)/.test(code);
}

function statementOf(sql: string, statements: Map<string, Statement>): Statement {
  const known = statements.get(sql);
  if (known) return known;
  const names: string[] = [];
  const text = sql.replace(/\B\$(\$|\w+)/g, (_match, name: string) => {
    if (name === '$') return '$';
    const position = names.includes(name) ? names.indexOf(name) + 1 : names.push(name);
    return `$${position}`;
  });
  // Statements are written, not built, so they are few; should that change, nothing piles up.
  if (statements.size >= rememberedStatements) statements.clear();
  const statement = { text, names };
  statements.set(sql, statement);
  return statement;
}
