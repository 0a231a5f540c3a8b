import type { NamedSchemas } from './openapiSchema.js';

type Json = Record<string, unknown>;

/** Examples, by name, of members whose schemas have no example of their own. */
const memberExamples: Readonly<Record<string, string>> = {
  title: 'The river',
  name: 'Rivers',
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.org',
  userCode: 'ada',
  password: 'the river 1',
  passwordConfirm: 'the river 1',
  currentPassword: 'an old river',
  newPassword: 'the river 1',
  url: 'https://example.org/film.mp4',
  returnUrl: 'https://shop.example.org/paid',
  cancelUrl: 'https://shop.example.org/left',
};
const exampleId = '8c3f0e52-1f0b-4d5e-9a57-2a6d3f1f3c11';

/**
 * An example of a body: its required members, each with the example of its schema. `test/contract/openapi.test.ts` validates it
 * with the schema that checks requests.
 */
export function exampleOf(schema: Json, named: NamedSchemas, name = ''): unknown {
  const { $ref: reference, examples, enum: values, const: constant, default: usual } = schema;
  if (typeof reference === 'string') return exampleOf(named[reference.split('/').at(-1) ?? ''] ?? {}, named, name);
  const [example] = [...asList(examples), ...(constant === undefined ? [] : [constant]), ...asList(values)];
  if (example !== undefined) return example;
  if (usual !== undefined) return usual;
  const [alternative] = asList(schema['anyOf']);
  if (alternative !== undefined && schema['type'] === undefined) return exampleOf(alternative as Json, named, name);
  if (schema['properties']) return exampleOfObject(schema, named);
  switch (schema['type']) {
    case 'array':
      return [exampleOf(schema['items'] as Json, named, name)];
    case 'integer':
    case 'number':
      return schema['minimum'] ?? 1;
    case 'boolean':
      return true;
    default:
      return memberExamples[name] ?? (schema['format'] === 'uuid' || name.endsWith('Id') ? exampleId : 'text');
  }
}

function exampleOfObject({ properties, required }: Json, named: NamedSchemas): Json {
  const members = properties as Record<string, Json>;
  return Object.fromEntries(
    asList(required).map((name) => [name, exampleOf(members[String(name)] ?? {}, named, String(name))]),
  );
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
