import pg from 'pg';

export interface DescribedColumn {
  readonly name: string;
  /** The name of its type in `pg_type`. */
  readonly type: string;
  /** The table column, if the value comes directly from one. */
  readonly origin: Origin | null;
}

/** A column of a table. */
interface Origin {
  readonly table: string;
  readonly column: string;
  readonly isNullable: boolean;
}

/** The server's description of a statement. */
export interface Description {
  /** The type names of `$1`, `$2`. */
  readonly parameters: readonly string[];
  readonly columns: readonly DescribedColumn[];
}

interface Field {
  readonly name: string;
  readonly dataTypeID: number;
  readonly tableID: number;
  readonly columnID: number;
}

/** The connection inside the driver's client. The package's types omit most of it. */
interface Connection {
  parse(message: { readonly name: string; readonly text: string; readonly types: readonly number[] }): void;
  describe(message: { readonly type: 'S'; readonly name: string }): void;
  sync(): void;
  once(event: 'parameterDescription', listener: (message: { readonly dataTypeIDs: number[] }) => void): void;
}

/** Makes the server parse and describe a statement without executing it. */
class Describing {
  #parameters: readonly number[] = [];
  #fields: readonly Field[] = [];

  constructor(
    private readonly text: string,
    private readonly done: (error: Error | null, parameters: readonly number[], fields: readonly Field[]) => void,
  ) {}

  submit(connection: Connection): void {
    connection.once('parameterDescription', ({ dataTypeIDs }) => (this.#parameters = dataTypeIDs));
    connection.parse({ name: '', text: this.text, types: [] });
    connection.describe({ type: 'S', name: '' });
    connection.sync();
  }

  handleRowDescription({ fields }: { readonly fields: readonly Field[] }): void {
    this.#fields = fields;
  }

  handleError(error: Error): void {
    this.done(error, [], []);
  }

  handleReadyForQuery(): void {
    this.done(null, this.#parameters, this.#fields);
  }
}

/** Describes statements with binds `$1`, one at a time. Rejects with the server's error. */
export class Describer {
  readonly #types = new Map<number, string>();
  readonly #origins = new Map<string, Origin>();

  private constructor(private readonly client: pg.Client) {}

  /** Names of all tables. */
  readonly tables = new Set<string>();

  static async connect(url: string): Promise<Describer> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const describer = new Describer(client);
    const types = await client.query<{ oid: number; typname: string }>('SELECT oid, typname FROM pg_type');
    for (const { oid, typname } of types.rows) describer.#types.set(oid, typname);
    const columns = await client.query<Origin & { readonly id: string }>(
      `SELECT attrelid || '.' || attnum AS id, relname AS table, attname AS column, NOT attnotnull AS "isNullable"
         FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid WHERE relkind IN ('r', 'p') AND attnum > 0`,
    );
    for (const { id, ...origin } of columns.rows) {
      describer.#origins.set(id, origin);
      describer.tables.add(origin.table);
    }
    return describer;
  }

  async describe(text: string): Promise<Description> {
    const [parameters, fields] = await new Promise<[readonly number[], readonly Field[]]>((resolve, reject) => {
      this.client.query(
        new Describing(text, (error, types, described) =>
          error ? reject(error) : resolve([types, described]),
        ) as never,
      );
    });
    return {
      parameters: parameters.map((oid) => this.#types.get(oid) ?? String(oid)),
      columns: fields.map(({ name, dataTypeID, tableID, columnID }) => ({
        name,
        type: this.#types.get(dataTypeID) ?? String(dataTypeID),
        origin: this.#origins.get(`${tableID}.${columnID}`) ?? null,
      })),
    };
  }

  close(): Promise<void> {
    return this.client.end();
  }
}
