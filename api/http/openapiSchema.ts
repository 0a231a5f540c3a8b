import type { Schema } from 'joi';
import joiToSwagger from 'joi-to-swagger';

/** A CommonJS function whose types describe it as a module. */
const convert = joiToSwagger as unknown as typeof joiToSwagger.default;

type Json = Record<string, unknown>;

/** Schemas with a name, collected while routes are described: `#/components/schemas/<name>`. */
export type NamedSchemas = Record<string, Json>;

/**
 * A joi schema in the words of OpenAPI 3.1 (JSON Schema 2020-12). joi-to-swagger speaks 3.0, whose few differences
 * are translated here. Named schemas (`meta({ className })`) go into `named`.
 */
export function openapiSchema(schema: Schema, named: NamedSchemas): Json {
  const { swagger, components } = convert(schema, { schemas: named });
  for (const [name, definition] of Object.entries(components?.schemas ?? {})) named[name] = modern(definition) as Json;
  return modern(swagger) as Json;
}

/** Members of 3.0 that 3.1 has other words for, at every depth. */
function modern(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(modern);
  if (typeof value !== 'object' || value === null) return value;
  const { nullable, example, properties, 'x-required': _required, ...members } = value as Json;
  // Requests may hold more than is read, and answers may grow: no schema forbids a member it does not name.
  if (members['additionalProperties'] === false) delete members['additionalProperties'];
  if (members['format'] === 'float') delete members['format'];
  const told: Json = Object.fromEntries(
    Object.entries(members).map(([name, member]) => [name, name === 'enum' ? member : modern(member)]),
  );
  // Alternatives of joi may fit a value together, which `oneOf` would forbid.
  if (told['oneOf']) {
    told['anyOf'] = told['oneOf'];
    delete told['oneOf'];
  }
  if (nullable === true && typeof told['type'] === 'string') told['type'] = [told['type'], 'null'];
  if (example !== undefined) told['examples'] = [example];
  // Names of properties are names, whatever word they are.
  if (properties)
    told['properties'] = Object.fromEntries(
      Object.entries(properties as Json).map(([name, member]) => [name, modern(member)]),
    );
  return told;
}
