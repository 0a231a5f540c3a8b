import type { Logger } from '../log.js';
import type { Columns, ModelDefinition, NewRowValues, RowValues } from './model.js';
import type { SqlDatabase, SqlStatements, StatementBounds, Transaction } from './sql.js';

export type { StatementBounds, Transaction } from './sql.js';

/** The result of a statement: rows with properties in camel case, bigint columns as numbers. */
export interface StatementResult {
  readonly rows: Record<string, unknown>[];
  /** Null for statements that touch no rows. */
  readonly rowCount: number | null;
  /** The command tag: `INSERT`, `COMMIT`. */
  readonly command: string;
}

export type RowLock = 'UPDATE' | 'NO KEY UPDATE' | 'SHARE' | 'KEY SHARE';

/** An item, and the user who must own it. */
export interface OwnedItem {
  readonly id: string;
  readonly ownerId: string;
}

/**
 * SQL: the rows with `$ids` that belong to `$ownerId`, in a table with this alias. As with `findOwn`, items of other users are
 * not found, so that callers cannot probe which ids exist.
 */
export function ownRows(alias: string): string {
  return `${alias}.id = ANY ($ids::uuid[]) AND ${alias}.owner_id = $ownerId`;
}

/** The column values to match, combined with AND: null matches NULL, an array matches any of its elements. */
type Where<Of extends Columns> = {
  readonly [Name in keyof Of]?: RowValues<Of>[Name] | readonly NonNullable<RowValues<Of>[Name]>[];
};

/**
 * Accepts only column names. A value must not be nullable, except for a literal null: a value that is null by accident would
 * select other rows.
 */
type Definite<Of extends Columns, Given> = {
  readonly [Name in keyof Given]: Name extends keyof Of
    ? null extends Given[Name]
      ? Given[Name] & null
      : Given[Name]
    : never;
};

export interface InTransaction {
  readonly transaction?: Transaction | undefined;
}

interface Chosen<Of extends Columns, Given> extends InTransaction {
  readonly where: Given & Definite<Of, Given>;
}

/** A lock needs a transaction that holds it. */
type Locking =
  | (InTransaction & { readonly lock?: undefined })
  | { readonly transaction: Transaction; readonly lock: RowLock };

type Reading<Name> = Locking & {
  /** The columns to read; default: all. */
  readonly attributes?: readonly Name[];
};

type ReadingRows<Of extends Columns, Given, Name> = Reading<Name> & {
  readonly where?: Given & Definite<Of, Given>;
  readonly order?: readonly (keyof Of | readonly [name: keyof Of, direction: 'ASC' | 'DESC'])[];
};

interface Rejecting {
  readonly rejectOnEmpty: true;
}

type ChangedValues<Of extends Columns> = {
  readonly [Name in keyof Of]?: RowValues<Of>[Name] | undefined;
};

type Found<Of extends Columns, Name extends keyof Of> = Pick<RowValues<Of>, Name>;

/**
 * Reads and writes the rows of a table by column values. This is the part of Sequelize's models that the service uses, under the
 * same names, with the types of the columns: a wrong name or value does not compile. Rows are plain objects.
 */
export interface BoundModel<Of extends Columns> {
  /** Null if there is no matching row; rejects with `rejectOnEmpty`. */
  findByPk<Name extends keyof Of>(key: string | number, options: Reading<Name> & Rejecting): Promise<Found<Of, Name>>;
  findByPk<Name extends keyof Of>(key: string | number, options?: Reading<Name>): Promise<Found<Of, Name> | null>;
  /** The first matching row. Null if there is none; rejects with `rejectOnEmpty`. */
  findOne<Given extends Where<Of>, Name extends keyof Of>(
    options: ReadingRows<Of, Given, Name> & Rejecting,
  ): Promise<Found<Of, Name>>;
  findOne<Given extends Where<Of>, Name extends keyof Of>(
    options: ReadingRows<Of, Given, Name>,
  ): Promise<Found<Of, Name> | null>;
  /** The row of this owner with this id. Throws NotFoundError, also if it belongs to another user. */
  findOwn<Name extends keyof Of>(item: Where<Of> & OwnedItem, options?: Reading<Name>): Promise<Found<Of, Name>>;
  findAll<Given extends Where<Of>, Name extends keyof Of>(
    options?: ReadingRows<Of, Given, Name>,
  ): Promise<Found<Of, Name>[]>;
  count<Given extends Where<Of>>(options?: Partial<Chosen<Of, Given>>): Promise<number>;
  /** Resolves with the stored row. */
  create(row: NewRowValues<Of>, options?: InTransaction): Promise<RowValues<Of>>;
  /** In one statement. */
  bulkCreate(rows: readonly NewRowValues<Of>[], options?: InTransaction): Promise<void>;
  /** Resolves with the number of updated rows. Columns whose value is undefined are unchanged. */
  update<Given extends Where<Of>>(values: ChangedValues<Of>, options: Chosen<Of, Given>): Promise<number>;
  /** Resolves with the number of deleted rows. */
  destroy<Given extends Where<Of>>(options: Chosen<Of, Given>): Promise<number>;
}

/** The ways to run a statement. */
export interface Statements extends SqlStatements {
  /** The model of a table, bound to this database. Throws if the table is not listed in `shared/models.ts`. */
  model<Definition extends ModelDefinition>(definition: Definition): BoundModel<Definition['columns']>;
  /**
   * As `rows`, for a frequent statement whose best plan does not depend on its values, such as a read by key: the server plans it
   * once per connection. Behind a pooler that does not support prepared statements it is the same as `rows`.
   */
  prepared<Row extends object>(sql: string, bind?: Record<string, unknown>): Promise<Row[]>;
  /** As `rows`, with the result of the driver: only for the modules in this folder. */
  run(
    sql: string,
    bind?: Readonly<Record<string, unknown>>,
    tx?: Transaction,
    bounds?: StatementBounds,
  ): Promise<StatementResult>;
  /** The same for `prepared`. */
  runPrepared(sql: string, bind?: Readonly<Record<string, unknown>>): Promise<StatementResult>;
}

/** Numbers of connections, and of callers waiting for one. */
export interface PoolState {
  readonly used: number;
  readonly idle: number;
  readonly waiting: number;
  readonly maximum: number;
}

/**
 * The only access to PostgreSQL: models for the rows of one table selected by values, SQL for conditional transitions, sets and
 * joins. Both use the same transactions.
 */
export interface Database extends Statements, SqlDatabase {
  /** The current state of the connection pool. */
  poolState(): PoolState;
  close(): Promise<void>;
}

/** The parts of a context that reading the database time needs. */
export interface TimeReader {
  readonly db: Pick<Database, 'rows'>;
  readonly log: Logger;
}

/** The time of the database, on which processes agree even if the clocks of their machines differ. */
export interface DatabaseTime {
  /**
   * Microseconds since 1970. Never decreases. A promise only until the first reading. In a transaction, that reading uses its
   * connection: waiting for another one could deadlock the pool.
   */
  now(reader: TimeReader, tx?: Transaction): number | Promise<number>;
}
