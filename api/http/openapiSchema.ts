import type { Schema } from 'joi';
import joiToSwagger from 'joi-to-swagger';
import { memberDescriptions } from './memberDescriptions.js';

/** A CommonJS function whose types describe it as a module. */
const convert = joiToSwagger as unknown as typeof joiToSwagger.default;

type Json = Record<string, unknown>;

/** Named schemas by name, collected while routes are described: `#/components/schemas/<name>`. */
export type NamedSchemas = Record<string, Json>;

/**
 * A joi schema as OpenAPI 3.1 (JSON Schema 2020-12). joi-to-swagger writes 3.0; the differences are converted here.
 * Schemas with a name (`meta({ className })`) are added to `named`.
 */
export function openapiSchema(schema: Schema, named: NamedSchemas): Json {
  const { swagger, components } = convert(schema, { schemas: named });
  for (const [name, definition] of Object.entries(components?.schemas ?? {})) named[name] = modern(definition) as Json;
  return modern(swagger) as Json;
}

/** Keywords with values and with the rules of `documented.ts`: they need no conversion. */
const writtenByUs: ReadonlySet<string> = new Set(['enum', 'allOf', 'dependentRequired']);

/**
 * A value may match several alternatives of joi, which `oneOf` would forbid. An alternative without rules stands for an ignored
 * member (`onlyWith`) and is not documented.
 */
function alternatives(schemas: readonly Json[]): Json {
  const [first, ...others] = schemas.filter((schema) => Object.keys(schema).length > 0);
  if (!first) return {};
  return others.length === 0 ? first : { anyOf: [first, ...others] };
}

function isTexts(values: unknown): boolean {
  return Array.isArray(values) && values.every((value) => typeof value === 'string');
}

/** A member with the description of its schema, or else the description for its name. */
function described(name: string, member: Json): Json {
  const { description = memberDescriptions[name] } = member;
  return description === undefined ? member : { ...member, description };
}

/** Converts keywords of 3.0 that 3.1 has replaced, at every depth. */
function modern(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(modern);
  if (typeof value !== 'object' || value === null) return value;
  const { nullable, example, properties, 'x-required': _required, ...members } = value as Json;
  // Unknown members of requests are ignored, and responses may gain members: no schema forbids additional members.
  if (members['additionalProperties'] === false) delete members['additionalProperties'];
  if (members['format'] === 'float') delete members['format'];
  const converted: Json = Object.fromEntries(
    Object.entries(members).map(([name, member]) => [name, writtenByUs.has(name) ? member : modern(member)]),
  );
  if (converted['oneOf']) Object.assign(converted, alternatives(converted['oneOf'] as Json[]));
  delete converted['oneOf'];
  if (nullable === true && typeof converted['type'] === 'string') converted['type'] = [converted['type'], 'null'];
  // joi-to-swagger writes values without a type; generated clients need the type.
  if (isTexts(converted['enum'])) converted['type'] ??= 'string';
  if (example !== undefined) converted['examples'] = [example];
  // A property may have the name of a keyword, so only its schema is converted.
  if (properties)
    converted['properties'] = Object.fromEntries(
      Object.entries(properties as Json).map(([name, member]) => [name, described(name, modern(member) as Json)]),
    );
  return converted;
}
