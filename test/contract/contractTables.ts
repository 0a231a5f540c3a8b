import { readFileSync } from 'node:fs';
import { projectFile } from '../support/projectFile.js';

/** A member as `docs/contract.md` tells of it. */
export interface DocumentedMember {
  /** Members of objects as `profile.email`. */
  readonly name: string;
  readonly isRequired: boolean;
  /** Of the column "Type"; empty: the table does not say. */
  readonly type: string;
}

/** A table with the columns "Field", "Type" and others. */
interface FieldTable {
  /** Name of the anchor above it. */
  readonly anchor: string;
  /** The schemas that it describes, with the view that each is: `VodItem` is the private view. `*` stands for any text. */
  readonly schemas: readonly { readonly name: string; readonly view: string }[];
  /** The members, each with the view that alone has it; empty: every view. */
  readonly members: readonly (DocumentedMember & { readonly view: string })[];
}

/** A row of a table of operations. */
export interface DocumentedOperation {
  /** `POST /api/box/{}` */
  readonly shape: string;
  readonly request: string;
  readonly response: string;
}

const lines = readFileSync(projectFile('docs/contract.md'), 'utf8').split('\n');
/** Links to fields tables, with the anchor. */
const links = /\[[^\]]+\]\(#([\w-]+)\)/g;

/** The cells of a row; `\|` is a character of a cell. */
function cellsOf(line: string): string[] {
  const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
  return cells.slice(1, -1);
}

export function anchorsIn(cell: string): string[] {
  return [...cell.matchAll(links)].map((match) => match[1] ?? '');
}

/** The names in backticks of a cell: `` `title`, `tags?` ``. Names with capitals only are values. */
export function membersIn(cell: string, type = ''): DocumentedMember[] {
  return [...cell.matchAll(/`([a-z][\w.[\]]*)(\??)`/g)].map(([, name = '', mark]) => ({
    name,
    isRequired: mark === '',
    type,
  }));
}

/** The members of `{a, b?}`; undefined where a cell has none. */
export function membersInBraces(cell: string): DocumentedMember[] | undefined {
  const text = /`\{([^{}]*)\}/.exec(cell)?.[1];
  return text === undefined
    ? undefined
    : text.split(/,\s*/).map((word) => ({ name: word.replace('?', ''), isRequired: !word.endsWith('?'), type: '' }));
}

/** "private view: ..." in the column "Notes" says that a member is in this view only. */
function viewOf(notes: string): string {
  return /^(private view|public view|private search)\b/.exec(notes)?.[1] ?? '';
}

function readFieldTables(): FieldTable[] {
  const tables: FieldTable[] = [];
  let anchor = '';
  let schemas: FieldTable['schemas'] = [];
  for (const [index, line] of lines.entries()) {
    anchor = /^<a id="([\w-]+)">/.exec(line)?.[1] ?? anchor;
    if (line.startsWith('<a id=')) schemas = [];
    if (/^Schemas?:? /.test(line))
      schemas = [...line.matchAll(/`([A-Z*]\w*)`(?: \(([^)]*)\))?/g)].map(([, name = '', view = '']) => ({
        name,
        view,
      }));
    if (!line.startsWith('| Field |')) continue;
    const rows = lines.slice(index + 2);
    const members = rows
      .slice(
        0,
        rows.findIndex((row) => !row.startsWith('|')),
      )
      .flatMap((row) => {
        const [names = '', type = '', notes = ''] = cellsOf(row);
        return membersIn(names, type).map((member) => ({ ...member, view: viewOf(notes) }));
      });
    tables.push({ anchor, schemas, members });
  }
  return tables;
}

/** Method and path without the names of parameters. */
export function shapeOf(method: string, path: string): string {
  return `${method.toUpperCase()} ${path.replace(/\{\w+\}|<\w+>/g, '{}')}`;
}

function readOperations(): DocumentedOperation[] {
  const reported: DocumentedOperation[] = [];
  let created = '';
  for (const line of lines) {
    const [operation = '', , request = '', response = ''] = cellsOf(line);
    const method = /^(GET|HEAD|POST|PATCH|DELETE) `\/(?:api|oauth|rest|asset|download)\//.exec(operation)?.[1];
    if (!method || cellsOf(line).length !== 4 || operation.includes('/hooks/')) continue;
    if (response.startsWith('201')) created = request;
    for (const [, path = ''] of operation.matchAll(/`([^`]+)`/g))
      // "any members of create" is the request of the operation above that creates such an item, without required members.
      reported.push({
        shape: shapeOf(method, path),
        request: request.replace(/\bany members of (create|publish)\b/, created.replaceAll(/(?<=`[\w.]+)`/g, '?`')),
        response,
      });
  }
  return reported;
}

export const fieldTables: readonly FieldTable[] = readFieldTables();
export const documentedOperations: readonly DocumentedOperation[] = readOperations();

/** The members that a table tells of in a view, or in several. */
export function membersOfTable({ members }: FieldTable, view = ''): DocumentedMember[] {
  return members.filter((member) => view.includes(member.view));
}

/** The table that describes a schema, and the view that it is. */
export function tableOfSchema(schema: string): { table: FieldTable; view: string } | undefined {
  const found = fieldTables.flatMap((table) =>
    table.schemas
      .filter(({ name }) => new RegExp(`^${name.replace('*', '\\w+')}$`).test(schema))
      .map(({ view }) => ({ table, view })),
  );
  if (found.length > 1) throw new Error(`${schema} has ${found.length} tables`);
  return found[0];
}
