import pg from 'pg';

interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Every statement that this process sends to PostgreSQL, through any client, until `stop` is called. */
export function watchStatements(): { readonly seen: readonly Statement[]; stop(): void } {
  const seen: Statement[] = [];
  // oxlint-disable-next-line typescript/unbound-method -- called with its own client below
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function (this: pg.Client, ...parameters: unknown[]) {
    const [statement, values] = parameters as [string | { text?: string; values?: unknown[] }, unknown[] | undefined];
    const text = typeof statement === 'string' ? statement : (statement.text ?? '');
    const bound = typeof statement === 'string' ? values : statement.values;
    seen.push({ text, values: Array.isArray(bound) ? bound : [] });
    return Reflect.apply(query, this, parameters);
  } as typeof query;
  return {
    seen,
    stop() {
      pg.Client.prototype.query = query;
    },
  };
}
