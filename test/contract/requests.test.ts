import { expect } from 'chai';
import fc from 'fast-check';
import type { Description, Schema } from 'joi';
import { isForm, type Route } from '../../api/http/route.js';
import { routes } from '../../api/routes.js';
import { ValidationError } from '../../shared/platform/errors.js';
import { systemClock } from '../../shared/platform/systemClock.js';
import { normalizeBody, validate } from '../../shared/platform/validation.js';
import { readConfig } from '../../shared/settings.js';
import { correctBodies, toleratedBodies } from '../fuzz/bodies.js';
import { fromSchema } from '../fuzz/fromSchema.js';
import { isList, isObject, type Names, type Tree, writeJson } from '../fuzz/jsonTree.js';
import { operationsOf } from '../support/description.js';
import { testEnvironment } from '../support/context.js';
import { describedService, operationName } from '../support/responseCheck.js';

/** The number of bodies for each operation and direction. */
const numRuns = 60;

const context = { clock: systemClock, config: readConfig('web', testEnvironment('postgres://localhost/none', 'data')) };
const uuid = '6f1c7f3e-8b1f-4c55-9a54-3c6a2f6e1d20';
const ids = [
  ...['boxId', 'vodId', 'bundleId', 'marketplaceId', 'thumbnailId', 'trackingId'],
  ...['channelId', 'eventId'],
];

/** Values for rules that no schema expresses: existing dates, countries, equal passwords, valid addresses. */
const names: Names = {
  ...Object.fromEntries(ids.map((name) => [name, [uuid]])),
  ...{
    userCode: ['ada.lovelace'],
    freshCode: ['ada.lovelace'],
    password: ['correct horse'],
    language: ['en', 'pt-BR'],
  },
  ...{
    email: ['ada@example.org'],
    freshEmail: ['ada@example.org'],
    price: ['12,50', '0,01'],
    country: ['IT', 'Francia'],
  },
  ...{ url: ['https://shop.example.org/paid?item=1'], activationUrl: ['http://127.0.0.1/?token=${token}'] },
  ...{ date: ['10/10/2040'], time: ['20:00:00'], streamPath: ['alps'] },
  ...{ birthDate: ['10/12/1985'], queryString: ['video*'], tags: ['drama'], refresh_token: ['token'] },
};

const described = new Map(operationsOf(describedService()).map((operation) => [operation.name, operation]));
const withBody = routes.flatMap((route) => {
  const operation = described.get(operationName(route));
  return route.body && operation?.body
    ? [{ route, schema: route.body as Schema, body: operation.body, operation }]
    : [];
});

/** The reason for which the service rejects a body before its handler runs, or null. */
function rejection(route: Route, schema: Schema, body: unknown): string | null {
  try {
    const file = route.upload ? { [route.upload.part]: {} } : {};
    validate(schema, Object.assign(normalizeBody(structuredClone(body)) as object, file), context);
    return null;
  } catch (error) {
    if (error instanceof ValidationError) return error.message;
    throw error;
  }
}

const parsed = (tree: Tree): unknown => JSON.parse(writeJson(tree, names));

/**
 * Satisfies rules that no schema can express and that are only in the descriptions: equal passwords, birth dates of adults, hosts
 * that mails may link to, two decimals.
 */
function completed(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(completed);
  if (typeof body !== 'object' || body === null) return body;
  const members = Object.fromEntries(Object.entries(body).map(([name, member]) => [name, completed(member)]));
  const password = members['newPassword'] ?? members['password'];
  const replaced: Readonly<Record<string, unknown>> = {
    passwordConfirm: password,
    birthDate: '10/12/1985',
    ...Object.fromEntries(
      ['eventDate', 'endDate', 'startDate'].flatMap((name) =>
        typeof members[name] === 'string' ? [[name, '2040-10-10T20:00+01:00']] : [],
      ),
    ),
    date: '10/10/2040',
    sourceStartDate: '10/10/2040',
    destStartDate: '20401010',
    country: 'IT',
    activationUrl: names['activationUrl']?.[0],
    confirmationUrl: names['activationUrl']?.[0],
    earningPercentage: Math.round(Number(members['earningPercentage']) * 100) / 100,
  };
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, replaced[name] ?? member]));
}

/** Texts that PostgreSQL cannot store are rejected everywhere. */
function isStorableBody(body: unknown): boolean {
  return !/\\u0000|\\ud[89a-f]/.test(JSON.stringify(body));
}

