import type { ObjectSchema, SchemaMap } from 'joi';
import { reject } from '../../shared/platform/validation.js';
import { documented, requires } from './documented.js';

export interface ChangeRules {
  /** The members that make a body complete; by default the required members of the item. */
  readonly needed?: readonly string[];
  /** Schemas that differ in a change: an empty value removes the member, or its rules depend on the stored row. */
  readonly members?: SchemaMap;
  /** Values that a complete body gives to optional members that it leaves out. */
  readonly emptied?: object;
  readonly example: object;
  /** Rules of the complete body that also apply to a change: `allOf` of JSON Schema. */
  readonly allOf?: readonly object[];
}

/**
 * The body of a change, derived from the body of the complete item (`docs/contract.md#choices-requests`). A body with every
 * required member replaces the item: optional members that it leaves out get their value of `emptied`. Every other body is partial.
 * In both cases a member that is undefined for the handler is unchanged. A body without any member of the item is 400.
 */
export function changeBody<Body extends object>(
  item: ObjectSchema<Body>,
  { members = {}, emptied = {}, allOf = [], example, ...rules }: ChangeRules,
): ObjectSchema<Partial<Body>> {
  const keys = Object.entries((item.describe()['keys'] ?? {}) as Record<string, { flags?: { presence?: string } }>);
  const required = keys.flatMap(([name, { flags }]) => (flags?.presence === 'required' ? [name] : []));
  const needed = rules.needed ?? required;
  const names = [...new Set([...keys.map(([name]) => name), ...Object.keys(members)])];
  const partial = item.fork(required, (member) => member.optional());
  // `keys({})` would permit no members.
  const change = (Object.keys(members).length > 0 ? partial.keys(members) : partial)
    .custom((body: Record<string, unknown>, helpers) => {
      if (names.every((name) => body[name] === undefined)) return reject(helpers, 'validation.required', {}, needed[0]);
      return needed.every((name) => body[name] !== undefined) ? { ...emptied, ...body } : body;
    })
    .meta(documented({ allOf: [{ anyOf: names.map((name) => requires(name)) }, ...allOf] }))
    .example(example);
  return change;
}
