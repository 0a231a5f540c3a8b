import { TypeFlags, type Type, type TypeReference } from 'typescript/unstable/sync';
import { propertyOf } from '../../../shared/platform/database/statements.js';
import type { DescribedColumn, Description } from './describe.js';
import type { FoundStatement } from './find.js';
import { kindsOf, type Kind } from './kinds.js';
import { isKnownNotNull, outerTables } from './nullability.js';
import type { Sources } from './project.js';
import { isReadAs, kindOfColumn } from './serverTypes.js';

interface Schema {
  readonly tables: ReadonlySet<string>;
  /** Whether a nullable column `table.column` is known to have a value in the rows of the statement. */
  isPresent(column: string): boolean;
}

/** All columns of a table: then there may be more than the type of the row names. */
const everyColumn = /(?:SELECT|RETURNING|,)\s+(?:\w+\.)?\*/;

/** What is different between the columns and the type of the rows. One sentence each. */
export function columnFaults(
  sources: Sources,
  { call, sql }: FoundStatement,
  { columns }: Description,
  schema: Schema,
): string[] {
  const row = rowType(sources, sources.typeOf(call));
  // Where the call names no type, nobody reads the columns.
  if (!row || (row.flags & TypeFlags.NonPrimitive) !== 0) return [];
  const { checker } = sources;
  const properties = new Map(checker.getPropertiesOfType(row).map((property) => [property.name, property]));
  const isOpen = everyColumn.test(sql) || checker.getIndexInfosOfType(row).length > 0;
  const outer = outerTables(sql, schema.tables);
  const mayBeNull = ({ origin }: DescribedColumn): boolean =>
    origin !== null &&
    (origin.isNullable || outer.has(origin.table)) &&
    !isKnownNotNull(sql, origin.column) &&
    !schema.isPresent(`${origin.table}.${origin.column}`);

  const ofColumns = columns.flatMap((column) => {
    const name = propertyOf(column.name);
    const property = properties.get(name);
    const type = property && checker.getTypeOfSymbol(property);
    if (type) return faultsOfColumn(column, name, kindsOf(sources, type), mayBeNull);
    return isOpen ? [] : [`the column ${column.name} is not in the type of the row`];
  });
  const selected = new Set(columns.map(({ name }) => propertyOf(name)));
  const missing = [...properties].filter(([name, property]) => {
    const type = checker.getTypeOfSymbol(property);
    return !selected.has(name) && type && !kindsOf(sources, type).includes('undefined');
  });
  return [...ofColumns, ...missing.map(([name]) => `the type of the row has ${name}, which is no column`)];
}

function faultsOfColumn(
  column: DescribedColumn,
  name: string,
  declared: readonly Kind[],
  mayBeNull: (column: DescribedColumn) => boolean,
): string[] {
  const { type } = column;
  const kind = kindOfColumn(type);
  if (kind === undefined) return [`serverTypes.ts does not know the type ${type} of the column ${column.name}`];
  const declaration = `${name} is declared ${declared.join(' | ')}`;
  const values = declared.filter((one) => one !== 'null' && one !== 'undefined');
  if (!values.every((one) => isReadAs(kind, one))) return [`the column ${column.name} is ${type}, but ${declaration}`];
  if (declared.includes('null') || declared.includes('any') || !mayBeNull(column)) return [];
  const { origin } = column;
  return [`the column ${origin?.table}.${origin?.column} may be null, but ${declaration}`];
}

/** `Row` of `Promise<Row[]>`. */
function rowType({ checker }: Sources, type: Type | undefined): Type | undefined {
  const [rows] = type?.isTypeReference() ? checker.getTypeArguments(type) : [];
  if (!rows || !checker.isArrayLikeType(rows)) return undefined;
  return checker.getTypeArguments(rows as TypeReference)[0];
}
