import type { ObjectSchema, SchemaMap } from 'joi';
import { reject } from '../../shared/platform/validation.js';
import { documented, requires } from './documented.js';

export interface ChangeRules {
  /** The members of a whole body; by default those that the item must have. */
  readonly needed?: readonly string[];
  /** Schemas of members that differ in a change: an empty value removes the member, or its rules depend on the stored row. */
  readonly members?: SchemaMap;
  /** What a whole body does to optional members that it leaves out. */
  readonly emptied?: object;
  readonly example: object;
  /** Rules of the whole body that hold for a change too: `allOf` of JSON Schema. */
  readonly allOf?: readonly object[];
}

/**
 * The body of a change, from that of the whole item (`docs/contract.md#choices-requests`). A body with every member that the item must
 * have is the whole item: optional members that it leaves out get their value of `emptied`. Every other body is partial. In both
 * cases a member that is undefined for the handler stays. A body without any member of the item is 400.
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
  // Without members, `keys` would permit none.
  const change = (Object.keys(members).length > 0 ? partial.keys(members) : partial)
    .custom((body: Record<string, unknown>, helpers) => {
      if (names.every((name) => body[name] === undefined)) return reject(helpers, 'validation.required', {}, needed[0]);
      return needed.every((name) => body[name] !== undefined) ? { ...emptied, ...body } : body;
    })
    .meta(documented({ allOf: [{ anyOf: names.map((name) => requires(name)) }, ...allOf] }))
    .example(example);
  return change;
}