describe('The request validation of', () => {
  for (const { route, schema, body, operation } of withBody) {
    describe(operation.name, () => {
      const fits = body.fits();
      const samples = (correctBodies[operation.name] ?? []).map(
        (tree) => completed(parsed(tree)) as Record<string, unknown>,
      );
      const sent = (value: Record<string, unknown>) =>
        route.upload ? { ...value, [route.upload.part]: 'file' } : value;

      it('accepts documented requests', () => {
        const documented = fromSchema(body.schema)
          .map((tree) => completed(parsed(tree)))
          .filter((value) => fits(value) && isStorableBody(value));
        let tried = 0;
        fc.assert(
          fc.property(documented, (value) => {
            tried += 1;
            expect(rejection(route, schema, value), JSON.stringify(value).slice(0, 500)).to.equal(null);
          }),
          { seed: 7, numRuns, maxSkipsPerRun: 500 },
        );
        expect(tried).to.be.at.least(1);
      });

      if (samples.length > 0)
        it('accepts correct requests, which match the documented schema', () => {
          for (const value of samples) {
            expect(rejection(route, schema, value), JSON.stringify(value)).to.equal(null);
            expect(fits(sent(value)), `${JSON.stringify(value)}: ${fits.errors?.[0]?.message}`).to.equal(true);
          }
        });

      it('accepts the forms that HTML forms and older clients send', () => {
        for (const tree of toleratedBodies[operation.name] ?? [])
          expect(rejection(route, schema, parsed(tree)), writeJson(tree, names)).to.equal(null);
      });

      // The token form is checked by its handler, which sends OAuth errors.
      if (samples.length > 0 && !(isForm(route) && route.path === '/oauth/token'))
        it('rejects undocumented requests, except tolerated forms', () => {
          for (const value of samples)
            for (const { path, wrong, without, isBlank } of wrongValues(value)) {
              const isDocumented = fits(sent(wrong));
              if (isDocumented || isTolerated(operation.name, path)) continue;
              if (isBlank && rejection(route, schema, without) === null) continue;
              expect(rejection(route, schema, wrong), `${path} in ${JSON.stringify(wrong).slice(0, 500)}`).not.to.equal(
                null,
              );
            }
        });
    });
  }
});

/**
 * Tolerated forms in addition to the documented ones: a blank text for an optional member, a play with a malformed tracking
 * id (like a missing one), a single tag for a list.
 */
const checkedByHandlers = new Set(['POST /api/search/box/contents source', 'POST /api/vod/{vodId} bundleId']);

function isTolerated(operation: string, path: string): boolean {
  return (
    checkedByHandlers.has(`${operation} ${path}`) ||
    (/\/(play|acquire)$/.test(operation) && path === 'trackingId') ||
    (/^POST \/api\/box(\/\{boxId\})?$/.test(operation) && /^tags?$/.test(path))
  );
}

interface WrongValue {
  readonly path: string;
  readonly wrong: Record<string, unknown>;
  /** The body without the member. */
  readonly without: Record<string, unknown>;
  readonly isBlank: boolean;
}

/** Variants of the body: each member removed, or replaced with values that most schemas reject. */
function* wrongValues(body: unknown, before = ''): Generator<WrongValue> {
  for (const [name, member] of Object.entries(body as object)) {
    const path = before === '' ? name : `${before}.${name}`;
    const { [name]: _removed, ...without } = body as Record<string, unknown>;
    yield { path, wrong: without, without, isBlank: false };
    for (const value of [' ', 'x'.repeat(30_000), 'WRONG', -1, 1e9, true, {}, ['WRONG'], 'javascript:alert(1)'])
      yield { path, wrong: { ...without, [name]: value }, without, isBlank: value === ' ' };
    if (isObject(member as Tree) && !isList(member as Tree))
      for (const deeper of wrongValues(member, path)) {
        const around = (inner: Record<string, unknown>) => ({ ...without, [name]: inner });
        yield { ...deeper, wrong: around(deeper.wrong), without: around(deeper.without) };
      }
  }
}

/** The members of a described joi schema. */
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

/** Numbers, booleans and choices. The branches of a condition follow the rules of their member. */
function hasBlankRule(member: Described): boolean {
  const branches: Partial<Described>[] = (member.whens ?? []).flatMap(({ then, otherwise }) => [
    then ?? {},
    otherwise ?? {},
  ]);
  return [member, ...branches].some((one) => one.type === 'number' || one.type === 'boolean' || isChoice(one));
}

/** `docs/contract.md#choices-requests`: an empty text for a number, a boolean or a choice counts as absent. */
describe('A blank text for a number or a choice', () => {
  for (const route of routes) {
    const schemas = [route.body, route.query].filter((schema): schema is NonNullable<typeof schema> => Boolean(schema));
    const strict = (schemas as Schema[])
      .flatMap((schema) => membersOf(schema.describe() as Described))
      .filter(({ member }) => hasBlankRule(member));
    if (strict.length === 0) continue;
    it(`counts as absent in ${route.method.toUpperCase()} ${route.path}`, () => {
      const missing = strict.filter(({ member }) => member.flags?.empty === undefined).map(({ path }) => path);
      expect(missing, 'use integer(), flag() or choice() of api/http/fields.ts').to.deep.equal([]);
    });
  }
});
