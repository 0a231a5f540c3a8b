import pg from 'pg';
import { DatabaseError } from 'sequelize';
import type { StatementBounds, StatementResult } from './database.js';
import { markBroken, type PooledClient } from './connections.js';
import { createStatements } from './statementText.js';
import { runWithin } from './statementBounds.js';

export interface StatementOptions {
  /** The server caches the plan for the next execution on the same connection. */
  readonly isPrepared?: boolean;
  readonly bounds?: StatementBounds | undefined;
}

/** Runs a statement on a connection. */
export type RunOnClient = (
  client: PooledClient,
  sql: string,
  bind: Readonly<Record<string, unknown>>,
  options?: StatementOptions,
) => Promise<StatementResult>;

/**
 * Returns a function that runs a statement on a connection of the pool. Binds are written `$name`; `$$` is a dollar. It rejects
 * with Sequelize's errors, but does not use `sequelize.query`, whose overhead equals the time of a small statement (figures:
 * docs/decisions/database.md).
 */
export function createStatementRunner(): RunOnClient {
  const statementOf = createStatements();
  const run: RunOnClient = async (client, sql, bind, { isPrepared = false } = {}) => {
    const { text, names, name } = statementOf(sql);
    const values = names.map((bound) => {
      if (bind[bound] === undefined) throw new Error(`the bind $${bound} has no value`);
      return bind[bound];
    });
    try {
      const { rows, fields, rowCount, command } = await client.query<unknown[]>({
        ...(isPrepared ? { name } : {}),
        text,
        values,
        rowMode: 'array',
        types: typesOf(client),
      });
      return { rows: toObjects(rows, fields), rowCount, command };
    } catch (error) {
      if (!isServerError(error)) markBroken(client);
      throw new DatabaseError(error as Error & { sql: string }, { stack: new Error().stack ?? '' });
    }
  };
  return (client, sql, bind, options = {}) =>
    options.bounds
      ? runWithin(client, options.bounds, () => run(client, sql, bind, options))
      : run(client, sql, bind, options);
}

/** Whether the server reported the error; after any other error the connection must not be reused. */
function isServerError(error: unknown): boolean {
  const { code, severity } = error as { code?: unknown; severity?: unknown };
  // Only server errors have a severity; `EPIPE` looks like a SQLSTATE.
  return typeof severity === 'string' && typeof code === 'string' && !/^(08|57P)/.test(code);
}

type TypeParsers = pg.CustomTypesConfig;

const parsers = new WeakMap<PooledClient, TypeParsers>();

/** The connection's type parsers, except that bigint becomes a number: values are bytes, cents and milliseconds, far below 2^53. */
function typesOf(client: PooledClient): TypeParsers {
  const known = parsers.get(client);
  if (known) return known;
  const types: TypeParsers = {
    getTypeParser: (oid, format) => (oid === pg.types.builtins.INT8 ? Number : client.getTypeParser(oid, format)),
  };
  parsers.set(client, types);
  return types;
}

/* The only conversion between column names and property names. */

/** `owner_id` gives `ownerId`. */
export const propertyOf = translating((column) =>
  column.replace(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase()),
);

/** `ownerId` gives `owner_id`. */
export const columnNameOf = translating((property) =>
  property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
);

/** Caches the translation of each name. */
function translating(translate: (name: string) => string): (name: string) => string {
  const known = new Map<string, string>();
  return (name) => {
    const present = known.get(name);
    if (present !== undefined) return present;
    const translated = translate(name);
    known.set(name, translated);
    return translated;
  };
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
