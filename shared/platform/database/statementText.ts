import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** A statement in the form that the driver expects. */
export interface Statement {
  readonly text: string;
  /** Names of the binds, in the order of `$1`, `$2`. */
  readonly names: readonly string[];
  /** Name of the prepared statement on the server. */
  readonly name: string;
}

/** Statements are literals in the code, so there are few. The limit protects against statements built from values. */
const cachedStatements = 1000;

/** Returns a function that translates statements with binds `$name` (`$$` is a dollar), and caches the result. */
export function createStatements(): (sql: string) => Statement {
  const statements = new LRUCache<string, Statement>({ max: cachedStatements });
  return (sql) => {
    const known = statements.get(sql);
    if (known) return known;
    const statement = translate(sql);
    statements.set(sql, statement);
    return statement;
  };
}

function translate(sql: string): Statement {
  const names: string[] = [];
  const text = sql.replace(/\B\$(\$|\w+)/g, (_match, bind: string) => {
    if (bind === '$') return '$';
    const position = names.includes(bind) ? names.indexOf(bind) + 1 : names.push(bind);
    return `$${position}`;
  });
  return { text, names, name: createHash('sha256').update(text).digest('hex').slice(0, 32) };
}
