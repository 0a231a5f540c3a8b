import type { Node } from 'typescript/unstable/ast';
import { createStatements } from '../../../shared/platform/database/statementText.js';
import { bindFaults, bindsOf } from './binds.js';
import { columnFaults } from './columns.js';
import type { Describer, Description } from './describe.js';
import type { FoundStatement } from './find.js';
import type { Sources } from './project.js';

/** A nullable column that is not null in the rows that the statements of a file read. */
export interface Presence {
  readonly file: string;
  /** `table.column` */
  readonly column: string;
}

/**
 * Compares statements with what the server says of them. Resolves with one sentence for each fault (file, line, and what is
 * different) and with those of `presences` that were not needed.
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
  /** Properties of bind arguments, and whether a statement uses them. */
  const properties = new Map<Node, { readonly name: string; isUsed: boolean }>();
  for (const statement of statements) {
    const { text, names } = textOf(statement.sql);
    const known = described.get(text) ?? (await server.describe(text).catch((error: unknown) => error as Error));
    described.set(text, known);
    const report = (fault: string): unknown => faults.add(`${statement.place}: ${fault}`);
    if (known instanceof Error) {
      report(`the server refuses the statement: ${known.message}`);
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
