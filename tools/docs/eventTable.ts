import { fieldsOf } from './describedFields.js';
import { cell, fieldTable } from './fieldTables.js';
import type { DescribedSchema, DescribedService } from './openapiTypes.js';
import type { Anchors } from './typeText.js';

/** The body of the requests to webhooks, and the types of events with their data. */
export function eventTable({ webhooks }: DescribedService, anchors: Anchors): string {
  const events = Object.entries(webhooks).map(([type, { post }]) => {
    const [body] = Object.values(post.requestBody?.content ?? {});
    return { type, meaning: post.description, body: body?.schema ?? {} };
  });
  const [first] = events;
  const fields = fieldsOf(withoutMembers(first?.body ?? {}), anchors, true);
  const rows = events.map(({ type, meaning, body }) => {
    const data = fieldsOf(body.properties?.['data'] ?? {}, anchors, true).filter(({ name }) => !/[.[]/.test(name));
    const members = data.map((field) => `\`${field.name}${field.isRequired ? '' : '?'}\` (${field.type})`);
    return `| \`${type}\` | ${cell(meaning)} | ${members.join(', ')} |`;
  });
  return [fieldTable(fields), '', '| Type | Sent when | `data` |', '|---|---|---|', ...rows].join('\n');
}

/** The members of the body that all events have. */
function withoutMembers(schema: DescribedSchema): DescribedSchema {
  const members = Object.entries(schema.properties ?? {}).map(
    ([name, { properties: _data, enum: _value, ...member }]) => [name, member],
  );
  return { ...schema, properties: Object.fromEntries(members) };
}
