import { DataTypes } from 'sequelize';
import { orNotFound } from '../errors.js';
import type { RowLock, InTransaction, BoundModel, StatementResult, Transaction } from './database.js';
import type { Columns, ModelDefinition } from './model.js';
import { columnNameOf } from './statements.js';

type Values = Readonly<Record<string, unknown>>;
type Run = (sql: string, bind: Values, tx?: Transaction) => Promise<StatementResult>;

interface UntypedOptions extends InTransaction {
  readonly where?: Values;
  readonly attributes?: readonly string[];
  readonly order?: readonly (string | readonly [string, string])[];
  readonly lock?: RowLock;
  readonly rejectOnEmpty?: true;
}

/** Binds a table to a database: `run` runs the statements. */
export function bindModel<Of extends Columns>(definition: ModelDefinition<Of>, run: Run): BoundModel<Of> {
  return new UntypedModel(definition, run) as unknown as BoundModel<Of>;
}

/** Writes the statements. The types of its methods are those of `BoundModel`. */
class UntypedModel {
  readonly #table: string;
  readonly #columns: Columns;
  readonly #names: readonly string[];
  readonly #key: string;

  constructor(
    { tableName, columns }: ModelDefinition,
    private readonly run: Run,
  ) {
    this.#table = tableName;
    this.#columns = columns;
    this.#names = Object.keys(columns);
    this.#key = this.#names.find((name) => columns[name]?.attribute.primaryKey) ?? '';
  }

  async findByPk(key: unknown, options: UntypedOptions = {}): Promise<Values | null> {
    return this.#first(await this.findAll({ ...options, where: { [this.#key]: key } }), options);
  }

  async findOne(options: UntypedOptions): Promise<Values | null> {
    return this.#first(await this.#read(options, ' LIMIT 1'), options);
  }

  async findOwn(where: Values, options: UntypedOptions = {}): Promise<Values> {
    return orNotFound(await this.findOne({ ...options, where }));
  }

  findAll(options: UntypedOptions = {}): Promise<Values[]> {
    return this.#read(options);
  }

  async count({ where = {}, transaction }: UntypedOptions = {}): Promise<unknown> {
    const { rows } = await this.run(`SELECT count(*) FROM ${this.#table}${conditionOf(where)}`, where, transaction);
    return rows[0]?.['count'];
  }

  async create(row: Values, options: InTransaction = {}): Promise<Values | undefined> {
    return (await this.#insert([row], options, ` RETURNING ${listOf(this.#names)}`)).rows[0];
  }

  async bulkCreate(rows: readonly Values[], options: InTransaction = {}): Promise<void> {
    if (rows.length > 0) await this.#insert(rows, options);
  }

  async update(values: Values, { where = {}, transaction }: UntypedOptions): Promise<number | null> {
    const defined = this.#names.filter((name) => values[name] !== undefined);
    const changes = defined.map((name) => `${columnNameOf(name)} = $new_${name}`).join(', ');
    const bind = Object.fromEntries(defined.map((name) => [`new_${name}`, this.#bound(name, values)]));
    const sql = `UPDATE ${this.#table} SET ${changes}${conditionOf(where)}`;
    return (await this.run(sql, { ...where, ...bind }, transaction)).rowCount;
  }

  async destroy({ where = {}, transaction }: UntypedOptions): Promise<number | null> {
    return (await this.run(`DELETE FROM ${this.#table}${conditionOf(where)}`, where, transaction)).rowCount;
  }

  async #read(
    { where = {}, attributes = this.#names, order = [], lock, transaction }: UntypedOptions,
    limit = '',
  ): Promise<Values[]> {
    const by = order.map((one) => (typeof one === 'string' ? columnNameOf(one) : `${columnNameOf(one[0])} ${one[1]}`));
    const end = `${by.length > 0 ? ` ORDER BY ${by.join(', ')}` : ''}${limit}${lock ? ` FOR ${lock}` : ''}`;
    const sql = `SELECT ${listOf(attributes)} FROM ${this.#table}${conditionOf(where)}${end}`;
    return (await this.run(sql, where, transaction)).rows;
  }

  #first([row]: readonly Values[], { rejectOnEmpty }: UntypedOptions): Values | null {
    if (!row && rejectOnEmpty) throw new Error(`${this.#table} has no such row`);
    return row ?? null;
  }

  #insert(rows: readonly Values[], { transaction }: InTransaction, end = ''): Promise<StatementResult> {
    const defined = this.#names.filter((name) => rows.some((row) => row[name] !== undefined));
    const bind: Record<string, unknown> = {};
    const tuples = rows.map((row, position) => {
      const values = defined.map((name) => {
        if (row[name] === undefined) return 'DEFAULT';
        bind[`${name}_${position}`] = this.#bound(name, row);
        return `$${name}_${position}`;
      });
      return `(${values.join(', ')})`;
    });
    const sql = `INSERT INTO ${this.#table} (${listOf(defined)}) VALUES ${tuples.join(', ')}${end}`;
    return this.run(sql, bind, transaction);
  }

  /** JSON as text: the driver would convert an array into a PostgreSQL array. */
  #bound(name: string, values: Values): unknown {
    const value = values[name];
    return this.#columns[name]?.attribute.type === DataTypes.JSONB && value !== null ? JSON.stringify(value) : value;
  }
}

function listOf(names: readonly string[]): string {
  return names.map(columnNameOf).join(', ');
}

function conditionOf(where: Values): string {
  const conditions = Object.entries(where).map(([name, value]) => {
    if (value === null) return `${columnNameOf(name)} IS NULL`;
    return Array.isArray(value) ? `${columnNameOf(name)} = ANY($${name})` : `${columnNameOf(name)} = $${name}`;
  });
  return conditions.length > 0 ? ` WHERE ${conditions.join(' AND ')}` : '';
}
