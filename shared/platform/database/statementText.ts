import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** A statement as the driver takes it. */
export interface Statement {
  readonly text: string;
  /** Names of the binds, in the order of `$1`, `$2`. */
  readonly names: readonly string[];
  /** Under which the server keeps its plan, where it is prepared. */
  readonly name: string;
}

/** Statements are written in the code, so they are few. The limit is for one that would be built from values. */
const cachedStatements = 1000;

/** Returns a function that translates statements with binds `$name` (`$$` is a dollar), each once. */
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
