import { openapiOf } from '../../api/http/openapiDocument.js';
import { marksOf, replaceMarked, type Mark } from './contractMarks.js';
import { fieldsOf, operationFields, type Field } from './describedFields.js';
import { eventTable } from './eventTable.js';
import { CommonFields, fieldTable, mergedViews, requestTable } from './fieldTables.js';
import { pathOperations, withPartsInline, type DescribedService } from './openapiTypes.js';
import {
  fieldUses,
  labelledFields,
  operationTable,
  type FieldUse,
  type FieldedOperation,
  type SharedRequest,
} from './operationTables.js';
import { hasTable, type Anchors } from './typeText.js';

/**
 * The text of `docs/contract.md` with the tables that are generated from `/openapi.json`. The marks and their tables:
 * - `<!-- operations: /api/vod, /api/public/vod -->` the operations whose longest prefix among all marks is one of these;
 * - `<!-- pages: /embed, /oembed -->` the same without their fields;
 * - `<!-- fields: VodItem (private view), PublicVodItem (public view) -->` these schemas as one table;
 * - `<!-- request: POST /api/vod/{vodId}/pay -->` a body that several requests contain;
 * - `<!-- common -->` the fields that several tables have in common;
 * - `<!-- events -->` the events that webhooks receive.
 */
export function contractPage(text: string): string {
  const marks = marksOf(text);
  const anchors = anchorsOf(marks);
  const described = openapiOf({ name: 'Service', publicUrl: 'https://video.example.org' });
  const service = withPartsInline(described as unknown as DescribedService, (name) => hasTable(name, anchors));
  const operations = pathOperations(service).map((operation) => ({
    operation,
    fields: operationFields(operation, service, anchors),
  }));
  const shared = marks.filter(({ kind }) => kind === 'request').map((mark) => sharedRequest(mark, operations));
  const placed = placedOperations(marks, operations);
  const tables = new Map(marks.map((mark) => [mark, fieldsOfMark(mark)]));
  const common = new CommonFields([...tables.values()]);
  return replaceMarked(text, marks, render);

  function fieldsOfMark(mark: Mark): readonly Field[] {
    if (mark.kind === 'operations') return usesOf(mark).map(({ field }) => field);
    if (mark.kind === 'request') return shared.find(({ anchor }) => anchor === mark.anchor)?.fields ?? [];
    if (mark.kind !== 'fields') return [];
    return mergedViews(viewsOf(mark).map(({ name, view }) => ({ view, fields: fieldsOfSchema(name) })));
  }

  function usesOf(mark: Mark): FieldUse[] {
    return fieldUses(placed.get(mark) ?? [], shared);
  }

  function fieldsOfSchema(name: string): Field[] {
    const form = new RegExp(`^${name.replace('*', '\\w+')}$`);
    const [, schema] = Object.entries(service.components.schemas).find(([one]) => form.test(one)) ?? [];
    if (!schema) throw new Error(`docs/contract.md contains a mark for the schema ${name}, which no operation uses`);
    return fieldsOf(schema, anchors, true);
  }

  function render(mark: Mark): string {
    const fields = tables.get(mark) ?? [];
    if (mark.kind === 'common') return common.table();
    if (mark.kind === 'events') return eventTable(service, anchors);
    if (mark.kind === 'request') return fieldTable(fields);
    if (mark.kind === 'fields') {
      const section = marks.findLast(({ kind, line }) => kind === 'operations' && line < mark.line);
      const requests = section ? [requestTable(tables.get(section) ?? [], section.anchor)] : [];
      return fieldTable(fields, [common, ...requests], schemasOf(mark));
    }
    const own = labelledFields(usesOf(mark).filter(({ field }) => !common.has(field)));
    const table = operationTable(placed.get(mark) ?? [], shared, anchors);
    return own.length === 0 || mark.kind === 'pages' ? table : `${table}\n\n${fieldTable(own)}`;
  }
}

/** The schemas of a mark, each with the name of its view. */
function viewsOf({ subjects }: Mark): { name: string; view: string }[] {
  return subjects.map((subject) => {
    const [, name = '', view = ''] = /^(\S+)(?: \((.+)\))?$/.exec(subject) ?? [];
    return { name, view };
  });
}

function schemasOf(mark: Mark): string {
  return viewsOf(mark)
    .map(({ name, view }) => `\`${name}\`${view && ` (${view})`}`)
    .join(', ');
}

function anchorsOf(marks: readonly Mark[]): Anchors {
  const described = marks.filter(({ kind }) => kind === 'fields');
  return new Map(described.flatMap((mark) => viewsOf(mark).map(({ name }) => [name, mark.anchor] as const)));
}

function sharedRequest({ title, anchor, subjects }: Mark, operations: readonly FieldedOperation[]): SharedRequest {
  const found = operations.find(({ operation }) => `${operation.method} ${operation.path}` === subjects[0]);
  if (!found) throw new Error(`docs/contract.md contains a mark for ${subjects[0]}, which is not an operation`);
  return { title, anchor, fields: found.fields.body };
}

/** The operations of each mark. */
function placedOperations(
  marks: readonly Mark[],
  operations: readonly FieldedOperation[],
): ReadonlyMap<Mark, readonly FieldedOperation[]> {
  const prefixes = marks
    .filter(({ kind }) => kind === 'operations' || kind === 'pages')
    .flatMap((mark) => mark.subjects.map((prefix) => ({ mark, prefix })))
    .toSorted((one, another) => another.prefix.length - one.prefix.length);
  const placed = new Map<Mark, FieldedOperation[]>();
  for (const one of operations) {
    const { path } = one.operation;
    const found = prefixes.find(({ prefix }) => path === prefix || path.startsWith(`${prefix}/`));
    if (!found) throw new Error(`docs/contract.md has no mark for ${path}: add it to one of <!-- operations: ... -->`);
    placed.set(found.mark, [...(placed.get(found.mark) ?? []), one]);
  }
  return placed;
}
