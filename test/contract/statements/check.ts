import type { Node } from 'typescript/unstable/ast';
import { TypeFlags, type Type, type TypeReference } from 'typescript/unstable/sync';
import { propertyOf } from '../../../shared/platform/database/statements.js';
import { createStatements } from '../../../shared/platform/database/statementText.js';
import type { DescribedColumn, Describer, Description } from './describe.js';
import { ObjectValue, UnknownValue } from './evaluation.js';
import type { FoundStatement } from './find.js';
import { isKnownNotNull, outerTables } from './nullability.js';
import type { Sources } from './sources.js';
import { isReadAs, kindOfColumn, kindsOf, kindsOfParameter, type Kind } from './types.js';

/** A nullable column that is not null in the rows that the statements of a file read. */
export interface Presence {
  readonly file: string;
  /** `table.column` */
  readonly column: string;
}

/**
 * Compares statements with the server's descriptions. Resolves with one sentence for each fault (file, line, difference) and with
 * unused `presences`.
 */
export async function checkStatements(
  sources: Sources,
  statements: readonly FoundStatement[],
  server: Describer,
  presences: readonly Presence[] = [],
): Promise<{ readonly faults: readonly string[]; readonly unusedPresences: readonly Presence[] }> {
  const textOf = createStatements();
  const described = new Map<string, Description | Error>();
  const faults = new Set<string>();
  const usedPresences = new Set<Presence>();
  /** The properties of bind arguments, and whether a statement uses them. */
  const properties = new Map<Node, { readonly name: string; isUsed: boolean }>();
  for (const statement of statements) {
    const { text, names } = textOf(statement.sql);
    const known = described.get(text) ?? (await server.describe(text).catch((error: unknown) => error as Error));
    described.set(text, known);
    const report = (fault: string): unknown => faults.add(`${statement.place}: ${fault}`);
    if (known instanceof Error) {
      report(`the server rejects the statement: ${known.message}`);
      continue;
    }
    const file = sources.fileOf(statement.call);
    const isPresent = (column: string): boolean => {
      const presence = presences.find((one) => one.file === file && one.column === column);
      if (presence) usedPresences.add(presence);
      return presence !== undefined;
    };
    const bound = bindsOf(sources, statement);
    columnFaults(sources, statement, known, { tables: server.tables, isPresent }).forEach(report);
    bindFaults(bound, names, known).forEach(report);
    for (const [name, { node }] of bound ?? []) {
      if (!node) continue;
      const isUsed = names.includes(name) || (properties.get(node)?.isUsed ?? false);
      properties.set(node, { name, isUsed });
    }
  }
  for (const [node, { name, isUsed }] of properties)
    if (!isUsed) faults.add(`${sources.placeOf(node)}: no statement uses the bind $${name}`);
  return { faults: [...faults], unusedPresences: presences.filter((presence) => !usedPresences.has(presence)) };
}

interface Schema {
  readonly tables: ReadonlySet<string>;
  /** Whether a nullable column `table.column` is known to be not null in the statement's rows. */
  isPresent(column: string): boolean;
}

/** Whether the statement returns all columns of a table, which may be more than the row type declares. */
const everyColumn = /(?:SELECT|RETURNING|,)\s+(?:\w+\.)?\*/;

/** The differences between the columns and the row type, one sentence each. */
function columnFaults(
  sources: Sources,
  { call, sql }: FoundStatement,
  { columns }: Description,
  schema: Schema,
): string[] {
  const row = rowType(sources, sources.typeOf(call));
  // Without a row type, the call does not read the columns.
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
    return isOpen ? [] : [`the column ${column.name} is not in the row type`];
  });
  const selected = new Set(columns.map(({ name }) => propertyOf(name)));
  const missing = [...properties].filter(([name, property]) => {
    const type = checker.getTypeOfSymbol(property);
    return !selected.has(name) && type && !kindsOf(sources, type).includes('undefined');
  });
  return [...ofColumns, ...missing.map(([name]) => `the row type has ${name}, which is not a column`)];
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

/** A property of the bind argument. */
interface Bound {
  readonly kinds: readonly Kind[];
  /** Its position in a literal. */
  readonly node: Node | null;
}

/** The properties of an argument, or null if its type does not declare them. */
function bindsOf(sources: Sources, { binds }: FoundStatement): ReadonlyMap<string, Bound> | null {
  if (binds === undefined) return new Map();
  const bound = new Map<string, Bound>();
  const unknown = binds instanceof ObjectValue ? binds.spread : binds instanceof UnknownValue ? [binds] : [];
  for (const { node } of unknown) {
    const type = sources.typeOf(node);
    if (!type || sources.checker.getIndexInfosOfType(type).length > 0) return null;
    // The same condition selects the member of a union type and the text of the statement.
    for (const member of type.isUnionType() ? type.getTypes() : [type])
      for (const property of sources.checker.getPropertiesOfType(member)) {
        const declared = sources.checker.getTypeOfSymbol(property);
        bound.set(property.name, { kinds: declared ? kindsOf(sources, declared) : ['any'], node: null });
      }
  }
  if (binds instanceof ObjectValue)
    for (const [name, { expression, node }] of binds.entries) {
      const type = sources.typeOf(expression);
      bound.set(name, { kinds: type ? kindsOf(sources, type) : ['any'], node });
    }
  return bound;
}

/** The faults of the values of the parameters `names`, one sentence each. */
function bindFaults(
  bound: ReadonlyMap<string, Bound> | null,
  names: readonly string[],
  { parameters }: Description,
): string[] {
  return names.flatMap((name, position) => {
    const value = bound?.get(name);
    if (bound === null) return [];
    if (!value) return [`the bind $${name} is missing`];
    if (value.kinds.includes('undefined')) return [`the bind $${name} may be undefined`];
    const type = parameters[position] ?? '';
    const possible = kindsOfParameter(type);
    if (!possible)
      return [`the bind $${name} has the type ${type}, which test/contract/statements/types.ts does not know`];
    const isPossible = (kind: Kind): boolean =>
      ['any', 'null', 'any[]', 'null[]'].includes(kind) || possible.includes(kind);
    if (value.kinds.every(isPossible)) return [];
    return [`the bind $${name} is ${type}, but its value is ${value.kinds.join(' | ')}`];
  });
}
