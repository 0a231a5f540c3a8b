import { DataTypes } from 'sequelize';

/**
 * A column of a table. `Value` is the type in a row; `Optional` means that an insert may omit it, because it is nullable or the
 * database has a default.
 */
export interface Column<Value, Optional extends boolean = false> {
  readonly attribute: ColumnAttribute;
  /** Only for inference. */
  readonly value?: Value;
  readonly optional?: Optional;
  nullable(): Column<Value | null, true>;
  /** The database has a default, written in the migration. */
  withDefault(): Column<Value, true>;
  primaryKey(): Column<Value, Optional>;
}

interface ColumnAttribute {
  readonly type: unknown;
  readonly allowNull: boolean;
  readonly primaryKey?: boolean;
  readonly autoIncrement?: boolean;
  readonly hasDefault?: boolean;
}

export type Columns = Readonly<Record<string, Column<unknown, boolean>>>;

type ValueOf<Of> = Of extends Column<infer Value, boolean> ? Value : never;

type OptionalKeys<Of extends Columns> = {
  [Key in keyof Of]: Of[Key] extends Column<unknown, true> ? Key : never;
}[keyof Of];

/** A row with all its columns. */
export type RowValues<Of extends Columns> = { -readonly [Key in keyof Of]: ValueOf<Of[Key]> };

/** The members of an insert, required and optional. */
export type NewRowValues<Of extends Columns> = Omit<RowValues<Of>, OptionalKeys<Of>> &
  Partial<Pick<RowValues<Of>, OptionalKeys<Of>>>;

/**
 * The declaration of a table: every column once. Listed in `shared/models.ts`; bound to a database by `Database.model`.
 */
export interface ModelDefinition<Of extends Columns = Columns> {
  readonly tableName: string;
  readonly columns: Of;
}

/** A row of a table, with all its columns. */
export type RowOf<Definition> = Definition extends ModelDefinition<infer Of> ? RowValues<Of> : never;

/** Declares a table. Properties are in camel case, columns in snake case. */
export function defineModel<Of extends Columns>(tableName: string, columns: Of): ModelDefinition<Of> {
  return { tableName, columns };
}

function makeColumn<Value, Optional extends boolean = false>(
  type: unknown,
  options: Partial<ColumnAttribute> = {},
): Column<Value, Optional> {
  const make = <Made, MadeOptional extends boolean>(attribute: ColumnAttribute): Column<Made, MadeOptional> => ({
    attribute,
    nullable: () => make({ ...attribute, allowNull: true }),
    withDefault: () => make({ ...attribute, hasDefault: true }),
    primaryKey: () => make({ ...attribute, primaryKey: true }),
  });
  return make({ type, allowNull: false, ...options });
}

/** The types of columns. */
export const column = {
  uuid: (): Column<string> => makeColumn(DataTypes.UUID),
  text: <Value extends string = string>(): Column<Value> => makeColumn(DataTypes.TEXT),
  textArray: (): Column<string[]> => makeColumn(DataTypes.ARRAY(DataTypes.TEXT)),
  integer: (): Column<number> => makeColumn(DataTypes.INTEGER),
  bigint: (): Column<number> => makeColumn(DataTypes.BIGINT),
  /** A bigint identity column. */
  identity: (): Column<number, true> =>
    makeColumn<number, true>(DataTypes.BIGINT, { primaryKey: true, autoIncrement: true, hasDefault: true }),
  real: (): Column<number> => makeColumn(DataTypes.FLOAT),
  boolean: (): Column<boolean> => makeColumn(DataTypes.BOOLEAN),
  /** A timestamp. */
  timestamp: (): Column<Date> => makeColumn(DataTypes.DATE),
  /** A day without a time zone: yyyy-MM-dd. */
  day: (): Column<string> => makeColumn(DataTypes.DATEONLY),
  bytes: (): Column<Buffer> => makeColumn(DataTypes.BLOB),
  json: <Value extends object>(): Column<Value> => makeColumn(DataTypes.JSONB),
} as const;
