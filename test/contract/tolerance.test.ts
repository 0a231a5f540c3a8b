import { expect } from 'chai';
import type { Description, Schema } from 'joi';
import { routes } from '../../api/routes.js';

/** Members of a described joi schema. */
interface Described extends Omit<Description, 'keys' | 'items'> {
  readonly keys?: Readonly<Record<string, Described>>;
  readonly items?: readonly Described[];
  readonly whens?: readonly { readonly then?: Described; readonly otherwise?: Described }[];
  readonly allow?: readonly unknown[];
  readonly flags?: { readonly only?: boolean; readonly empty?: unknown };
}

/** The paths of all members with these properties, of a request schema and everything in it. */
function membersOf(schema: Described, path = ''): { path: string; member: Described }[] {
  const inside = Object.entries(schema.keys ?? {}).flatMap(([name, member]) => membersOf(member, `${path}.${name}`));
  const entries = (schema.items ?? []).flatMap((member) => membersOf(member, `${path}[]`));
  return [{ path, member: schema }, ...inside, ...entries];
}

/** A choice among values; not a comparison with another member. */
function isChoice({ flags, allow = [] }: Partial<Described>): boolean {
  return flags?.only === true && allow.every((value) => typeof value !== 'object');
}

/** Numbers, booleans and choices. The branches of a condition have the rules of the member that they belong to. */
function hasBlankRule(member: Described): boolean {
  const branches: Partial<Described>[] = (member.whens ?? []).flatMap(({ then, otherwise }) => [
    then ?? {},
    otherwise ?? {},
  ]);
  return [member, ...branches].some((one) => one.type === 'number' || one.type === 'boolean' || isChoice(one));
}

/** `docs/contract.md#choices-requests`: an empty text in place of a number, a boolean or a choice counts as not sent. */
describe('A blank text in place of a number or a choice', () => {
  for (const route of routes) {
    const schemas = [route.body, route.query].filter((schema): schema is NonNullable<typeof schema> => Boolean(schema));
    const strict = (schemas as Schema[])
      .flatMap((schema) => membersOf(schema.describe() as Described))
      .filter(({ member }) => hasBlankRule(member));
    if (strict.length === 0) continue;
    it(`counts as not sent in ${route.method.toUpperCase()} ${route.path}`, () => {
      const missing = strict.filter(({ member }) => member.flags?.empty === undefined).map(({ path }) => path);
      expect(missing, 'use integer(), flag() or choice() of api/http/fields.ts').to.deep.equal([]);
    });
  }
});
